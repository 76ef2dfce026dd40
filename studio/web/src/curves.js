// Arithmetic of curves: the value at a time, the span of values, and the points to draw. A row has
// one time; an event has two rows with the same time, before and after. null and NaN are values
// that do not exist.

/**
 * Index of the last row whose time is at most `time`, or -1.
 * @param {number[]} times
 * @param {number} time
 */
export function rowAt(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The value at a time, after an event there; null outside.
 * @param {number[]} times
 * @param {(number|null)[]} values
 * @param {number} time
 */
export function valueAt(times, values, time) {
  const row = rowAt(times, time);
  if (row < 0 || (row === times.length - 1 && time > times[row])) return null;
  const before = values[row];
  const after = values[row + 1];
  if (row === times.length - 1 || before == null || after == null || times[row + 1] === times[row])
    return before ?? null;
  return before + ((after - before) * (time - times[row])) / (times[row + 1] - times[row]);
}

/**
 * Least and greatest of values between two rows.
 * @param {(number|null)[]} values
 * @param {number} first
 * @param {number} last
 * @returns {[number, number]|null}
 */
export function extent(values, first = 0, last = values.length - 1) {
  let least = Infinity;
  let greatest = -Infinity;
  for (let i = first; i <= last; i++) {
    const value = values[i];
    if (value == null || !Number.isFinite(value)) continue;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return least <= greatest ? [least, greatest] : null;
}

/** The span that holds both. @param {[number, number]|null} a @param {[number, number]|null} b */
export function union(a, b) {
  if (!a || !b) return a ?? b;
  return /** @type {[number, number]} */ ([Math.min(a[0], b[0]), Math.max(a[1], b[1])]);
}

/**
 * A little room around; a constant gets room by its own size.
 * @param {[number, number]|null} span
 * @param {number} [share]
 * @returns {[number, number]}
 */
export function padded(span, share = 0.06) {
  if (!span) return [0, 1];
  const [low, high] = span;
  const size = high - low;
  const noise = 1e-12 * Math.max(Math.abs(low), Math.abs(high));
  if (size <= noise) {
    const room = Math.abs(low) > 0 ? Math.abs(low) * 0.1 : 1;
    return [low - room, high + room];
  }
  return [low - share * size, high + share * size];
}

/**
 * Rows of a curve over time that are to be drawn when it is `columns` pixels wide: of each column
 * the first, the extremes and the last, so that no peak and no jump is lost. All rows if there are
 * few.
 * @param {number[]} times @param {(number|null)[]} values @param {number} from @param {number} to
 * @param {number} columns
 * @returns {number[]}
 */
export function rowsToDraw(times, values, from, to, columns) {
  const first = Math.max(0, rowAt(times, from) - 1);
  const last = Math.min(times.length - 1, rowAt(times, to) + 1);
  const rows = [];
  if (last - first < 4 * columns) {
    for (let i = first; i <= last; i++) rows.push(i);
    return rows;
  }
  const width = (to - from) / columns;
  for (let i = first; i <= last;) {
    const end = from + (Math.floor((times[i] - from) / width) + 1) * width;
    let [low, high, j] = [i, i, i];
    for (; j <= last && (times[j] < end || j === i); j++) {
      if ((values[j] ?? NaN) < (values[low] ?? Infinity)) low = j;
      if ((values[j] ?? NaN) > (values[high] ?? -Infinity)) high = j;
    }
    for (const row of [...new Set([i, low, high, j - 1])].sort((a, b) => a - b)) rows.push(row);
    i = j;
  }
  return rows;
}

const TANGLED = 30; // widths of the plot

/**
 * Whether lines are so long that they cover their plot again and again. Dashes would not be seen
 * in them, and take seconds to draw.
 * @param {[number, number][][]} lines of pixels @param {number} width of the plot
 */
export function isTangled(lines, width) {
  let length = 0;
  for (const line of lines)
    for (let i = 1; i < line.length; i++)
      length += Math.hypot(line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1]);
  return length > TANGLED * width;
}

/**
 * Columns (time first), in which those of a shorter span replace their part.
 * @param {(number|null)[][]} coarse @param {(number|null)[][]} detail
 * @returns {(number|null)[][]}
 */
export function withDetail(coarse, detail) {
  const [times, inner] = /** @type {number[][]} */ ([coarse[0], detail[0]]);
  if (!inner?.length) return coarse;
  let before = 0;
  while (before < times.length && times[before] < inner[0]) before++;
  let after = times.length;
  while (after > before && times[after - 1] > inner[inner.length - 1]) after--;
  return coarse.map((column, i) => [
    ...column.slice(0, before),
    ...detail[i],
    ...column.slice(after),
  ]);
}

/** Significant digits that tell a value from its neighbour `step` away. */
export function digitsFor(value, step) {
  if (!value || !(step > 0)) return 1;
  const places = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step));
  return Math.min(15, Math.max(1, places + 2));
}

/**
 * A value for people: six digits, no noise; more if neighbours are so close.
 * @param {number|null|undefined} value
 * @param {number} [step] the distance to the neighbours
 */
export function shown(value, step = 0) {
  const digits = Math.max(6, digitsFor(value, step));
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value).replace('-', '−');
  const text =
    Math.abs(value) >= 1e6 || Math.abs(value) < 1e-4
      ? value.toExponential(digits > 6 ? digits - 1 : 4)
      : String(Number(value.toPrecision(digits)));
  return text.replace(/\.?0+e/, 'e').replaceAll('-', '−');
}
