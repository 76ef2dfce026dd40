// The time that all plots, the event log and the mode timeline show: that of the mouse, otherwise
// that of the placed cursor.
import { emit } from './bus.js';

const cursor = {
  /** @type {number|null} */ hover: null,
  /** @type {number|null} */ placed: null,
  /** @type {number|null} the other end of measurements */ second: null,
};

export const cursorTime = () => cursor.hover ?? cursor.placed;
export const placedTime = () => cursor.placed;
export const secondTime = () => cursor.second;

/** @param {number|null} time */
export function hoverCursor(time) {
  if (cursor.hover === time) return;
  cursor.hover = time;
  emit('cursor');
}

/** @param {number|null} time */
export function placeCursor(time) {
  Object.assign(cursor, { hover: null, placed: time });
  emit('cursor');
}

/** @param {number|null} time */
export function placeSecond(time) {
  cursor.second = time;
  emit('cursor');
}
