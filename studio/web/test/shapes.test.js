import assert from 'node:assert/strict';
import test from 'node:test';
import { contrast, luminance, parse, readableColour } from '../src/readable_colours.js';
import { colourOf, readPoints, turned, withCornerAt, writtenColour } from '../src/shapes.js';
import { writtenShape } from '../src/shapes.js';

const item = (kind, fields) => ({ kind, fields });

test('new items are written with their corners in order', () => {
  assert.equal(writtenShape('Rectangle', [[4, 6], [-2, 0]]), 'Rectangle(extent={{-2,0},{4,6}})');
  const polygon = 'Polygon(points={{0,0},{2,0},{0,2},{0,0}})';
  assert.equal(writtenShape('Polygon', [[0, 0], [2, 0], [0, 2]]), polygon);
  const text = 'Text(extent={{0,0},{2,2}}, textString="a \\"b\\"")';
  assert.equal(writtenShape('Text', [[0, 0], [2, 2]], 'a "b"'), text);
});

test('only literal points are geometry', () => {
  assert.deepEqual(readPoints('{{-1.5, 2}, {+3,4e1}}'), [[-1.5, 2], [3, 40]]);
  assert.equal(readPoints('{{-a, 2}, {3,4}}'), null);
});

test('a corner moves, also of a turned item; polygons stay closed', () => {
  const box = item('Rectangle', { extent: '{{0,0},{10,10}}' });
  assert.equal(withCornerAt(box, 1, [14, -2])?.value, '{{0,-2},{14,10}}');
  const triangle = item('Polygon', { points: '{{0,0},{1,0},{0,1},{0,0}}' });
  assert.equal(withCornerAt(triangle, 0, [5, 5])?.value, '{{5,5},{1,0},{0,1},{5,5}}');
  const tilted = item('Line', { points: '{{0,0},{1,0}}', origin: '{10,10}', rotation: '90' });
  assert.equal(withCornerAt(tilted, 1, [10, 14])?.value, '{{0,0},{4,0}}');
});

test('items turn around their middles', () => {
  const box = item('Ellipse', { extent: '{{0,0},{20,10}}' });
  assert.deepEqual(turned(box, { quarters: 1 }), { extent: '{{15,-5},{5,15}}' });
  assert.deepEqual(turned(box, { axis: 'horizontal' }), { extent: '{{20,0},{0,10}}' });
  const words = item('Text', { extent: '{{0,0},{20,10}}' });
  assert.equal(turned(words, { quarters: -1 })?.rotation, '-90');
  assert.equal(turned(words, { quarters: -1 })?.origin, '{10,5}');
});

test('colours there and back', () => {
  assert.equal(colourOf('{255, 0,16}'), '#ff0010');
  assert.equal(colourOf('colour'), null);
  assert.equal(writtenColour('#ff0010'), '{255,0,16}');
});

test('lines and texts have the contrast of WCAG AA in both themes', () => {
  const papers = { false: '#ffffff', true: '#171a20' };
  const channels = ['00', '40', '80', 'c0', 'ff'];
  for (const r of channels)
    for (const g of channels)
      for (const b of channels)
        for (const dark of [false, true]) {
          const colour = `#${r}${g}${b}`;
          const of = (text) => luminance(/** @type {any} */ (parse(text)));
          if (contrast(of(colour), 1) < 1.2) continue; // white is drawn upon other shapes
          const ratio = (role) =>
            contrast(of(readableColour(colour, role, dark)), of(papers[String(dark)]));
          assert.ok(ratio('stroke') >= 2.99, `${colour} stroke ${dark}`);
          assert.ok(ratio('text') >= 4.48, `${colour} text ${dark}`);
        }
});
