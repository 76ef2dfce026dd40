// The plots: a column of panes over one span of time, and actions for all of them.
import { api } from './api.js';
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown } from './curves.js';
import { byId, fill, h, icon, inFrame, tool } from './dom.js';
import { formulaOf, isFormula, variablesOf } from './formula.js';
import { ICONS } from './icons.js';
import { notify } from './notices.js';
import { PaneView } from './pane_view.js';
import {
  activePane,
  addPane,
  panes,
  plottedNames,
  plotVariable,
  shownSpan,
  showSpan,
} from './panes.js';
import { saveBlob, paneImage } from './picture.js';
import { presentRun, runs } from './runs.js';
import { session } from './session.js';
import { isDark } from './theme.js';

/** @type {Map<number, PaneView>} */
const views = new Map();
const list = h('div', { class: 'panes' });
const empty = h('div', { class: 'empty plots-empty' });

export function createPlots() {
  fill(byId('plots'), toolbar(), list, empty);
  on('panes', arrange);
  on('rows runs theme window events', redraw);
  on('model', redraw);
  on('cursor', () => views.forEach((view) => view.moveCursor()));
  on('active-pane', markActive);
  on('slider', (/** @type {boolean} */ moving) => views.forEach((view) => view.hold(moving)));
  on('runs model class', writeEmpty);
  new ResizeObserver(measure).observe(list);
  writeEmpty();
}

/** Of another model than the chosen one, and the time of the cursor. */
function describe() {
  const [run, time] = [presentRun(), cursorTime()];
  const other = run && session.class && run.class !== session.class ? `of ${run.class}` : '';
  const at = run && time !== null ? `t = ${shown(Number(time.toPrecision(7)))} s` : '';
  return [other, at].filter(Boolean).join(', ');
}

function toolbar() {
  const about = h('span', { class: 'muted plots-about', 'aria-live': 'off' });
  const write = inFrame(() => {
    about.textContent = describe();
  });
  on('cursor runs class', write);
  return h(
    'div',
    { class: 'toolbar' },
    h('h2', null, 'Plots'),
    about,
    h('span', { class: 'grow' }),
    formulaField(),
    tool('Show the whole time (0)', ICONS.fit, () => showSpan(null)),
    tool('Add a pane', ICONS.plus, () => addPane([])),
    tool('Add a phase plane', ICONS.phase, addPhasePlane),
    exportMenu(),
  );
}

/** A function of variables for the active pane. */
function formulaField() {
  const field = h('input', {
    class: 'formula',
    placeholder: 'a function: L.i*L.v',
    'aria-label': 'Function of variables',
    title: 'A function of variables, such as L.i*L.v; Enter draws it',
    onkeydown: (event) => event.key === 'Enter' && add(),
    oninput: () => field.removeAttribute('aria-invalid'),
  });
  function add() {
    const name = `= ${field.value.trim().replace(/^=/, '').trim()}`;
    const formula = formulaOf(name);
    const known = new Set(['time', ...(session.model?.variables ?? []).map((one) => one.name)]);
    const missing = variablesOf(name).find((one) => !known.has(one));
    const wrong =
      formula.error ?? (missing !== undefined ? `the model has no variable “${missing}”` : null);
    if (wrong) {
      field.setAttribute('aria-invalid', 'true');
      return notify(`${field.value}: ${wrong}`, 'error');
    }
    field.value = '';
    return plotVariable(name, true);
  }
  return field;
}

/** Two states against each other. */
function addPhasePlane() {
  const states = (session.model?.variables ?? [])
    .filter((one) => one.kind === 'state')
    .map((one) => one.name);
  const [x, y] = states.length > 1 ? states : plottedNames();
  if (!y) return notify('A phase plane needs two variables; run a model that has them.');
  return addPane([y], x);
}

const FORMATS = [
  ['png', 'Picture of this pane (PNG)'],
  ['svg', 'Picture of this pane (SVG)'],
  ['pdf', 'Picture of this pane (PDF)'],
  ['csv', 'Data of the plots (CSV)'],
  ['csv-all', 'All data (CSV)'],
  ['mat', 'All data (MAT)'],
];

function exportMenu() {
  const choose = (format) => {
    menu.open = false;
    exportAs(format);
  };
  const menu = h(
    'details',
    {
      class: 'menu',
      onkeydown: (event) => {
        if (event.key === 'Escape') menu.open = false;
      },
      onfocusout: (event) => {
        if (!menu.contains(event.relatedTarget)) menu.open = false;
      },
    },
    h('summary', { class: 'quiet', title: 'Export', 'aria-label': 'Export' }, icon(ICONS.download)),
    h(
      'div',
      { class: 'menu-list' },
      FORMATS.map(([format, title]) =>
        h('button', { dataset: { format }, onclick: () => choose(format) }, title),
      ),
    ),
  );
  return menu;
}

/** @param {string} format */
async function exportAs(format) {
  const [run, pane] = [presentRun(), activePane()];
  if (!run) return notify('There is no run to export yet.');
  if (format === 'png' && pane)
    return saveBlob(await paneImage(/** @type {any} */ (views.get(pane.id))), `${run.class}.png`);
  const picture = format === 'svg' || format === 'pdf';
  const plain = pane?.names.filter((name) => !isFormula(name));
  const names = picture ? plain : format === 'csv' ? plottedNames() : [];
  if (picture && !plain?.length) return notify('Functions can only be exported as PNG.');
  const overlay = runs
    .filter((one) => one !== run && one.visible && one.class === run.class)
    .map((one) => one.id);
  const [from, to] = (picture && shownSpan()) || [];
  const query = {
    run: run.id,
    format: format === 'csv-all' ? 'csv' : format,
    names: names?.length ? names.join(';') : undefined,
    from,
    to,
    x: picture ? pane?.x : undefined,
    overlay: picture && overlay.length ? overlay.join(',') : undefined,
  };
  const link = h('a', { href: api.exportAddress(query), download: '' });
  document.body.append(link);
  link.click();
  return link.remove();
}

/** A view for each pane, in order. */
function arrange() {
  for (const [id, view] of views) {
    if (panes.some((pane) => pane.id === id)) continue;
    view.element.remove();
    views.delete(id);
  }
  for (const pane of panes) {
    if (!views.has(pane.id)) views.set(pane.id, new PaneView(pane));
    list.append(/** @type {PaneView} */ (views.get(pane.id)).element);
  }
  const last = panes.findLast((pane) => pane.x === null);
  views.forEach((view, id) => {
    view.isLast = id === last?.id;
  });
  markActive();
  measure();
  redraw();
  writeEmpty();
}

function redraw() {
  views.forEach((view) => view.redraw());
}

function markActive() {
  const active = activePane();
  views.forEach((view, id) =>
    view.element.classList.toggle('active', id === active?.id && views.size > 1),
  );
}

function measure() {
  list.classList.toggle('scrolls', list.scrollHeight > list.clientHeight + 2);
}

function writeEmpty() {
  const quiet = panes.length > 0;
  empty.hidden = quiet;
  list.hidden = !quiet;
  if (quiet) return;
  fill(
    empty,
    h('div', { class: 'empty-drawing', dataset: { dark: isDark() } }),
    h(
      'p',
      null,
      session.class
        ? ['Press ', h('b', null, 'Run'), ' and the trajectories appear here.']
        : 'Trajectories appear here.',
    ),
  );
}
