import assert from 'node:assert/strict';
import test from 'node:test';
import { extent, padded, rowAt, rowsToDraw, shown, valueAt, withDetail } from '../src/curves.js';

test('the value at an event is the one after it', () => {
  const [times, values] = [
    [0, 1, 1, 2],
    [0, 10, -10, 0],
  ];
  assert.equal(valueAt(times, values, 0.5), 5);
  assert.equal(valueAt(times, values, 1), -10);
  assert.equal(valueAt(times, values, 1.5), -5);
  assert.equal(valueAt(times, values, 2), 0);
  assert.equal(valueAt(times, values, 2.1), null);
  assert.equal(valueAt(times, values, -0.1), null);
});

test('a gap has no value', () => {
  assert.equal(valueAt([0, 1, 2], [1, null, 3], 1), null);
  assert.equal(valueAt([0, 1, 2], [1, null, 3], 0.5), 1);
});

test('the last row at or before a time', () => {
  assert.equal(rowAt([0, 1, 1, 2], 1), 2);
  assert.equal(rowAt([0, 1], -1), -1);
  assert.equal(rowAt([], 0), -1);
});

test('the span of values leaves out what does not exist', () => {
  assert.deepEqual(extent([null, 3, NaN, -1, Infinity]), [-1, 3]);
  assert.equal(extent([null]), null);
  assert.deepEqual(extent([9, 1, 2, 8], 1, 2), [1, 2]);
});

test('room around a constant comes from its size', () => {
  assert.deepEqual(padded([5, 5]), [4.5, 5.5]);
  assert.deepEqual(padded([0, 0]), [-1, 1]);
  assert.deepEqual(padded(null), [0, 1]);
  const [low, high] = padded([0, 1]);
  assert.ok(low < 0 && high > 1);
});

test('reduction keeps every peak and both sides of every jump', () => {
  const times = Array.from({ length: 100000 }, (_, i) => i / 1000);
  const values = times.map((time) => Math.sin(time));
  values[54321] = 77;
  values[65432] = -77;
  const rows = rowsToDraw(times, values, 0, 100, 500);
  assert.ok(rows.length <= 4 * 502);
  assert.ok(rows.includes(54321) && rows.includes(65432));
  assert.ok(rows.every((row, i) => i === 0 || row > rows[i - 1]));
  assert.equal(rowsToDraw([0, 1, 2], [1, 2, 3], 0, 2, 100).length, 3);
});

test('reduction ends where many rows have one time', () => {
  const times = Array.from({ length: 5000 }, () => 1);
  const rows = rowsToDraw(times, times, 0, 2, 10);
  assert.ok(rows.length > 0 && rows.length < 10);
});

test('detail replaces the rows of its span', () => {
  assert.deepEqual(
    withDetail(
      [
        [0, 1, 2, 3],
        [0, 10, 20, 30],
      ],
      [
        [0.9, 1, 1.1],
        [9, 10, 11],
      ],
    ),
    [
      [0, 0.9, 1, 1.1, 2, 3],
      [0, 9, 10, 11, 20, 30],
    ],
  );
  assert.deepEqual(
    withDetail(
      [
        [0, 1],
        [5, 6],
      ],
      [[], []],
    ),
    [
      [0, 1],
      [5, 6],
    ],
  );
});

test('numbers for people', () => {
  assert.equal(shown(-4.429445800892312), '−4.42945');
  assert.equal(shown(3), '3');
  assert.equal(shown(null), '–');
  assert.equal(shown(1.5e-7), '1.5e−7');
  assert.equal(shown(2e9), '2e+9');
  // neighbours that differ by the step do not look alike
  assert.equal(shown(0.9971931105, 5e-10), '0.9971931105');
  assert.equal(shown(1234567.25, 0.25), '1.23456725e+6');
});
