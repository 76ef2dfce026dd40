// A small chart as SVG: lines and points over two axes, or bars.
import { padded, shown, union, extent } from './curves.js';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT] = [360, 190];
const EDGE = { left: 58, right: 12, top: 10, bottom: 34 };

function part(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/** About four round numbers in a span. @param {number} low @param {number} high */
export function ticksIn(low, high) {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough) ?? rough;
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12); k++)
    ticks.push(Number((k * step).toPrecision(12)));
  return ticks;
}

/**
 * @param {{x: string, y: string, series: {xs: number[], ys: (number|null)[], colour: string,
 * points?: boolean, name?: string}[], bars?: boolean, label: string}} what
 */
export function smallChart(what) {
  const svg = part('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: 'small-chart',
    role: 'img',
    'aria-label': what.label,
  });
  let [x, y] = /** @type {any[]} */ ([null, what.bars ? [0, 0] : null]);
  for (const { xs, ys } of what.series) [x, y] = [union(x, extent(xs)), union(y, extent(ys))];
  const [left, right] = padded(x, what.bars ? 0.1 : 0.03);
  const [low, high] = padded(y, 0.08);
  const bottom = what.bars ? 0 : low;
  const place = (value, a, b, from, to) => from + ((value - a) / (b - a)) * (to - from);
  const px = (value) => place(value, left, right, EDGE.left, WIDTH - EDGE.right);
  const py = (value) => place(value, bottom, high, HEIGHT - EDGE.bottom, EDGE.top);
  for (const tick of ticksIn(left, right)) {
    svg.append(
      part('line', {
        x1: px(tick),
        x2: px(tick),
        y1: EDGE.top,
        y2: HEIGHT - EDGE.bottom,
        class: 'chart-grid',
      }),
      part('text', { x: px(tick), y: HEIGHT - 20, 'text-anchor': 'middle' }, shown(tick)),
    );
  }
  for (const tick of ticksIn(bottom, high))
    svg.append(
      part('line', {
        x1: EDGE.left,
        x2: WIDTH - EDGE.right,
        y1: py(tick),
        y2: py(tick),
        class: 'chart-grid',
      }),
      part('text', { x: EDGE.left - 5, y: py(tick) + 4, 'text-anchor': 'end' }, shown(tick)),
    );
  svg.append(
    part('text', { x: (EDGE.left + WIDTH) / 2, y: HEIGHT - 5, 'text-anchor': 'middle' }, what.x),
    part('text', { transform: 'translate(11 90) rotate(-90)', 'text-anchor': 'middle' }, what.y),
  );
  for (const one of what.series)
    svg.append(...(what.bars ? bars(one, px, py) : line(one, px, py)));
  return svg;
}

function bars({ xs, ys, colour }, px, py) {
  const width = xs.length > 1 ? px(xs[1]) - px(xs[0]) : 20;
  return xs.map((x, i) =>
    part('rect', {
      x: px(x) - width / 2 + 0.5,
      width: Math.max(1, width - 1),
      y: py(ys[i]),
      height: Math.max(0, py(0) - py(ys[i])),
      fill: colour,
      'data-count': ys[i],
    }),
  );
}

function line({ xs, ys, colour, points = false }, px, py) {
  let pen = 'M';
  let path = '';
  xs.forEach((x, i) => {
    if (ys[i] == null || !Number.isFinite(ys[i])) pen = 'M';
    else {
      path += `${pen}${px(x).toFixed(2)} ${py(ys[i]).toFixed(2)}`;
      pen = 'L';
    }
  });
  const drawn = [part('path', { d: path, stroke: colour, fill: 'none', 'stroke-width': 1.6 })];
  if (points)
    xs.forEach((x, i) => {
      if (ys[i] != null)
        drawn.push(part('circle', { cx: px(x), cy: py(ys[i]), r: 2.4, fill: colour }));
    });
  return drawn;
}

/**
 * Counts of values in equal classes; their number by the square root of how many there are.
 * @param {number[]} values
 */
export function histogram(values) {
  const span = extent(values) ?? [0, 1];
  const [low, high] = span[1] > span[0] ? span : [span[0] - 0.5, span[0] + 0.5];
  const n = Math.max(1, Math.min(40, Math.ceil(Math.sqrt(values.length))));
  const counts = new Array(n).fill(0);
  for (const value of values)
    counts[Math.min(n - 1, Math.floor(((value - low) / (high - low)) * n))]++;
  return { xs: counts.map((_c, i) => low + ((i + 0.5) / n) * (high - low)), ys: counts };
}
