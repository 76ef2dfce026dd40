import assert from 'node:assert/strict';
import test from 'node:test';
import { formulaColumn, formulaOf, variablesOf } from '../src/formula.js';

const value = (text, values = {}) => {
  const formula = formulaOf(`=${text}`);
  assert.equal(formula.error, undefined, formula.error);
  return formula.value((name) => values[name] ?? null);
};

test('functions of variables: precedence, signs, powers, functions', () => {
  assert.equal(value('1 + 2*3^2 - -4/2'), 21);
  assert.equal(value('-2^2'), -4);
  assert.equal(value('2^-1'), 0.5);
  assert.equal(value('max(1, x, 3) + min(2)', { x: 7 }), 9);
  assert.equal(value('L.i*L.v', { 'L.i': 3, 'L.v': 5 }), 15);
  const values = { 'der(a.b)': 1, 'R[1,2]': 2, "'x y'.z": 4 };
  assert.equal(value("der(a.b) + R[1,2] + 'x y'.z", values), 7);
  assert.ok(Math.abs(value('sin(pi/2) + 1e-3') - 1.001) < 1e-15);
  assert.deepEqual(variablesOf('= a.b*der(c) + a.b'), ['a.b', 'der(c)']);
});

test('what is wrong is said', () => {
  for (const [text, what] of [
    ['a *', 'a value is missing'],
    ['(a', '“)” is missing'],
    ['a b', 'an operator is missing'],
    ['f(a)', 'there is no function “f”'],
    ['atan2(a)', '“atan2” has 1 arguments'],
    ['a ; b', '“; b” is not understood'],
    ['', 'a value is missing'],
  ])
    assert.equal(formulaOf(`=${text}`).error, what);
});

test('a column has gaps where a value is missing or not a number', () => {
  const columns = { a: [1, 4, null, -1] };
  const read = (name) => columns[name] ?? null;
  assert.deepEqual(formulaColumn('=sqrt(a)', read, 4), [1, 2, null, null]);
  assert.equal(formulaColumn('=sqrt(b)', read, 4), null);
});
