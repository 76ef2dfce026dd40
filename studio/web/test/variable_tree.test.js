import assert from 'node:assert/strict';
import test from 'node:test';
import { foundRows, partsOf, rowsOf, treeOf } from '../src/variable_tree.js';

const variable = (name, kind = 'algebraic') => ({ name, kind, type: 'Real', unit: 'V' });

test('names have parts: components, indices, quoted names, derivatives', () => {
  for (const [name, parts] of [
    ['x', ['x']],
    ['a.b.c', ['a', 'b', 'c']],
    ['body[2].r[1,3]', ['body', '[2]', 'r', '[1,3]']],
    ["a.'x.y[1]'.z", ['a', "'x.y[1]'", 'z']],
    ['der(a.x)', ['a', 'der(x)']],
    ['der(a.x[2])', ['a', 'der(x)', '[2]']],
  ])
    assert.deepEqual(partsOf(name), parts, name);
});

test('the tree opens branch by branch; the filter finds full names', () => {
  const variables = [
    variable('R', 'parameter'),
    variable('a.x', 'state'),
    variable('der(a.x)'),
    variable('a.r[1]'),
    variable('a.r[2]'),
    variable('y'),
  ];
  const tree = treeOf(variables);
  const titles = (open) => rowsOf(tree, new Set(open)).map((row) => row.title);
  assert.deepEqual(titles([]), ['y', 'a', 'R']);
  assert.deepEqual(titles(['a']), ['y', 'a', 'x', 'der(x)', 'r', 'R']);
  assert.deepEqual(titles(['a', 'a.r']), ['y', 'a', 'x', 'der(x)', 'r', '[1]', '[2]', 'R']);
  const found = (asked, also) => foundRows(variables, asked, also).map((row) => row.title);
  assert.deepEqual(found('a.r[?]'), ['a.r[1]', 'a.r[2]']);
  assert.deepEqual(found('state'), ['a.x']);
  assert.deepEqual(
    found('', (one) => one.kind === 'parameter'),
    ['R'],
  );
});

test('a hundred thousand variables', () => {
  const many = [];
  for (let i = 0; i < 50000; i++)
    many.push(variable(`cell[${i}].heat.T`), variable(`cell[${i}].Q`));
  const begin = performance.now();
  const tree = treeOf(many);
  assert.equal(rowsOf(tree, new Set(['cell', 'cell[7]'])).length, 1 + 50000 + 2);
  assert.equal(foundRows(many, 'cell[4999?].*').length, 20);
  assert.ok(performance.now() - begin < 5000, 'quadratic work takes minutes');
});
