// Measured values from a file of comma-separated values: the first column is the time, the others
// are named after variables. They are drawn as points, and parameters can be fitted to them.
import { emit } from './bus.js';
import { fromUnit, unitsFor } from './display_units.js';

/**
 * @typedef {object} Measurement
 * @property {string} file
 * @property {string} text as it was read
 * @property {number[]} times
 * @property {Map<string, (number|null)[]>} columns in the units of the model
 * @property {string[]} remarks what is missing or not understood
 */

/** @type {Measurement|null} */
let present = null;
export const measurement = () => present;
export const measuredColumns = () => present;

/** @param {Measurement|null} next */
export function setMeasurement(next) {
  present = next;
  emit('measurement');
  emit('panes');
}

/** Cells of a line; quoted ones may contain commas. @param {string} line */
function cellsOf(line) {
  const cells = [];
  const cell = /\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))\s*(?:[,;\t]|$)/gy;
  for (let found; cell.lastIndex < line.length && (found = cell.exec(line));)
    cells.push(found[1] === undefined ? found[2].trim() : found[1].replaceAll('""', '"'));
  return cells;
}

/**
 * Reads a file. Throws an error with its line if it is no table of numbers.
 * @param {string} file @param {string} text @param {any[]} variables of the model
 * @returns {Measurement}
 */
export function readMeasurement(file, text, variables) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  while (lines.length && !lines[lines.length - 1].trim()) lines.pop();
  const header = cellsOf(lines[0] ?? '');
  if (header.length < 2 || lines.length < 2)
    throw new Error(`${file}: a header with time and one more column, and rows, are expected`);
  if (header[0] !== '' && Number.isFinite(Number(header[0])))
    throw new Error(`${file}, line 1: the first line must name the columns`);
  const known = new Map(variables.map((one) => [one.name, one]));
  /** @type {string[]} */
  const remarks = [];
  const titles = header.map((cell) => /^(.*?)\s*(?:\[([^\]\d][^\]]*)\])?$/.exec(cell) ?? [cell]);
  /** @type {(number|null)[][]} */
  const columns = header.map(() => []);
  let gaps = 0;
  lines.slice(1).forEach((line, i) => {
    const cells = cellsOf(line);
    header.forEach((_name, k) => {
      const cell = cells[k] ?? '';
      const missing = cell === '' || /^nan$/i.test(cell);
      const value = Number(cell);
      if (!missing && !Number.isFinite(value))
        throw new Error(`${file}, line ${i + 2}: “${cell}” is not a number`);
      if (missing && k === 0) throw new Error(`${file}, line ${i + 2}: the time is missing`);
      if (missing) gaps++;
      columns[k].push(missing ? null : value);
    });
    const [before, now] = [columns[0][i - 1], columns[0][i]];
    if (before != null && now !== null && now < before)
      throw new Error(`${file}, line ${i + 2}: the time goes back`);
  });
  if (gaps) remarks.push(`${gaps} values are missing; they are left out`);
  /** @type {Map<string, (number|null)[]>} */
  const measured = new Map();
  titles.forEach(([cell, name, unit], k) => {
    if (k === 0) return;
    const variable = known.get(name ?? cell) ?? known.get(cell);
    if (!variable) return void remarks.push(`the model has no variable “${cell}”`);
    const other = unit && unit !== variable.unit;
    if (other && !unitsFor(variable.unit).includes(unit))
      remarks.push(`the unit ${unit} of ${name} does not fit ${variable.unit || 'no unit'}`);
    measured.set(
      variable.name,
      other
        ? columns[k].map((x) => (x === null ? null : fromUnit(x, variable.unit, unit)))
        : columns[k],
    );
  });
  return { file, text, times: /** @type {number[]} */ (columns[0]), columns: measured, remarks };
}
