import assert from 'node:assert/strict';
import test from 'node:test';
import { wireFlows } from '../src/wire_flows.js';

test('flows along lines follow from the sums to zero', () => {
  // A source feeds two loads; the second line hangs on the first load.
  const into = { 's.p': -5, 'a.p': 2, 'b.p': 3, 'x.p': 1, 'y.p': 1, 'z.p': -2 };
  const of = (end) => into[end] ?? null;
  assert.deepEqual(
    wireFlows(
      [
        ['s.p', 'a.p'],
        ['b.p', 'a.p'],
      ],
      of,
    ),
    [5, -3],
  );
  // A ring of lines does not determine its flows; an unknown connector neither.
  assert.deepEqual(
    wireFlows(
      [
        ['x.p', 'y.p'],
        ['y.p', 'z.p'],
        ['z.p', 'x.p'],
      ],
      of,
    ),
    [null, null, null],
  );
  assert.deepEqual(wireFlows([['q.p', 'b.p']], of), [3]);
  assert.deepEqual(wireFlows([['q.p', 'r.p']], of), [null]);
});
