// A pane as a figure of any size: a list of lines and texts, written as SVG or PDF. PNG pictures
// are drawn from the SVG, so that all formats look alike.
import { isTangled, rowsToDraw, shown } from './curves.js';

/**
 * @typedef {object} Mark
 * @property {[number, number][][]} [lines] strokes, each a row of points
 * @property {[number, number][]} [area] a filled polygon
 * @property {string} [text]
 * @property {number} [x] of a text
 * @property {number} [y] of a text: its base line
 * @property {'start'|'middle'|'end'} [anchor]
 * @property {boolean} [upward] a text that is turned by 90 degrees
 * @property {string} colour
 * @property {number} [width]
 * @property {number[]} [dash]
 * @property {number} [opacity]
 * @property {boolean} [inside] only within the axes
 */

/**
 * @typedef {object} Figure
 * @property {number} width
 * @property {number} height
 * @property {string} paper colour of the ground
 * @property {{x: number, y: number, width: number, height: number}} axes
 * @property {Mark[]} marks
 */

export const SIZE = 11; // px of letters
const EDGE = { left: 62, right: 22, top: 8, bottom: 40, second: 52, legend: 22 };

/** About `n` round numbers in a span. @param {number} low @param {number} high @param {number} n */
export function ticksOf(low, high, n, log = false) {
  const rough = (high - low) / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough) ?? rough;
  if (log) step = Math.max(1, Math.round(step));
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++)
    ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

/**
 * @typedef {object} Axes what a pane shows
 * @property {[number, number]} x
 * @property {[number, number]} y
 * @property {[number, number]|null} y2
 * @property {boolean} log
 * @property {[string, string, string]} titles of x, y and y2
 * @property {any[]} curves (pane_data.js), with `label` for the legend
 * @property {number[]} events times
 * @property {boolean} overTime
 */

/**
 * @param {Axes} pane @param {number} width @param {number} height
 * @param {{text: string, muted: string, grid: string, paper: string}} colours
 * @param {(text: string) => number} measure width of a text
 * @returns {Figure}
 */
export function makeFigure(pane, width, height, colours, measure) {
  const [rows, legend] = legendOf(pane, width - EDGE.left - EDGE.right, colours, measure);
  const top = EDGE.top + rows * EDGE.legend;
  const right = pane.y2 ? EDGE.second : EDGE.right;
  const axes = {
    x: EDGE.left,
    y: top,
    width: Math.max(20, width - EDGE.left - right),
    height: Math.max(20, height - top - EDGE.bottom),
  };
  const px = (x) => axes.x + ((x - pane.x[0]) / (pane.x[1] - pane.x[0])) * axes.width;
  const scaled = ([low, high]) => (y) =>
    axes.y + axes.height - ((y - low) / (high - low)) * axes.height;
  const py = scaled(pane.y);
  const py2 = scaled(pane.y2 ?? pane.y);
  const marks = [...grid(pane, axes, px, py, py2, colours), ...legend];
  for (const time of pane.events) {
    const x = px(time);
    if (x < axes.x || x > axes.x + axes.width) continue;
    const base = axes.y + axes.height;
    marks.push({
      area: [
        [x - 3.5, base],
        [x + 3.5, base],
        [x, base - 6],
      ],
      colour: colours.muted,
      inside: true,
    });
  }
  for (const curve of pane.curves)
    marks.push(...curveMarks(curve, pane, px, curve.scale === 'y2' ? py2 : py, axes.width));
  return { width, height, paper: colours.paper, axes, marks };
}

