import assert from 'node:assert/strict';
import test from 'node:test';
import { matches } from '../src/filter.js';

test('words in any order and case; wildcards mean whole names', () => {
  const text = 'body1.frame_a.r_0[2] Position of the frame state';
  for (const asked of ['', 'FRAME', 'state body', 'body*.r_0[?]', '*.r_0[2] position'])
    assert.ok(matches(asked, text), asked);
  for (const asked of ['frames', 'body?', '*.r_0', 'body*.r_0[?] force', 'r.0*'])
    assert.ok(!matches(asked, text), asked);
});
