// The plotted variables: a list of panes, each with its variables, over time or over another
// variable.
import { emit } from './bus.js';
import { variablesOf } from './formula.js';

/**
 * @typedef {object} Pane
 * @property {number} id
 * @property {string[]} names variables, and functions of them (formula.js)
 * @property {string|null} x  the abscissa; null: time
 * @property {boolean} [log]  the ordinate is logarithmic
 * @property {string[]} [right] those of the names that have the axis on the right
 * @property {{x: [number, number]|null, y: [number, number]|null}} [zoom] null: everything
 * @property {boolean} [full] it hides the others
 */

/** @type {Pane[]} */
export const panes = [];
let lastId = 0;
let activeId = 0;
/** @type {{class: string|null}} the class the panes were made for */
const made = { class: null };

/** @type {[number, number]|null} the span of time that all panes show; null: all of it */
let span = null;
export const shownSpan = () => span;

/** @param {[number, number]|null} next */
export function showSpan(next) {
  span = next && next[1] > next[0] ? next : null;
  emit('window', span);
}

export const activePane = () => panes.find((pane) => pane.id === activeId) ?? panes[0] ?? null;
export const plottedNames = () => [
  ...new Set(
    panes.flatMap((pane) => [...(pane.x ? [pane.x] : []), ...pane.names].flatMap(variablesOf)),
  ),
];
export const isPlotted = (/** @type {string} */ name) =>
  panes.some((pane) => pane.names.includes(name));

function changed() {
  emit('panes');
  emit('layout');
}

/** @param {string[]} names @param {string|null} [x] */
export function addPane(names, x = null) {
  const pane = { id: ++lastId, names: [...names], x };
  panes.push(pane);
  activeId = pane.id;
  changed();
  return pane;
}

/** @param {Pane} pane */
export function activatePane(pane) {
  if (activeId === pane.id) return;
  activeId = pane.id;
  emit('active-pane', pane);
}

/** @param {Pane} pane */
export function removePane(pane) {
  panes.splice(panes.indexOf(pane), 1);
  changed();
}

/** Puts a variable into a pane or takes it out of all. @param {string} name @param {boolean} on */
export function plotVariable(name, on) {
  if (on) {
    const pane = activePane();
    if (pane) pane.names.push(name);
    else return addPane([name]);
  } else for (const pane of panes) pane.names = pane.names.filter((other) => other !== name);
  return changed();
}

/** @param {Pane} pane @param {string} name */
export function removeFromPane(pane, name) {
  pane.names = pane.names.filter((other) => other !== name);
  changed();
}

/** @param {Pane} pane @param {string|null} x */
export function setAbscissa(pane, x) {
  pane.x = x;
  pane.names = pane.names.filter((name) => name !== x);
  changed();
}

/** Changes how a pane is drawn. @param {Pane} pane @param {Partial<Pane>} what */
export function changePane(pane, what) {
  Object.assign(pane, what);
  changed();
}

/** Puts a name on the other axis. @param {Pane} pane @param {string} name */
export function changeSide(pane, name) {
  const right = pane.right ?? [];
  const there = right.includes(name);
  changePane(pane, {
    right: there ? right.filter((other) => other !== name) : [...right, name],
    zoom: undefined,
  });
}

/**
 * The variables to show first: the states, otherwise discrete variables, otherwise the rest; by
 * unit.
 * @param {any[]} variables
 * @returns {string[][]}
 */
export function defaultChoice(variables) {
  const of = (kind) => variables.filter((variable) => variable.kind === kind);
  const chosen = [of('state'), of('discrete'), of('algebraic')].find((list) => list.length) ?? [];
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const variable of chosen) {
    const unit = variable.display_unit || variable.unit || '';
    if (!groups.has(unit) && groups.size < 4) groups.set(unit, []);
    const group = groups.get(unit);
    if (group && group.length < 4) group.push(variable.name);
  }
  return [...groups.values()];
}

/** Removes variables that the model lacks, and empty panes. @param {Set<string>} names */
function prune(names) {
  for (const pane of panes) {
    pane.names = pane.names.filter((name) => variablesOf(name).every((one) => names.has(one)));
    if (pane.x !== null && !names.has(pane.x)) pane.x = null;
  }
  panes.splice(0, panes.length, ...panes.filter((pane) => pane.names.length));
}

/** Panes for a model: the existing ones if they fit, else a default choice. @param {any} model */
export function chooseDefaultPanes(model) {
  const names = new Set(model.variables.map((variable) => variable.name));
  const all = plottedNames();
  if (all.length && all.every((name) => names.has(name))) {
    made.class = model.class;
    return;
  }
  if (made.class === model.class) prune(names);
  else panes.splice(0, panes.length);
  made.class = model.class;
  span = null;
  if (!panes.length)
    for (const group of defaultChoice(model.variables))
      panes.push({ id: ++lastId, names: group, x: null });
  activeId = panes[0]?.id ?? 0;
  changed();
}

/** @param {any[]} kept @param {string|null} name */
export function restorePanes(kept, name) {
  for (const pane of kept) panes.push({ ...pane, id: ++lastId });
  activeId = panes[0]?.id ?? 0;
  made.class = name;
  changed();
}
