import assert from 'node:assert/strict';
import test from 'node:test';
import { readMeasurement } from '../src/measurement.js';
import { histogram } from '../src/small_chart.js';
import { sweepValues } from '../src/sweep_values.js';

test('values of sweeps: steps, ratios, random numbers of known moments', () => {
  assert.deepEqual(sweepValues('linear', 1, 2, 5), [1, 1.25, 1.5, 1.75, 2]);
  assert.deepEqual(sweepValues('log', 0.01, 100, 5), [0.01, 0.1, 1, 10, 100]);
  assert.deepEqual(sweepValues('linear', 3, 4, 1), [3]);
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const normal = sweepValues('normal', 10, 2, 200);
  assert.deepEqual(normal, sweepValues('normal', 10, 2, 200)); // the same each time
  // Four standard errors of 200 values.
  assert.ok(Math.abs(mean(normal) - 10) < (4 * 2) / Math.sqrt(200));
  const spread = Math.sqrt(mean(normal.map((x) => (x - mean(normal)) ** 2)));
  assert.ok(Math.abs(spread - 2) < (4 * 2) / Math.sqrt(400), String(spread));
  assert.ok(sweepValues('uniform', -1, 1, 200).every((x) => x >= -1 && x < 1));
  for (const wrong of [
    ['log', -1, 2, 3],
    ['linear', NaN, 1, 3],
    ['linear', 0, 1, 0],
    ['linear', 0, 1, 1.5],
    ['linear', 0, 1, 100000],
  ])
    assert.throws(() => sweepValues(...wrong), Error, wrong.join());
});

test('a histogram counts every value once', () => {
  const { xs, ys } = histogram([0, 1, 1, 2, 2, 2, 3, 3, 4]);
  assert.equal(
    ys.reduce((sum, n) => sum + n, 0),
    9,
  );
  assert.equal(xs.length, 3);
  assert.deepEqual(histogram([5]).ys, [1]);
});

test('measured values: units, gaps, quoted names, mistakes with their lines', () => {
  const variables = [
    { name: 'h', unit: 'm' },
    { name: 'a[1,2]', unit: 'V' },
  ];
  const read = (text) => readMeasurement('data.csv', text, variables);
  const good = read(
    '\uFEFFtime,h [mm],"a[1,2]",other\r\n0,1500,1,9\r\n0.5,,NaN,9\r\n1,500,3,9\r\n',
  );
  assert.deepEqual(good.times, [0, 0.5, 1]);
  assert.deepEqual(good.columns.get('h'), [1.5, null, 0.5]);
  assert.deepEqual(good.columns.get('a[1,2]'), [1, null, 3]);
  assert.match(good.remarks.join(' '), /2 values are missing.*no variable “other”/);
  assert.match(read('time,h [V]\n0,1\n1,2\n').remarks.join(), /unit V of h does not fit m/);
  for (const [text, error] of [
    ['', /a header with time/],
    ['time,h\n', /a header with time/],
    ['0,1\n1,2\n', /line 1: the first line must name/],
    ['time,h\n0,1\n1,x\n', /line 3: “x” is not a number/],
    ['time,h\n0,1\n,2\n', /line 3: the time is missing/],
    ['time,h\n1,1\n0,2\n', /line 3: the time goes back/],
  ])
    assert.throws(() => read(text), error, text);
});
