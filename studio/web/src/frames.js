// The moving numbers of an animation: rows of a run, and the quantities of a visual read from a
// row. Pure data; mechanism.js draws them.
import { rowAt } from './curves.js';

/** Rows of doubles, time first, in order of time. */
export class Frames {
  constructor() {
    this.width = 0;
    this.count = 0;
    /** rows that the run has on the server */
    this.known = 0;
    /** @type {Float64Array} */
    this.data = new Float64Array(0);
    /** @type {number[]} */
    this.times = [];
  }

  /** @param {ArrayBuffer} buffer an answer of /api/frames */
  append(buffer) {
    const [count, width, known] = new Float64Array(buffer, 0, 3);
    const rows = new Float64Array(buffer, 24, count * width);
    if (this.count && this.width !== width) return;
    const data = new Float64Array(this.data.length + rows.length);
    data.set(this.data);
    data.set(rows, this.data.length);
    for (let i = 0; i < count; i++) this.times.push(rows[i * width]);
    Object.assign(this, { width, known, data, count: this.count + count });
  }

  /** @param {number} i */
  row(i) {
    return this.data.subarray(i * this.width, (i + 1) * this.width);
  }

  /** The row at a time, on a straight line between its neighbours. @param {number} time */
  at(time) {
    const i = Math.max(0, rowAt(this.times, time));
    const before = this.row(i);
    if (i + 1 >= this.count || this.times[i + 1] <= this.times[i] || time <= this.times[i])
      return before;
    const share = (time - this.times[i]) / (this.times[i + 1] - this.times[i]);
    const after = this.row(i + 1);
    return before.map((x, k) => x + share * (after[k] - x));
  }

  get first() {
    return this.times[0] ?? 0;
  }
  get last() {
    return this.times[this.count - 1] ?? 0;
  }
}

/**
 * A function that reads the numbers of a quantity from a row, with `constant` if they do not vary.
 * null if the result lacks one of them.
 * @param {(number|string|null)[]|undefined} list numbers, or columns as "c12"
 * @returns {((row: ArrayLike<number>) => number[]) & {constant?: boolean}|null}
 */
export function reader(list) {
  if (!list || list.some((one) => one === null)) return null;
  const columns = list.map((one) => (typeof one === 'string' ? Number(one.slice(1)) : -1));
  if (columns.every((column) => column < 0))
    return Object.assign(() => /** @type {number[]} */ (list), { constant: true });
  return (row) =>
    columns.map((column, i) => (column < 0 ? /** @type {number} */ (list[i]) : row[column]));
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a) => {
  const size = Math.hypot(...a);
  return size > 0 ? a.map((x) => x / size) : null;
};

/**
 * Directions of length, width and height in the object's frame, right-handed and orthogonal. A
 * width along the length is replaced.
 * @param {number[]} along @param {number[]} across
 */
export function axes(along, across) {
  const x = unit(along) ?? [1, 0, 0];
  const other = Math.abs(x[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1];
  const z = unit(cross(x, across)) ?? /** @type {number[]} */ (unit(cross(x, other)));
  return [x, cross(z, x), z];
}

/**
 * A rotation matrix (nine numbers by rows), made orthogonal again after interpolation.
 * @param {number[]} T
 */
export function rotation(T) {
  const x = unit(T.slice(0, 3)) ?? [1, 0, 0];
  let y = T.slice(3, 6);
  const along = dot(x, y);
  y = unit(y.map((v, i) => v - along * x[i])) ?? axes(x, [0, 1, 0])[1];
  return [x, y, cross(x, y)];
}

/** A vector of the object's frame in the world. @param {number[][]} R @param {number[]} v */
export const toWorld = (R, v) =>
  [0, 1, 2].map((i) => R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2]);
