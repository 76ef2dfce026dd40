import assert from 'node:assert/strict';
import test from 'node:test';
import { Text } from '@codemirror/state';
import { changeTexts, placeOf, triggerText } from '../src/event_text.js';
import { matches } from '../src/filter.js';
import { defaultChoice } from '../src/panes.js';
import { positionOf, spanOf } from '../src/places.js';
import { freeName, renamed, withoutExpectations } from '../src/template_text.js';
import { prettyUnit } from '../src/units.js';
import { fitted, panned, parseBox, zoomed } from '../src/view_box.js';

test('columns count characters, positions count units', () => {
  const text = Text.of(['model A', '"𝄞" x']);
  assert.equal(positionOf(text, 2, 5), 8 + 5);
  assert.equal(positionOf(text, 99, 1), 8);
  assert.deepEqual(spanOf(text, { line: 1, column: 7, end_line: 1, end_column: 8 }), {
    from: 6,
    to: 7,
  });
});

test('a span is never empty', () => {
  const text = Text.of(['ab', '']);
  for (const [line, column] of [
    [1, 1],
    [1, 3],
    [2, 1],
    [7, 7],
  ]) {
    const { from, to } = spanOf(text, { line, column });
    assert.ok(to > from && from >= 0 && to <= text.length);
  }
});

test('events in words', () => {
  const event = {
    time: 1,
    triggers: [{ kind: 'relation', text: 'h <= 0', value: true, file: 'a.mo', line: 9 }],
    changes: [{ name: 'on', old: false, new: true }],
    reinits: [{ name: 'v', old: -2, new: 1.5 }],
  };
  assert.equal(triggerText(event.triggers[0]), 'h <= 0 is true');
  assert.deepEqual(changeTexts(event), ['on: false → true', 'v: −2 → 1.5']);
  const machine = ['a.b.$active', 'a.$fired'].map((name) => ({ name, old: false, new: true }));
  assert.deepEqual(changeTexts({ changes: machine }), ['activeState(a.b): false → true']);
  assert.deepEqual(placeOf(event), { path: 'a.mo', line: 9, column: 1 });
  assert.equal(placeOf({ triggers: [] }), null);
});

test('panes to begin with: states by unit', () => {
  const variables = [
    { name: 'h', unit: 'm', kind: 'state' },
    { name: 'v', unit: 'm/s', kind: 'state' },
    { name: 'z', unit: 'm', kind: 'state' },
    { name: 'a', kind: 'algebraic' },
  ];
  assert.deepEqual(defaultChoice(variables), [['h', 'z'], ['v']]);
  assert.deepEqual(defaultChoice([{ name: 'a', kind: 'algebraic' }]), [['a']]);
  assert.deepEqual(defaultChoice([]), []);
  const machine = ['v', 'up.$state'].map((name) => ({ name, kind: 'discrete' }));
  assert.deepEqual(defaultChoice(machine), [['v']]);
});

test('units as people write them', () => {
  assert.equal(prettyUnit('kg.m2/s2'), 'kg·m²/s²');
  assert.equal(prettyUnit('s-1'), 's⁻¹');
  assert.equal(prettyUnit('Ohm'), 'Ω');
  assert.equal(prettyUnit('1'), '');
  assert.equal(prettyUnit(null), '');
});

test('a filter wants every word', () => {
  assert.ok(matches('', 'x'));
  assert.ok(matches('Load  x', 'load.x position'));
  assert.ok(!matches('load y', 'load.x position'));
});

test('templates', () => {
  assert.equal(withoutExpectations('model A\nend A;\n\n// expect x\n'), 'model A\nend A;\n');
  assert.equal(freeName('A', new Set(['A.mo', 'A2.mo'])), 'A3');
  assert.equal(renamed('model A\nend A; // AB', 'A', 'A2'), 'model A2\nend A2; // AB');
});

test('zooming keeps the point under the mouse', () => {
  const box = zoomed({ x: 0, y: 0, w: 100, h: 50 }, 0.5, 0.25, 1);
  assert.deepEqual(box, { x: 12.5, y: 25, w: 50, h: 25 });
  assert.deepEqual(panned(box, 1, 0), { x: 62.5, y: 25, w: 50, h: 25 });
  assert.deepEqual(fitted({ x: 0, y: 0, w: 10, h: 10 }, 200, 100), { x: -5, y: 0, w: 20, h: 10 });
  assert.equal(parseBox('0 0 0 1'), null);
  assert.deepEqual(parseBox('0,0 1 2'), { x: 0, y: 0, w: 1, h: 2 });
});