function grid(pane, axes, px, py, py2, colours) {
  /** @type {Mark[]} */
  const marks = [];
  const bottom = axes.y + axes.height;
  const number = (value, step) => (pane.log ? shown(10 ** value) : shown(value, step));
  const stepOf = (ticks) => (ticks.length > 1 ? ticks[1] - ticks[0] : 0);
  const times = ticksOf(pane.x[0], pane.x[1], axes.width / 90);
  for (const tick of times) {
    const x = px(tick);
    marks.push(
      { lines: [[[x, axes.y], [x, bottom]]], colour: colours.grid, width: 1 },
      {
        text: shown(tick, stepOf(times)),
        x,
        y: bottom + 15,
        anchor: 'middle',
        colour: colours.muted,
      },
    );
  }
  const values = ticksOf(pane.y[0], pane.y[1], axes.height / 40, pane.log);
  for (const tick of values) {
    const y = py(tick);
    marks.push(
      { lines: [[[axes.x, y], [axes.x + axes.width, y]]], colour: colours.grid, width: 1 },
      {
        text: number(tick, stepOf(values)),
        x: axes.x - 6,
        y: y + 4,
        anchor: 'end',
        colour: colours.muted,
      },
    );
  }
  const second = pane.y2 ? ticksOf(pane.y2[0], pane.y2[1], axes.height / 40, pane.log) : [];
  for (const tick of second)
    marks.push({
      text: number(tick, stepOf(second)),
      x: axes.x + axes.width + 6,
      y: py2(tick) + 4,
      anchor: 'start',
      colour: colours.muted,
    });
  const middle = axes.y + axes.height / 2;
  const titles = [
    { text: pane.titles[0], x: axes.x + axes.width / 2, y: bottom + 32 },
    { text: pane.titles[1], x: 12, y: middle, upward: true },
    { text: pane.titles[2], x: axes.x + axes.width + 48, y: middle, upward: true },
  ];
  for (const title of titles)
    if (title.text.trim()) marks.push({ ...title, anchor: 'middle', colour: colours.muted });
  return marks;
}

/** Rows of names with pieces of their curves. @returns {[number, Mark[]]} */
function legendOf(pane, width, colours, measure) {
  /** @type {Mark[]} */
  const marks = [];
  let [x, row] = [0, 0];
  for (const curve of pane.curves.filter((one) => one.label)) {
    const room = 30 + measure(curve.label) + 18;
    if (x > 0 && x + room > width) [x, row] = [0, row + 1];
    const [left, y] = [EDGE.left + x, EDGE.top + row * EDGE.legend + 8];
    marks.push(
      {
        lines: [[[left, y], [left + 24, y]]],
        colour: curve.colour,
        width: 2,
        dash: curve.dash,
      },
      { text: curve.label, x: left + 30, y: y + 4, anchor: 'start', colour: colours.text },
    );
    x += room;
  }
  return [marks.length ? row + 1 : 0, marks];
}

function curveMarks(curve, pane, px, py, width) {
  const rows = pane.overTime
    ? rowsToDraw(curve.xs, curve.vs, pane.x[0], pane.x[1], width)
    : curve.xs.keys();
  /** @type {[number, number][][]} */
  const lines = [];
  let line = null;
  const points = [];
  for (const i of rows) {
    const [x, y] = [curve.xs[i], curve.vs[i]];
    if (x == null || y == null) {
      line = null;
      continue;
    }
    const at = /** @type {[number, number]} */ ([px(x), py(y)]);
    points.push(at);
    if (!line) lines.push((line = []));
    line.push(at);
  }
  if (curve.points)
    return points.map(([x, y]) => ({
      lines: [ring(x, y)],
      colour: curve.colour,
      width: 1.2,
      inside: true,
    }));
  return [
    {
      lines,
      colour: curve.colour,
      width: curve.strong ? 1.75 : 1.1,
      dash: isTangled(lines, width) ? [] : curve.dash,
      opacity: curve.strong || curve.own ? 1 : 0.4,
      inside: true,
    },
  ];
}

/** @returns {[number, number][]} */
const ring = (x, y) =>
  Array.from({ length: 13 }, (_one, i) => [
    x + 2.6 * Math.cos((i * Math.PI) / 6),
    y + 2.6 * Math.sin((i * Math.PI) / 6),
  ]);

const xml = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const n = (x) => String(Number(x.toFixed(2)));
const path = (points) => points.map(([x, y], i) => `${i ? 'L' : 'M'}${n(x)} ${n(y)}`).join('');

/** @param {Figure} figure */
export function figureSvg(figure) {
  const { width, height, axes } = figure;
  const one = (mark) => {
    const inside = mark.inside ? ' clip-path="url(#axes)"' : '';
    if (mark.text !== undefined) {
      const turned = mark.upward ? ` transform="rotate(-90 ${n(mark.x)} ${n(mark.y)})"` : '';
      return (
        `<text x="${n(mark.x)}" y="${n(mark.y)}" text-anchor="${mark.anchor}" ` +
        `fill="${mark.colour}"${turned}>${xml(mark.text)}</text>`
      );
    }
    if (mark.area) return `<path d="${path(mark.area)}Z" fill="${mark.colour}"${inside}/>`;
    const dash = mark.dash?.length ? ` stroke-dasharray="${mark.dash.join(' ')}"` : '';
    const faint = mark.opacity !== undefined && mark.opacity < 1;
    const opacity = faint ? ` stroke-opacity="${mark.opacity}"` : '';
    return (
      `<path d="${mark.lines.map(path).join('')}" fill="none" stroke="${mark.colour}" ` +
      `stroke-width="${mark.width}" stroke-linejoin="round"${dash}${opacity}${inside}/>`
    );
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, 'Liberation Sans', ` +
      `sans-serif" font-size="${SIZE}">`,
    `<clipPath id="axes"><rect x="${n(axes.x)}" y="${n(axes.y)}" width="${n(axes.width)}" ` +
      `height="${n(axes.height)}"/></clipPath>`,
    `<rect width="${width}" height="${height}" fill="${figure.paper}"/>`,
    ...figure.marks.map(one),
    '</svg>\n',
  ].join('\n');
}

