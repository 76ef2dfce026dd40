// Zooming and panning a drawing by its view box { x, y, w, h }.

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * Zooms by `factor` (below 1: closer) around a point given as shares of the box.
 * @param {Box} box
 * @param {number} factor
 * @param {number} [px]
 * @param {number} [py]
 * @returns {Box}
 */
export function zoomed(box, factor, px = 0.5, py = 0.5) {
  const [w, h] = [box.w * factor, box.h * factor];
  return { x: box.x + (box.w - w) * px, y: box.y + (box.h - h) * py, w, h };
}

/**
 * Moves by shares of the box.
 * @param {Box} box
 * @param {number} dx
 * @param {number} dy
 * @returns {Box}
 */
export function panned(box, dx, dy) {
  return { ...box, x: box.x + dx * box.w, y: box.y + dy * box.h };
}

/** Between a hundredth and ten times the whole. @param {Box} box @param {Box} whole */
export function sensible(box, whole) {
  const share = box.w / whole.w;
  return share > 0.01 && share < 10 ? box : null;
}

/** @param {string|null} text @returns {Box|null} */
export function parseBox(text) {
  const numbers = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (
    numbers.length !== 4 ||
    numbers.some((n) => !Number.isFinite(n)) ||
    numbers[2] <= 0 ||
    numbers[3] <= 0
  )
    return null;
  const [x, y, w, h] = numbers;
  return { x, y, w, h };
}

/**
 * The box made as wide or high as a window of that shape, so that pixels and box agree.
 * @param {Box} box
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
export function fitted(box, width, height) {
  const want = width / Math.max(1, height);
  if (box.w / box.h < want) {
    const w = box.h * want;
    return { x: box.x - (w - box.w) / 2, y: box.y, w, h: box.h };
  }
  const h = box.w / want;
  return { x: box.x, y: box.y - (h - box.h) / 2, w: box.w, h };
}
