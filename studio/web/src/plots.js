// The plots: a column of panes over one span of time, and actions for all of them.
import { api } from './api.js';
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown } from './curves.js';
import { byId, fill, h, icon, inFrame, tool, verbatim } from './dom.js';
import { formulaOf, variablesOf } from './formula.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import { notify } from './notices.js';
import { PaneView } from './pane_view.js';
import {
  activePane,
  addPage,
  addPane,
  dropVariable,
  pageIndex,
  pages,
  panes,
  plottedNames,
  plotVariable,
  removePage,
  renamePage,
  showPage,
  shownSpan,
  showSpan,
  VARIABLE_TYPE,
} from './panes.js';
import { paneFile, saveBlob, sizeOf } from './picture.js';
import { presentRun, referenceRun, runName } from './runs.js';
import { compile, experiment, session } from './session.js';
import { isDark } from './theme.js';

/** @type {Map<number, PaneView>} */
const views = new Map();
const list = h('div', { class: 'panes' });
const empty = h('div', { class: 'empty plots-empty' });

export function createPlots() {
  fill(byId('plots'), toolbar(), pageTabs(), list, empty);
  acceptVariables(byId('plots'));
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
  const other = run && session.class && run.class !== session.class ? say(`of ${run.class}`) : '';
  const base = referenceRun();
  const difference = base ? say(`differences from ${runName(base)}`) : '';
  const span = shownSpan();
  const step = span ? (span[1] - span[0]) / 1000 : 0;
  const at = run && time !== null ? `t = ${shown(time, step)} s` : '';
  return [other, difference, at].filter(Boolean).join(', ');
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
    tool('Add a page of panes', ICONS.page, addPage),
    exportMenu(),
  );
}

/** Variables that are dropped outside of a pane make a new one. @param {HTMLElement} area */
function acceptVariables(area) {
  const paneAt = (event) => event.target.closest?.('.pane') ?? null;
  const mark = (element) => {
    area.querySelectorAll('.drop').forEach((one) => one.classList.remove('drop'));
    element?.classList.add('drop');
  };
  area.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes(VARIABLE_TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    mark(paneAt(event) ?? list);
  });
  area.addEventListener('dragleave', (event) => {
    if (!area.contains(/** @type {any} */ (event.relatedTarget))) mark(null);
  });
  area.addEventListener('drop', (event) => {
    const name = event.dataTransfer?.getData(VARIABLE_TYPE);
    mark(null);
    if (!name) return;
    event.preventDefault();
    const id = Number(paneAt(event)?.dataset.pane);
    dropVariable(panes.find((pane) => pane.id === id) ?? null, name);
  });
}

/** The pages of panes, if there are several. */
function pageTabs() {
  const bar = h('div', { class: 'pages', role: 'tablist', 'aria-label': 'Pages of panes' });
  const name = (index, button) => {
    const field = h('input', { value: pages[index].title, 'aria-label': 'Title of the page' });
    const done = () => renamePage(index, field.value);
    field.addEventListener('blur', done);
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') done();
      if (event.key === 'Escape') write();
      event.stopPropagation();
    });
    button.replaceWith(field);
    field.select();
  };
  const tab = (page, index) => {
    const button = h(
      'button',
      {
        class: 'tab',
        role: 'tab',
        title: 'A double click renames it',
        'aria-selected': String(index === pageIndex()),
        onclick: () => index !== pageIndex() && showPage(index),
        ondblclick: () => name(index, button),
      },
      verbatim(page.title),
    );
    return h(
      'span',
      { class: 'page' },
      button,
      tool(`Close page ${page.title}`, ICONS.close, () => removePage(index)),
    );
  };
  function write() {
    bar.hidden = pages.length < 2;
    fill(bar, pages.map(tab));
  }
  on('panes', write);
  write();
  return bar;
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
      return notify(`${field.value}: ${say(wrong)}`, 'error');
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
  ['h5', 'All data (HDF5)'],
  ['html', 'Report of the model (HTML)'],
];
const PIXELS_MOST = 16000; // of a side: browsers draw no larger canvas

/** The menu of files, with the size of pictures. */
function exportMenu() {
  const size = (label) => h('input', { class: 'short', 'aria-label': label, inputMode: 'numeric' });
  const [width, height] = [size('Width of pictures'), size('Height of pictures')];
  const scale = h('input', { class: 'short', 'aria-label': 'Pixels of PNG', value: '2' });
  const choose = (format) => {
    menu.open = false;
    const number = (field) => Math.round(Number(field.value));
    exportAs(format, {
      width: number(width),
      height: number(height),
      scale: Number(scale.value),
    }).catch((error) => notify(error.message, 'error'));
  };
  // Before the menu opens: its own event comes when a size may have been typed.
  const offerSize = () => {
    const view = views.get(activePane()?.id ?? 0);
    if (menu.open || !view) return;
    const now = sizeOf(view);
    [width.value, height.value] = [String(now.width), String(now.height)];
  };
  const menu = h(
    'details',
    {
      class: 'menu',
      onkeydown: (event) => {
        if (event.key === 'Escape') menu.open = false;
      },
      onfocusout: (event) => {
        if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
      },
    },
    h(
      'summary',
      { class: 'quiet', title: 'Export', 'aria-label': 'Export', onclick: offerSize },
      icon(ICONS.download),
    ),
    h(
      'div',
      { class: 'menu-list' },
      h('div', { class: 'export-size' }, width, ' × ', height, ' px, PNG ×', scale),
      FORMATS.map(([format, title]) =>
        h('button', { dataset: { format }, onclick: () => choose(format) }, title),
      ),
    ),
  );
  return menu;
}

/** @param {string} format @param {{width: number, height: number, scale: number}} size */
async function exportAs(format, size) {
  const [run, pane] = [presentRun(), activePane()];
  if (!run) return notify('There is no run to export yet.');
  if (format === 'html') return exportReport(run);
  if (['png', 'svg', 'pdf'].includes(format)) {
    const view = pane && views.get(pane.id);
    if (!view) return notify('There is no pane to export.');
    const pixels = format === 'png' ? size.scale : 1;
    const sides = [size.width, size.height].map((side) => side * pixels);
    if (!sides.every((side) => side >= 100 && side <= PIXELS_MOST))
      return notify(`A side of a picture has 100 to ${PIXELS_MOST} pixels.`, 'error');
    return saveBlob(await paneFile(view, format, size), `${run.class}.${format}`);
  }
  const names = format === 'csv' ? plottedNames() : [];
  const query = {
    run: run.id,
    format: format === 'csv-all' ? 'csv' : format,
    names: names.length ? names.join(';') : undefined,
  };
  const { file, name } = await api.exportFile(query);
  return saveBlob(file, name ?? `${run.class}.${query.format}`);
}

/** One page for others: description, diagram, plots, events, equations. */
async function exportReport(run) {
  const model = await compile();
  if (!model) return notify('The model has errors; see Problems.', 'error');
  notify('The report is made …');
  const { start, stop, tolerance, solver } = experiment();
  const set = Object.fromEntries(Object.entries(run.settings ?? {}));
  const common = { model: model.model, settings: set, start, stop, tolerance, solver };
  return saveBlob(await api.report(common), `${run.class}.html`);
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
        ? [say('Press'), ' ', h('b', null, say('Run')), ' and the trajectories appear here.']
        : 'Trajectories appear here.',
    ),
  );
}
