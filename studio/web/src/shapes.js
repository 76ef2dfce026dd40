// Graphical items of a class: texts of new ones, and their geometry. Coordinates are those of the
// class, with y upward. A geometry is computed only from numbers that are written as such.

/** @typedef {[number, number]} Point */

/** Items that can be drawn, by the tools that draw them. */
export const SHAPES = ['Line', 'Rectangle', 'Ellipse', 'Polygon', 'Text'];

/** Shapes that are drawn corner by corner; the others by a frame. @param {string} kind */
export const isDrawnByCorners = (kind) => kind === 'Line' || kind === 'Polygon';

const number = (x) => String(Math.round(x * 1e6) / 1e6 || 0);
/** @param {Point[]} points */
export const writtenPoints = (points) =>
  `{${points.map(([x, y]) => `{${number(x)},${number(y)}}`).join(',')}}`;

/** @param {string} text */
export const quoted = (text) => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/**
 * A new item as text of the source.
 * @param {string} kind @param {Point[]} points two corners of a frame, or all corners
 * @param {string} [words] of a text
 */
export function writtenShape(kind, points, words = '') {
  if (kind === 'Polygon' && points.length) points = [...points, points[0]];
  if (isDrawnByCorners(kind)) return `${kind}(points=${writtenPoints(points)})`;
  const [a, b] = points;
  const lo = /** @type {Point} */ ([Math.min(a[0], b[0]), Math.min(a[1], b[1])]);
  const hi = /** @type {Point} */ ([Math.max(a[0], b[0]), Math.max(a[1], b[1])]);
  const extent = `extent=${writtenPoints([lo, hi])}`;
  return kind === 'Text' ? `Text(${extent}, textString=${quoted(words)})` : `${kind}(${extent})`;
}

const NUMBER = '\\s*([-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)\\s*';
const PAIR = new RegExp(`\\{${NUMBER},${NUMBER}\\}`, 'g');

/** Points of literals; null if anything else is written. @param {string|undefined} text */
export function readPoints(text) {
  if (!text || text.replace(PAIR, '').replace(/[\s{},]/g, '')) return null;
  return [...text.matchAll(PAIR)].map(
    (found) => /** @type {Point} */ ([Number(found[1]), Number(found[2])]),
  );
}

/**
 * The corners of an item on the page, which a pointer can take; null if they are computed.
 * @param {{fields: Record<string, string>}} item
 */
export function cornersOfItem({ fields }) {
  const name = fields.points ? 'points' : 'extent';
  const points = readPoints(fields[name]);
  const origin = fields.origin ? readPoints(fields.origin)?.[0] : [0, 0];
  const turn = Number(fields.rotation ?? 0);
  if (!points?.length || !origin || !Number.isFinite(turn)) return null;
  const [c, s] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  /** @param {Point} p @returns {Point} */
  const toPage = ([x, y]) => [origin[0] + c * x - s * y, origin[1] + s * x + c * y];
  /** @param {Point} p @returns {Point} */
  const fromPage = ([x, y]) => {
    const [dx, dy] = [x - origin[0], y - origin[1]];
    return [c * dx + s * dy, c * dy - s * dx];
  };
  return { name, points, toPage, fromPage };
}

/**
 * The field of an item after one of its corners was dragged to a point of the page.
 * @param {any} item @param {number} corner of `points`, or 0 to 3 around an extent
 * @param {Point} to
 * @returns {{name: string, value: string}|null}
 */
export function withCornerAt(item, corner, to) {
  const shape = cornersOfItem(item);
  if (!shape) return null;
  const [x, y] = shape.fromPage(to);
  const points = shape.points.map((p) => /** @type {Point} */ ([...p]));
  if (shape.name === 'points') {
    const last = points.length - 1;
    const closed = last > 0 && points[0].every((v, i) => v === points[last][i]);
    points[corner] = [x, y];
    if (closed && corner === 0) points[last] = [x, y];
  } else {
    points[corner === 1 || corner === 2 ? 1 : 0][0] = x;
    points[corner > 1 ? 1 : 0][1] = y;
  }
  return { name: shape.name, value: writtenPoints(points) };
}

/** Corners on the page that get handles. @param {any} item @returns {Point[]} */
export function handlesOf(item) {
  const shape = cornersOfItem(item);
  if (!shape) return [];
  const [a, b] = shape.points;
  const all =
    shape.name === 'points'
      ? shape.points.slice(0, 60)
      : /** @type {Point[]} */ ([a, [b[0], a[1]], b, [a[0], b[1]]]);
  return all.map(shape.toPage);
}

/**
 * The fields of an item that is turned by quarters around its middle, or mirrored there.
 * @param {any} item @param {{quarters?: number, axis?: 'horizontal'|'vertical'}} how
 * @returns {Record<string, string>|null}
 */
export function turned(item, { quarters = 0, axis }) {
  const { fields, kind } = item;
  const shape = cornersOfItem(item);
  if (!shape) return null;
  const present = Number(fields.rotation ?? 0);
  if (quarters && (fields.origin || fields.rotation))
    return fields.origin ? { rotation: number(present + 90 * quarters) } : null;
  if (axis && fields.rotation) return null;
  const xs = shape.points.map((p) => p[0]);
  const ys = shape.points.map((p) => p[1]);
  const middle = [
    (Math.min(...xs) + Math.max(...xs)) / 2,
    (Math.min(...ys) + Math.max(...ys)) / 2,
  ];
  const by = (sign) => ([x, y]) =>
    /** @type {Point} */ ([x + sign * middle[0], y + sign * middle[1]]);
  const around = shape.points.map(by(-1));
  if (quarters && (kind === 'Text' || kind === 'Bitmap'))
    return {
      extent: writtenPoints(around),
      origin: writtenPoints([/** @type {Point} */ (middle)]).slice(1, -1),
      rotation: number(90 * quarters),
    };
  const turn = ([x, y]) => (quarters > 0 ? [-y, x] : [y, -x]);
  const flip = ([x, y]) => (axis === 'horizontal' ? [-x, y] : [x, -y]);
  const moved = around.map(/** @type {any} */ (quarters ? turn : flip));
  return { [shape.name]: writtenPoints(moved.map(by(1))) };
}

/** "#rrggbb" of {r,g,b}; null if it is computed. @param {string|undefined} text */
export function colourOf(text) {
  if (!text) return '#000000';
  const found = /^\s*\{\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\}\s*$/.exec(text);
  const parts = found?.slice(1).map(Number);
  if (!parts || parts.some((x) => x > 255)) return null;
  return `#${parts.map((x) => x.toString(16).padStart(2, '0')).join('')}`;
}

/** {r,g,b} of "#rrggbb". @param {string} colour */
export const writtenColour = (colour) =>
  `{${[1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)).join(',')}}`;
