import assert from 'node:assert/strict';
import test from 'node:test';
import { indexColour, readDxf } from '../src/dxf.js';
import { axes, Frames, reader, rotation, toWorld } from '../src/frames.js';

const near = (a, b) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < 1e-12, `${a} not ${b}`));

test('frames are read between rows, after an event at its time', () => {
  const frames = new Frames();
  frames.append(new Float64Array([3, 2, 3, 0, 10, 1, 20, 1, 50]).buffer);
  frames.append(new Float64Array([1, 2, 4, 3, 70]).buffer);
  assert.deepEqual([...frames.at(0.5)], [0.5, 15]);
  assert.deepEqual([...frames.at(1)], [1, 50]);
  assert.deepEqual([...frames.at(2)], [2, 60]);
  assert.deepEqual([...frames.at(9)], [3, 70]);
  assert.deepEqual([frames.count, frames.known, frames.last], [4, 4, 3]);
});

test('quantities mix numbers and columns; a missing one is said', () => {
  assert.deepEqual(reader([1, 'c2', 3])?.([0, 5, 7]), [1, 7, 3]);
  assert.equal(reader([1, null]), null);
  assert.equal(reader(undefined), null);
});

test('directions are orthogonal, also if the width is along the length', () => {
  const [x, y, z] = axes([0, -2, 0], [1, 1, 0]);
  near(x, [0, -1, 0]);
  near(y, [1, 0, 0]);
  near(z, [0, 0, 1]);
  const [a, b] = axes([0, 3, 0], [0, 1, 0]);
  near([a[0] * b[0] + a[1] * b[1] + a[2] * b[2], Math.hypot(...b)], [0, 1]);
});

test('the matrix turns the world into the object, so its transpose turns back', () => {
  const angle = 0.3;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const R = rotation([2 * c, 2 * s, 0, -s, c, 0, 0, 0, 1]);
  near(toWorld(R, [1, 0, 0]), [c, s, 0]);
  near(toWorld(R, [0, 0, 1]), [0, 0, 1]);
});

test('faces of DXF: triangles, quadrilaterals, colours by layer and of their own', () => {
  const face = (corners, more = '') =>
    `0\n3DFACE\n8\nred\n${more}` +
    corners.map((p, k) => p.map((x, i) => `${10 * (i + 1) + k}\n${x}\n`).join('')).join('');
  const text =
    '0\nSECTION\n2\nTABLES\n0\nLAYER\n2\nred\n62\n1\n0\nENDSEC\n' +
    face([
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
      [0, 1, 0],
    ]) +
    face(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [1, 1, 0],
      ],
      '62\n5\n',
    );
  const { positions, colours } = readDxf(text);
  assert.deepEqual(colours, [0xff0000, 0xff0000, 0x0000ff]);
  assert.equal(positions.length, 27);
  assert.equal(indexColour(10), 0xff0000);
  assert.equal(indexColour(90), 0x00ff00);
});
