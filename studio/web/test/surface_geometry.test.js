import assert from 'node:assert/strict';
import test from 'node:test';
import { middleOf, positionsOf, triangles } from '../src/surface_geometry.js';

const grid = { nu: 2, nv: 3, x: [0, 0, 0, 1, 1, 1], y: [0, 1, 2, 0, 1, 2], z: [5, 5, 5, 7, 7, 7] };

test('a grid of 2 by 3 points has four triangles, which cover it once', () => {
  const positions = positionsOf(grid);
  const list = triangles(2, 3, positions);
  assert.equal(list.length, 12);
  const area = (a, b, c) => {
    const [p, q, r] = [a, b, c].map((k) => [positions[3 * k], positions[3 * k + 1]]);
    return ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2;
  };
  let sum = 0;
  for (let k = 0; k < 12; k += 3) {
    const one = area(list[k], list[k + 1], list[k + 2]);
    assert.ok(one > 0, 'all have the same orientation');
    sum += one;
  }
  assert.equal(sum, 2);
  assert.deepEqual(middleOf(positions), [0.5, 1, 6]);
});

test('points without a number leave a hole', () => {
  const positions = positionsOf({ ...grid, z: [5, 5, null, 7, 7, 7] });
  assert.equal(triangles(2, 3, positions).length, 6);
  assert.deepEqual(middleOf(positions), [0.5, 1, 6]);
});
