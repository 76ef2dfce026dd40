// The curves of a pane: variables, runs and style. The present run is drawn strongly, visible
// earlier ones faintly beneath it.
import { curveStyle } from './palette.js';
import { panes } from './panes.js';
import { presentRun, runs } from './runs.js';

/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {(number|null)[]} times
 * @property {(number|null)[]} xs      times, or the values of the abscissa
 * @property {(number|null)[]} ys
 * @property {string} colour
 * @property {number[]} dash
 * @property {boolean} strong
 */

/** @param {import('./runs.js').Run} run @param {string} name */
export function columnOf(run, name) {
  const index = run.names.indexOf(name);
  return index < 0 ? null : run.columns[index];
}

/**
 * @param {import('./panes.js').Pane} pane
 * @param {boolean} dark
 * @returns {Curve[]} faint ones first
 */
export function curvesOf(pane, dark) {
  const present = presentRun();
  const drawn = [
    ...runs.filter((run) => run !== present && run.visible && run.class === present?.class),
    ...(present ? [present] : []),
  ];
  const all = [...new Set(panes.flatMap((one) => one.names))];
  /** @type {Curve[]} */
  const curves = [];
  for (const run of drawn) {
    const times = run.columns[0];
    if (!times) continue;
    pane.names.forEach((name, index) => {
      const ys = columnOf(run, name);
      const xs = pane.x === null ? times : columnOf(run, pane.x);
      if (ys && xs)
        curves.push({
          name,
          times: /** @type {any} */ (times),
          xs,
          ys,
          strong: run === present,
          ...curveStyle(all.indexOf(name), index, dark),
        });
    });
  }
  return curves;
}
