// The curves of a pane: variables, runs and style. The present run is drawn strongly, visible
// earlier ones faintly beneath it.
import { formulaColumn, isFormula } from './formula.js';
import { curveStyle } from './palette.js';
import { panes } from './panes.js';
import { measuredColumns } from './measurement.js';
import { presentRun, referenceRun, runs } from './runs.js';

/**
 * @typedef {object} Curve
 * @property {string} name
 * @property {(number|null)[]} times
 * @property {(number|null)[]} xs      times, or the values of the abscissa
 * @property {(number|null)[]} ys
 * @property {(number|null)[]} vs      ys as they are drawn: logarithms, if the pane has them
 * @property {string} scale            y, or y2 on the right
 * @property {string} colour
 * @property {number[]} dash
 * @property {boolean} strong
 * @property {boolean} [points] measured values: drawn as points
 * @property {any} [run]
 */

/**
 * Values of functions, as long as the columns of their run stay.
 * @type {WeakMap<any, Map<string, (number|null)[]|null>>}
 */
const computed = new WeakMap();

function computedColumn(run, name) {
  const times = run.columns[0];
  if (!computed.has(times)) computed.set(times, new Map());
  const kept = computed.get(times);
  const key = `${times.length} ${name}`; // rows arrive while a run goes on
  if (!kept?.has(key))
    kept?.set(
      key,
      formulaColumn(name, (one) => columnOf(run, one), times.length),
    );
  return kept?.get(key) ?? null;
}

/** @param {import('./runs.js').Run} run @param {string} name */
export function columnOf(run, name) {
  if (isFormula(name)) return run.columns.length ? computedColumn(run, name) : null;
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
  ].filter((run) => run !== referenceRun());
  const all = [...new Set(panes.flatMap((one) => one.names))];
  const vertical = (ys) =>
    pane.log ? ys.map((y) => (y !== null && y > 0 ? Math.log10(y) : null)) : ys;
  /** @type {Curve[]} */
  const curves = [];
  for (const run of drawn) {
    const times = run.columns[0];
    if (!times) continue;
    pane.names.forEach((name, index) => {
      const ys = columnOf(run, name);
      const xs = pane.x === null ? times : columnOf(run, pane.x);
      const style = curveStyle(all.indexOf(name), index, dark);
      if (ys && xs)
        curves.push({
          name,
          times: /** @type {any} */ (times),
          xs,
          ys,
          vs: vertical(ys),
          scale: pane.right?.includes(name) ? 'y2' : 'y',
          strong: run === present,
          run,
          ...style,
          ...(run.about.colour ? { colour: run.about.colour } : {}),
        });
    });
  }
  return referenceRun() ? curves : [...curves, ...measuredCurves(pane, all, dark, vertical)];
}

/** Measured values of the pane's variables, over time. @returns {Curve[]} */
function measuredCurves(pane, all, dark, vertical) {
  const measured = pane.x === null ? measuredColumns() : null;
  if (!measured) return [];
  return pane.names.flatMap((name, index) => {
    const ys = measured.columns.get(name);
    if (!ys) return [];
    return [
      {
        name,
        times: measured.times,
        xs: measured.times,
        ys,
        vs: vertical(ys),
        scale: pane.right?.includes(name) ? 'y2' : 'y',
        strong: false,
        points: true,
        ...curveStyle(all.indexOf(name), index, dark),
      },
    ];
  });
}
