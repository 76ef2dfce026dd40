import assert from 'node:assert/strict';
import test from 'node:test';
import { channels, figurePdf, figureSvg, makeFigure, ticksOf } from '../src/figure.js';

const colours = { text: '#111', muted: '#777777', grid: '#eee', paper: 'rgb(255, 255, 255)' };
const measure = (text) => 6 * text.length;
const pane = (more) => ({
  x: [0, 2],
  y: [-1, 1],
  y2: null,
  log: false,
  titles: ['time [s]', '[V]', ''],
  curves: [
    {
      label: 'a<b',
      xs: [0, 1, 1.5, 2],
      vs: [-1, 1, null, 0],
      colour: '#0072b2',
      dash: [7, 4],
      strong: true,
      scale: 'y',
    },
  ],
  events: [1],
  overTime: true,
  ...more,
});

test('a figure shows the ranges of its pane, in any size', () => {
  for (const [width, height] of [
    [400, 300],
    [3000, 1000],
  ]) {
    const { axes, marks } = makeFigure(pane(), width, height, colours, measure);
    const curve = marks.find((mark) => mark.dash && mark.inside);
    // A gap divides the curve; its ends are at the corners of the axes.
    assert.equal(curve.lines.length, 2);
    assert.deepEqual(curve.lines[0][0], [axes.x, axes.y + axes.height]);
    assert.deepEqual(curve.lines[0][1], [axes.x + axes.width / 2, axes.y]);
    assert.deepEqual(curve.lines[1][0], [axes.x + axes.width, axes.y + axes.height / 2]);
    assert.ok(axes.x + axes.width < width && axes.y + axes.height < height);
  }
});

test('ticks of a narrow span have labels of their own', () => {
  const { marks } = makeFigure(pane({ x: [0.9971931, 0.99719313] }), 600, 300, colours, measure);
  const labels = marks.map((mark) => mark.text).filter((text) => text?.startsWith('0.997'));
  assert.ok(labels.length > 2);
  assert.equal(new Set(labels).size, labels.length);
});

test('SVG escapes names; PDF has a table of its objects', () => {
  const figure = makeFigure(pane(), 400, 300, colours, measure);
  assert.match(figureSvg(figure), /a&lt;b/);
  const pdf = figurePdf(figure, measure);
  const table = Number(/startxref\n(\d+)/.exec(pdf)?.[1]);
  assert.equal(pdf.slice(table, table + 4), 'xref');
  const places = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n/gm)].map((one) => Number(one[1]));
  places.forEach((place, i) =>
    assert.equal(pdf.slice(place, place + 6 + String(i + 1).length), `${i + 1} 0 obj`),
  );
  const stream = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(pdf);
  assert.equal(stream[2].length, Number(stream[1]));
  assert.match(pdf, /\(a<b\) Tj/);
});

test('ticks are round; logarithmic ones are whole decades', () => {
  assert.deepEqual(ticksOf(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticksOf(-3.2, 1.1, 8, true), [-3, -2, -1, 0, 1]);
  assert.deepEqual(channels('#fff'), [1, 1, 1]);
  assert.deepEqual(channels('rgb(255, 0, 51)'), [1, 0, 0.2]);
});
