import assert from 'node:assert/strict';
import test from 'node:test';
import { GERMAN } from '../src/german.js';
import { languageOf, translator } from '../src/language.js';

test('the language is that of the system, unless another was chosen', () => {
  assert.equal(languageOf(null, ['de-AT', 'en']), 'de');
  assert.equal(languageOf(null, ['fr-FR', 'de']), 'de');
  assert.equal(languageOf(null, ['fr']), 'en');
  assert.equal(languageOf('en', ['de']), 'en');
  assert.equal(languageOf('xx', ['de']), 'de');
});

test('texts are looked up whole; inserted values stay', () => {
  const say = translator(GERMAN);
  assert.equal(say(' Values at the cursor'), ' Werte am Cursor');
  assert.equal(say('Unit of R'), 'Einheit von R');
  assert.equal(say('a and b do not fit: $& types'), 'a und b passen nicht zusammen: $& types');
  assert.equal(say('Source', { words: false }), 'Source');
  assert.equal(say('from the left', { patterns: false }), 'from the left');
  assert.equal(translator(undefined)('Run'), 'Run');
});

test('every translation has the values of its key', () => {
  for (const [key, value] of Object.entries(GERMAN)) {
    const places = (text) => [...text.matchAll(/\{\d\}/g)].map(String).sort();
    assert.deepEqual(places(value), places(key), key);
    assert.ok(value.trim(), key);
  }
});
