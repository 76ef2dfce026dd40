// The time that all plots, the event log and the mode timeline point at: where the mouse is, else
// where it was placed.
import { emit } from './bus.js';

const cursor = { /** @type {number|null} */ hover: null, /** @type {number|null} */ placed: null };

export const cursorTime = () => cursor.hover ?? cursor.placed;
export const placedTime = () => cursor.placed;

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
