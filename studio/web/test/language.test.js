import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
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

/** Literals of a source, with what is written in pieces joined, and {0} for inserted values. */
function literalsOf(source) {
  const code = source
    .replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1')
    .replace(/(['`])\s*\+\s*(['`])/g, (all, a, b) => (a === b ? '' : all));
  const plain = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)];
  const templates = [...code.matchAll(/`((?:[^`$\\]|\\.|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`)*\})*)`/g)];
  return [...plain, ...templates].map(({ 0: all, 1: text, index }) => {
    let count = 0;
    return {
      text: text.replace(/\$\{(?:[^{}`]|`[^`]*`)*\}/g, () => `{${count++}}`).replace(/\\'/g, "'"),
      before: code.slice(Math.max(0, index - 40), index),
      all,
    };
  });
}

/** Phrases with capitals that are no texts of the page. */
const OTHER = new RegExp(
  [
    '^(Ctrl|Alt|Tab|Escape|Shift|F6)\\b', // keys, which have a table of their own
    '^M[\\d{]', // paths of icons
    'Kairos studio$',
    '^[A-Z]\\w+\\(\\{', // Modelica
  ].join('|'),
);
const READ = new RegExp(
  '(?:\\b(?:say|tell|notify|translated|Mistake|Error|tool)\\(|(?:title|label|placeholder): )\\s*$',
);

const MODELICA = new Set(['true', 'false']);

/** Whether a key can be what a literal becomes. @param {string} text */
function fits(text) {
  const parts = text.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const whole = new RegExp(`^(?:\\{0\\}: )?${parts.join('[\\s\\S]*')}$`);
  return (key) => whole.test(key);
}

test('every text of the page is translated', () => {
  const folder = new URL('../src/', import.meta.url);
  const notTexts = /^(german|figure|modelica|picture|template_text|small_chart)\.js$/;
  const say = translator(GERMAN);
  const keys = Object.keys(GERMAN);
  const missing = [];
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.js') || notTexts.test(file)) continue;
    for (const { text, before } of literalsOf(readFileSync(new URL(file, folder), 'utf8'))) {
      const phrase = /^[A-Z“][^<>]* [^<>]*$/.test(text) && !OTHER.test(text);
      if (!phrase && !(READ.test(before) && /[a-z]{2}/.test(text))) continue;
      if (MODELICA.has(text) || say(text) !== text || keys.some(fits(text.trim()))) continue;
      missing.push(`${file}: ${text}`);
    }
  }
  assert.deepEqual(missing, []);
});
