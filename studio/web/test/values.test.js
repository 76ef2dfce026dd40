import assert from 'node:assert/strict';
import test from 'node:test';
import { plainNumber } from '../src/number_text.js';
import { parseValue, sliderRange } from '../src/slider_range.js';

test('a slider keeps to declared limits', () => {
  const { min, max } = sliderRange({ value: 0.7, min: 0, max: 1, type: 'Real' });
  assert.deepEqual([min, max], [0, 1]);
});

test('without limits the value is in the middle', () => {
  assert.deepEqual(sliderRange({ value: 4, type: 'Real' }), { min: 0, max: 8, step: 0.002 });
  assert.equal(sliderRange({ value: -4, type: 'Real' })?.min, -8);
  assert.deepEqual(
    [sliderRange({ value: 0, type: 'Real' })?.min, sliderRange({ value: 0, type: 'Real' })?.max],
    [-1, 1],
  );
});

test('a limit on one side', () => {
  const range = sliderRange({ value: 5, min: 10, type: 'Real' });
  assert.ok(range && range.max > range.min);
  assert.deepEqual(sliderRange({ value: 3, min: 1, type: 'Integer' }), { min: 1, max: 7, step: 1 });
});

test('what has no slider', () => {
  assert.equal(sliderRange({ value: true, type: 'Boolean' }), null);
  assert.equal(sliderRange({ value: 'a', type: 'String' }), null);
  assert.equal(sliderRange({ value: null, type: 'Real' }), null);
  assert.equal(sliderRange({ value: 1, min: 1, max: 1, type: 'Real' }), null);
});

test('values as people type them', () => {
  assert.equal(parseValue(' 1e-3 ', 'Real'), 0.001);
  assert.equal(parseValue('0,5', 'Real'), 0.5);
  assert.equal(parseValue('−2', 'Real'), -2);
  assert.equal(parseValue('x', 'Real'), undefined);
  for (const [text, value] of [
    ['200u', 200e-6],
    ['4.7 k', undefined],
    ['4.7k', 4700],
    ['2M', 2e6],
    ['10µ', 1e-5],
    ['1/2', 0.5],
    ['2*pi*50', 100 * Math.PI],
    ['-(1 + 2)^2/3', -3],
    ['2^-1', 0.5],
    ['1e3m', 1],
    ['3 4', undefined],
    ['2*', undefined],
    ['(1', undefined],
    ['1/0', undefined],
    ['3mm', undefined],
  ])
    assert.ok(
      value === undefined
        ? parseValue(text, 'Real') === undefined
        : Math.abs(parseValue(text, 'Real') - value) < 1e-12 * Math.abs(value),
      text,
    );
  assert.equal(parseValue('1/2', 'Integer'), undefined);
  assert.equal(parseValue('6/2', 'Integer'), 3);
  assert.equal(plainNumber(1e-6), '1e-6');
  assert.equal(plainNumber(0.1 + 0.2), '0.3');
  assert.equal(plainNumber(-2.5e9), '-2.5e+9');
  assert.equal(plainNumber(0), '0');
  assert.equal(parseValue('', 'Real'), undefined);
  assert.equal(parseValue('1.5', 'Integer'), undefined);
  assert.equal(parseValue('true', 'Boolean'), true);
  assert.equal(parseValue(' a ', 'String'), ' a ');
});
