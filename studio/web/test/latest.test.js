import assert from 'node:assert/strict';
import test from 'node:test';
import { latest } from '../src/latest.js';

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

test('one at a time, then the latest; those between are dropped', async () => {
  const began = [];
  const ended = [];
  /** @type {((value?: any) => void)[]} */
  const gates = [];
  const push = latest(
    (wish) => {
      began.push(wish);
      return new Promise((resolve) => gates.push(resolve));
    },
    (_result, wish, stale) => ended.push([wish, stale]),
  );
  push(1);
  push(2);
  push(3);
  await tick();
  assert.deepEqual(began, [1]);
  gates.shift()?.();
  await tick();
  assert.deepEqual(began, [1, 3]);
  gates.shift()?.();
  await tick();
  assert.deepEqual(ended, [
    [1, true],
    [3, false],
  ]);
});

test('a failure does not end the loop', async () => {
  const seen = [];
  const push = latest(
    async (wish) => {
      if (wish === 1) throw new Error('no');
      return wish;
    },
    (result) => seen.push(result),
    (error) => seen.push(error.message),
  );
  push(1);
  await tick();
  push(2);
  await tick();
  assert.deepEqual(seen, ['no', 2]);
});