/** Numbers of a colour, from 0 to 1. @param {string} colour #rgb, #rrggbb or rgb(…) */
export function channels(colour) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour.trim())?.[1];
  if (hex) {
    const wide = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex;
    return [0, 2, 4].map((i) => parseInt(wide.slice(i, i + 2), 16) / 255);
  }
  const parts = colour.match(/[\d.]+/g)?.slice(0, 3).map((c) => Number(c) / 255);
  return parts?.length === 3 ? parts : [0, 0, 0];
}

/** Bytes of the letters of Helvetica (WinAnsi), as octal escapes; others are spelt out. */
function pdfText(text) {
  const spelt = { '−': '-', '–': '-', '∞': 'inf', Ω: 'Ohm', '⁻': '-', '⁰': '0', '∂': 'd', Δ: 'D' };
  return [...text]
    .flatMap((c) => [...(spelt[c] ?? c)])
    .map((c) => {
      const code = c.codePointAt(0) ?? 63;
      if (c === '(' || c === ')' || c === '\\') return `\\${c}`;
      if (code >= 32 && code < 127) return c;
      return code >= 160 && code < 256 ? `\\${code.toString(8)}` : '?';
    })
    .join('');
}

/** @param {Figure} figure @param {(text: string) => number} measure @returns {string} ASCII */
export function figurePdf(figure, measure) {
  const k = 0.75; // points of a pixel
  const at = (x, y) => `${n(x * k)} ${n((figure.height - y) * k)}`;
  const rgb = (colour) => channels(colour).map((c) => n(c)).join(' ');
  const { axes } = figure;
  const corner = at(axes.x, axes.y + axes.height);
  const clip = `${corner} ${n(axes.width * k)} ${n(axes.height * k)} re W n`;
  const text = (mark) => {
    const share = { start: 0, middle: 0.5, end: 1 }[mark.anchor ?? 'start'];
    const back = share * measure(mark.text);
    const turn = mark.upward ? '0 1 -1 0' : '1 0 0 1';
    const place = mark.upward ? at(mark.x, mark.y + back) : at(mark.x - back, mark.y);
    const words = pdfText(mark.text);
    return (
      `BT /F1 ${n(SIZE * k)} Tf ${rgb(mark.colour)} rg ` +
      `${turn} ${place} Tm (${words}) Tj ET`
    );
  };
  const line = (points) => points.map(([x, y], i) => `${at(x, y)} ${i ? 'l' : 'm'}`).join(' ');
  const stroke = (mark) => {
    const dash = (mark.dash ?? []).map((length) => n(length * k)).join(' ');
    const state = mark.opacity !== undefined && mark.opacity < 1 ? '/G1 gs' : '/G0 gs';
    const lines = mark.lines.map(line).join(' ');
    return `${rgb(mark.colour)} RG ${n(mark.width * k)} w [${dash}] 0 d ${state} ${lines} S`;
  };
  const one = (mark) => {
    if (mark.text !== undefined) return text(mark);
    const body = mark.area ? `${rgb(mark.colour)} rg ${line(mark.area)} f` : stroke(mark);
    return mark.inside ? `q ${clip} ${body} Q` : `q ${body} Q`;
  };
  const [width, height] = [n(figure.width * k), n(figure.height * k)];
  const ground = `${rgb(figure.paper)} rg 0 0 ${width} ${height} re f`;
  const content = [ground, ...figure.marks.map(one)].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources ` +
      '<< /Font << /F1 5 0 R >> /ExtGState << /G0 << /CA 1 >> /G1 << /CA 0.4 >> >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((body, i) => {
    const place = file.length;
    file += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const place of places) file += `${String(place).padStart(10, '0')} 00000 n \n`;
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return `${file}startxref\n${table}\n%%EOF\n`;
}
