// The plotted variables: pages of panes, each with its variables, over time or over another
// variable. Each class has its own pages.
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

/** Of data that are dragged: the name of a variable. */
export const VARIABLE_TYPE = 'application/x-kairos-variable';
const CLASSES_MOST = 40; // whose pages are kept

/** @typedef {{title: string, panes: Pane[]}} Page its panes are in `panes` while it is shown */

/** @type {Pane[]} of the shown page */
export const panes = [];
let lastId = 0;
let activeId = 0;
/** @type {{class: string|null}} the class the panes were made for */
const made = { class: null };

/** @type {Page[]} never empty */
export const pages = [{ title: '1', panes: [] }];
let shownPage = 0;
export const pageIndex = () => shownPage;

/** Pages of all classes, without what is passing. @type {Record<string, any>} */
const kept = {};

/** What survives of a pane. @param {Pane} pane */
const plain = ({ names, x, log, right }) => ({
  names: names.filter((name) => !isGone(name)),
  x,
  log,
  right,
});

/** All pages, as they are kept. */
export function pagesState() {
  pages[shownPage].panes = [...panes];
  return {
    pages: pages.map(({ title, panes: list }) => ({ title, panes: list.map(plain) })),
    shown: shownPage,
  };
}

/** Pages of all classes, the present one included. */
export function allPages() {
  keepPages();
  return kept;
}

function keepPages() {
  if (!made.class) return;
  delete kept[made.class]; // the last one is the newest
  if (pages.length > 1 || panes.length) kept[made.class] = pagesState();
  for (const old of Object.keys(kept).slice(0, -CLASSES_MOST)) delete kept[old];
}

/** @param {any} state */
function takePages(state) {
  const list = (state?.pages ?? []).map((page) => ({
    title: String(page.title),
    panes: page.panes.map((pane) => ({ ...pane, id: ++lastId })),
  }));
  pages.splice(0, pages.length, ...(list.length ? list : [{ title: '1', panes: [] }]));
  shownPage = Math.min(Math.max(0, state?.shown ?? 0), pages.length - 1);
  panes.splice(0, panes.length, ...pages[shownPage].panes);
  activeId = panes[0]?.id ?? 0;
}

/** @param {number} index */
export function showPage(index) {
  pages[shownPage].panes = [...panes];
  shownPage = Math.min(Math.max(0, index), pages.length - 1);
  panes.splice(0, panes.length, ...pages[shownPage].panes);
  activeId = panes[0]?.id ?? 0;
  changed();
}

export function addPage() {
  const used = new Set(pages.map((page) => page.title));
  let number = pages.length + 1;
  while (used.has(String(number))) number++;
  pages.push({ title: String(number), panes: [] });
  showPage(pages.length - 1);
}

/** @param {number} index */
export function removePage(index) {
  if (pages.length === 1) return;
  pages[shownPage].panes = [...panes];
  pages.splice(index, 1);
  shownPage = Math.min(shownPage > index ? shownPage - 1 : shownPage, pages.length - 1);
  panes.splice(0, panes.length, ...pages[shownPage].panes);
  changed();
}

/** @param {number} index @param {string} title */
export function renamePage(index, title) {
  pages[index].title = title.trim().slice(0, 40) || pages[index].title;
  changed();
}

/** @type {[number, number]|null} the span of time that all panes show; null: all of it */
let span = null;
export const shownSpan = () => span;

/** @param {[number, number]|null} next */
export function showSpan(next) {
  span = next && next[1] > next[0] ? next : null;
  emit('window', span);
}

export const activePane = () => panes.find((pane) => pane.id === activeId) ?? panes[0] ?? null;
/** What the present model has; null: not known yet. @type {Set<string>|null} */
let known = null;
const has = (/** @type {string} */ name) => known === null || known.has(name);
/** Whether the model lacks a name of a pane, or a variable of a function. @param {string} name */
export const isGone = (name) => !variablesOf(name).every(has);
/** The variables that the panes need. */
export const plottedNames = () => [
  ...new Set(
    panes
      .flatMap((pane) => [...(pane.x ? [pane.x] : []), ...pane.names].flatMap(variablesOf))
      .filter(has),
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

/** Puts a variable into a certain pane; null: a new one. @param {Pane|null} pane */
export function dropVariable(pane, /** @type {string} */ name) {
  if (!pane) return addPane([name]);
  activeId = pane.id;
  if (!pane.names.includes(name)) pane.names.push(name);
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
 * unit. Names with $ belong to the compiler.
 * @param {any[]} variables
 * @returns {string[][]}
 */
export function defaultChoice(variables) {
  const of = (kind) => variables.filter((one) => one.kind === kind && !one.name.includes('$'));
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

/** Empties the pages if the model has nothing of them. Otherwise, legends say what it lacks. */
function dropForeign() {
  pages[shownPage].panes = [...panes];
  const all = pages.flatMap((page) => page.panes);
  for (const pane of all) if (pane.x !== null && isGone(pane.x)) pane.x = null;
  if (all.some((pane) => pane.names.some((name) => !isGone(name)))) return;
  for (const page of pages) page.panes = [];
  panes.length = 0;
}

/**
 * Panes for a model: those it had, the existing ones if they fit, else a default choice.
 * @param {any} model
 */
export function chooseDefaultPanes(model) {
  const names = new Set(['time', ...model.variables.map((variable) => variable.name)]);
  const same = made.class === model.class;
  const all = panes.flatMap((pane) => [...(pane.x ? [pane.x] : []), ...pane.names]);
  const fits = all.length && all.flatMap(variablesOf).every((name) => names.has(name));
  if (fits && (same || !kept[model.class])) {
    made.class = model.class;
    known = names;
    return;
  }
  if (!same) {
    keepPages();
    takePages(kept[model.class]);
    span = null;
  }
  known = names;
  dropForeign();
  made.class = model.class;
  if (!panes.length && pages.length === 1)
    for (const group of defaultChoice(model.variables))
      panes.push({ id: ++lastId, names: group, x: null });
  activeId = panes[0]?.id ?? 0;
  changed();
}

/** @param {any} state of all classes @param {string|null} name of the present one */
export function restorePages(state, name) {
  Object.assign(kept, state ?? {});
  made.class = name;
  if (name && kept[name]) takePages(kept[name]);
  changed();
}
