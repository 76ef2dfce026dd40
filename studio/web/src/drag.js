// Geometry of drawing by hand, in coordinates of the class: y points upward.

/** @typedef {[number, number]} Point */

export const GRID = 2;

/** The nearest point of the grid. @param {number} x @param {number} [grid] */
export const snap = (x, grid = GRID) => Math.round(x / grid) * grid;

/**
 * A line with right angles from a point to the pointer, for the time of a drag.
 * @param {Point} from @param {Point} to
 * @returns {Point[]}
 */
export function elbow(from, to) {
  const level = Math.abs(to[0] - from[0]) >= Math.abs(to[1] - from[1]);
  return [from, level ? [to[0], from[1]] : [from[0], to[1]], to];
}

/**
 * The line after one of its pieces was dragged; pieces at the ends get a new corner, so that the
 * ends stay.
 * @param {Point[]} points @param {number} piece from points[piece] to points[piece + 1]
 * @param {Point} by
 * @returns {Point[]}
 */
export function bend(points, piece, by) {
  const line = points.map((p) => /** @type {Point} */ ([...p]));
  let at = piece;
  const level = Math.abs(line[at][1] - line[at + 1][1]) < Math.abs(line[at][0] - line[at + 1][0]);
  if (at === 0) {
    line.unshift([...line[0]]);
    at++;
  }
  if (at + 2 === line.length) line.push([...line[at + 1]]);
  const axis = level ? 1 : 0;
  line[at][axis] = snap(line[at][axis] + by[axis]);
  line[at + 1][axis] = snap(line[at + 1][axis] + by[axis]);
  return simplified(line);
}

/** Without corners that do not turn. @param {Point[]} line @returns {Point[]} */
export function simplified(line) {
  const same = (a, b) => Math.abs(a - b) < 1e-6;
  return line.filter((p, i) => {
    if (i === 0 || i + 1 === line.length) return true;
    const [a, b] = [line[i - 1], line[i + 1]];
    const flat = same(a[0], p[0]) && same(p[0], b[0]);
    const level = same(a[1], p[1]) && same(p[1], b[1]);
    return !flat && !level && !(same(a[0], p[0]) && same(a[1], p[1]));
  });
}

/** The piece of a line that is nearest to a point. @param {Point[]} line @param {Point} p */
export function nearestPiece(line, p) {
  let [best, least] = [0, Infinity];
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i], line[i + 1]];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = dx * dx + dy * dy;
    const t = length
      ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
      : 0;
    const away = Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
    if (away < least) [best, least] = [i, away];
  }
  return best;
}

/** The corners of a drawn line. @param {string} path of moves and lines @returns {Point[]} */
export function cornersOf(path) {
  const numbers = (path.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  /** @type {Point[]} */
  const points = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) points.push([numbers[i], -numbers[i + 1]]);
  return points;
}
