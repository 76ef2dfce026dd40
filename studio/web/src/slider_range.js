// The slider of a parameter: its ends and its step; the typed text as its value.
import { numberOf } from './number_text.js';

const finite = (value) =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e30;

/** The power of ten at or below. @param {number} size */
const decade = (size) => 10 ** Math.floor(Math.log10(size));

/**
 * The declared limits if they exist. Otherwise from zero to twice the value, so that the value is
 * in the middle.
 * @param {{value: any, min?: number|null, max?: number|null, type: string}} parameter
 * @returns {{min: number, max: number, step: number}|null} null if a slider makes no sense
 */
export function sliderRange({ value, min, max, type }) {
  if (type !== 'Real' && type !== 'Integer') return null;
  if (!finite(value)) return null;
  const size = Math.abs(value) || 1;
  let low = finite(min) ? Number(min) : value > 0 ? 0 : value < 0 ? 2 * value : -1;
  let high = finite(max) ? Number(max) : value > 0 ? 2 * value : value < 0 ? 0 : 1;
  if (finite(min) && !finite(max)) high = Math.max(high, low + 2 * size);
  if (finite(max) && !finite(min)) low = Math.min(low, high - 2 * size);
  if (type === 'Integer') {
    [low, high] = [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
    return { min: low, max: high, step: 1 };
  }
  if (!(high > low)) return null;
  return { min: low, max: high, step: decade(high - low) / 500 };
}

/**
 * The typed text as a value of the parameter's type, or undefined if it is not one.
 * @param {string} text @param {string} type
 */
export function parseValue(text, type) {
  const trimmed = text
    .trim()
    .replace('−', '-')
    .replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (type === 'String') return text;
  if (type === 'Boolean')
    return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined;
  if (type === 'Enumeration') return trimmed || undefined;
  const value = numberOf(trimmed);
  if (!Number.isFinite(value) || (type === 'Integer' && !Number.isInteger(value))) return undefined;
  return value;
}
