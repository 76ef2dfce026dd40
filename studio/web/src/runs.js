// The runs: those of this page and those the server still has. The rows of a run arrive while it
// runs. When it has ended, its curves are requested again; the server reduces them without losing
// peaks and jumps.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { withDetail } from './curves.js';
import { afterPause } from './dom.js';
import { latest } from './latest.js';
import { notify } from './notices.js';
import { chooseDefaultPanes, plottedNames, shownSpan } from './panes.js';
import { compile, experiment, session, settings } from './session.js';

const POINTS = 3000;
const WAIT = 3000; // ms a slider's run may take before its rows come one by one

/**
 * @typedef {object} Run
 * @property {string|number} id
 * @property {string} class
 * @property {string} status   running, done, failed, stopped, crashed or limit
 * @property {Record<string, any>} settings
 * @property {boolean} keep    false: a slider's run, which the next one replaces
 * @property {boolean} visible drawn below the present one
 * @property {{name?: string, colour?: string, note?: string, sweep?: number}} about of the user
 * @property {string[]} names  columns that are here, time first
 * @property {(number|null)[][]} columns
 * @property {any} progress
 * @property {string} message
 * @property {any} why
 * @property {any[]} diagnostics
 * @property {any} stats
 * @property {any[]} events    of the event log, those from number `firstEvent` on
 * @property {number} firstEvent
 * @property {number} total    events in all
 * @property {number[]} marks  instants of events in the visible span, as many as pixels can show
 * @property {(number|null)[][]} [coarse] columns over the whole time, as the server reduced them
 * @property {string[]} [full] the names these were asked for
 * @property {boolean} [slow]  a slider's run that outlasted the answer: its rows come one by one
 * @property {number} [rows]   how many rows the run has in truth
 */

/** @type {Run[]} oldest first */
export const runs = [];
/** @type {Run|null} the one that is drawn strongly */
let present = null;

export const presentRun = () => present;
export const isRunning = (/** @type {Run|null} */ run) =>
  run?.status === 'running' || run?.status === 'queued';

/** @param {any} fields @returns {Run} */
function newRun(fields) {
  return {
    class: '',
    status: 'running',
    settings: {},
    keep: true,
    visible: false,
    about: {},
    names: [],
    columns: [],
    progress: null,
    message: '',
    why: null,
    diagnostics: [],
    stats: null,
    events: [],
    firstEvent: 0,
    total: 0,
    marks: [],
    ...fields,
  };
}

const DATA_MOST = 20; // runs that are not drawn, and yet keep their curves and events here

/** Older runs that are not drawn give their data back; the server has it. */
function releaseData() {
  const held = runs.filter(
    (run) => run !== present && run !== reference && !run.visible && !isRunning(run) && run.full,
  );
  for (const run of held.slice(0, -DATA_MOST))
    Object.assign(run, {
      names: [],
      columns: [],
      coarse: undefined,
      full: undefined,
      events: [],
      marks: [],
      scene: undefined,
    });
}

const find = (id) => runs.find((run) => run.id === id);

/**
 * Messages about runs whose number is not known yet, because the answer to the call is pending.
 * @type {Map<string|number, [string, any][]>}
 */
const early = new Map();
const MOST_EARLY = 8;

/** Adds a requested run, with the messages that have already arrived. */
function take(fields) {
  const run = newRun(fields);
  runs.push(run);
  const heard = early.get(run.id) ?? [];
  early.delete(run.id);
  for (const [kind, value] of heard) receive(kind, value);
  return run;
}

function keepForLater(id, kind, value) {
  if (!early.has(id)) early.set(id, []);
  early.get(id)?.push([kind, value]);
  for (const old of early.keys()) if (early.size > MOST_EARLY) early.delete(old);
}

/** What a run is called. @param {Run} run */
export const runName = (run) => run.about.name || `${run.class} #${run.id}`;

/** Keeps what the user wrote about a run. @param {Run} run @param {Run['about']} what */
export function describeRun(run, what) {
  run.about = { ...run.about, ...what };
  if (run.keep) api.describeRun(run.id, run.about).catch(() => {});
  emit('runs');
  emit('rows', run);
}

/** @type {Run|null} all others are drawn as differences from this run */
let reference = null;
export const referenceRun = () => reference;

/** @param {Run|null} run */
export function setReference(run) {
  reference = run;
  for (const one of runs) one.full = undefined;
  emit('runs');
  runs.filter((one) => one === present || one.visible).forEach(fetchColumns);
}

/** @param {Run} run @param {boolean} [compare] the previous one stays visible */
export function showRun(run, compare = true) {
  if (compare && present && present !== run && present.keep) {
    for (const other of runs)
      other.visible =
        (other === present && present.class === run.class) ||
        (other.visible && Boolean(other.about.colour));
  }
  present = run;
  emit('runs');
  fetchColumns(run);
  if (!isRunning(run) && !run.events.length) fetchEvents(run);
  releaseData();
}

/** The set values whose parameters the model still has. */
function validSettings() {
  const names = new Set(
    [...session.model.parameters, ...session.model.starts].map((row) => row.name),
  );
  return Object.fromEntries(Object.entries(settings()).filter(([name]) => names.has(name)));
}

/** The data of a call for a run. */
function request(keep) {
  const { start, stop, intervals, tolerance, solver } = experiment();
  return {
    model: session.model.model,
    settings: validSettings(),
    start,
    stop,
    intervals,
    tolerance,
    solver,
    keep,
    watch: plottedNames(),
    points: POINTS,
  };
}

/** Compiles if necessary and runs. */
export async function startRun() {
  emit('starting', true);
  try {
    const [model] = await Promise.all([compile(), stopRun()]);
    if (!model) return null;
    chooseDefaultPanes(model);
    emit('reveal', 'plots');
    return await keepRun(model);
  } finally {
    emit('starting', false);
  }
}

/** How many runs were requested to be kept; a slider's run from before the last one is late. */
let kept = 0;

async function keepRun(model) {
  kept++;
  const ask = request(true);
  try {
    const { run: id } = await api.run(ask);
    forgetSliderRuns();
    const run = take({ id, class: model.class, settings: ask.settings });
    showRun(run);
    return run;
  } catch (error) {
    if (error.status === 410) session.stale = true;
    notify(
      error.status === 410 ? 'The model is no longer loaded. Run it again.' : error.message,
      'error',
    );
    return null;
  }
}

function forgetSliderRuns() {
  for (const run of runs.filter((one) => !one.keep)) runs.splice(runs.indexOf(run), 1);
}

/**
 * A run of a sweep: with its own values, to its end. Rejects with the server's message.
 * @param {Record<string, any>} values @param {Run['about']} about
 */
export async function sweepRun(values, about) {
  const ask = request(true);
  ask.settings = { ...ask.settings, ...values };
  const answer = await api.run({ ...ask, about, wait: WAIT });
  const run =
    find(answer.run) ??
    take({
      id: answer.run,
      class: session.model.class,
      settings: ask.settings,
      about,
      visible: true,
    });
  if (answer.status && !isRunning(answer)) takeEnd({ ...answer, why: undefined });
  while (isRunning(run)) await new Promise((resolve) => setTimeout(resolve, 30));
  emit('runs');
  await fetchColumns(run);
  return run;
}

/** Follows the sliders: one run at a time, then one with the latest values. */
export const followSlider = () => runSlider(kept);

const runSlider = latest(
  async (/** @type {number} */ since) => {
    const model = await compile();
    if (!model || since !== kept) return null;
    if (!plottedNames().length) chooseDefaultPanes(model);
    const ask = request(false);
    const answer = await api.run({ ...ask, wait: WAIT });
    return { ask, model, answer };
  },
  (result, since) => result && since === kept && takeSliderRun(result),
  (error) => {
    if (error.status === 410) session.stale = true;
    else notify(error.message, 'error');
  },
);

function takeSliderRun({ ask, model, answer }) {
  const old = present && !present.keep ? present : null;
  forgetSliderRuns();
  early.delete(answer.run);
  const run = newRun({
    id: answer.run,
    class: model.class,
    settings: ask.settings,
    keep: false,
    status: answer.status ?? 'running',
    message: answer.message ?? '',
    names: answer.names ?? [],
    columns: answer.columns ?? [],
  });
  runs.push(run);
  if (old) {
    present = run;
    emit('runs');
    emit('rows', run);
  } else showRun(run);
  run.slow = isRunning(run);
  if (!run.slow) emit('ended', run);
}

export async function stopRun() {
  if (present && isRunning(present))
    await api.stop(present.id).catch((error) => notify(error.message, 'error'));
}

/** @param {Run} run */
export async function removeRun(run) {
  await api.removeRun(run.id).catch(() => {});
  forget(run);
}

function forget(run) {
  const index = runs.indexOf(run);
  if (index >= 0) runs.splice(index, 1);
  if (reference === run) setReference(null);
  if (present === run) {
    present = null;
    const last = runs.at(-1);
    if (last) return showRun(last);
  }
  return emit('runs');
}

/** @param {Run} run @param {boolean} visible */
export function setVisible(run, visible) {
  run.visible = visible;
  fetchColumns(run);
  emit('runs');
}

const sameNames = (a, b) => a.length === b.length && a.every((name, i) => name === b[i]);

/** Rows of a run in progress. */
function takeRows({ run: id, names, columns }) {
  const run = find(id);
  if (!run || !isRunning(run)) return;
  if (!names || sameNames(run.names, names))
    run.columns.forEach((column, i) => {
      for (const value of columns[i]) column.push(value);
    });
  else Object.assign(run, { names, columns: columns.map((column) => [...column]) });
  emit('rows', run);
}

/**
 * Requests the curves of a run that has ended. If panes need further names, all names are requested
 * together, so that they share one grid of rows.
 */
async function fetchColumns(run) {
  if (!run) return;
  const wanted = plottedNames();
  if (isRunning(run)) {
    if (wanted.some((name) => !run.names.includes(name))) api.watch(run.id, wanted).catch(() => {});
    return;
  }
  if (!wanted.length || (run.full && wanted.every((name) => run.full.includes(name)))) return;
  try {
    const minus = reference && reference !== run ? reference.id : undefined;
    const data = await api.data(run.id, wanted, POINTS, [], minus);
    if (minus !== (reference && reference !== run ? reference.id : undefined)) return;
    Object.assign(run, {
      names: data.names,
      columns: data.columns,
      coarse: data.columns,
      full: wanted,
      rows: data.rows,
    });
    emit('rows', run);
    fetchDetail(run);
  } catch (error) {
    run.full = wanted; // the server no longer has it; the rows here stay
    if (error.status === 404 && !run.columns.length) forget(run);
  }
}

/**
 * If the server reduced a run, requests the visible span again, with as many rows as pixels need.
 */
async function fetchDetail(run) {
  const span = shownSpan();
  if (!run.coarse?.length || run.rows <= run.coarse[0].length) return;
  if (!span) run.columns = run.coarse;
  else {
    const { names, coarse } = run;
    const minus = reference && reference !== run ? reference.id : undefined;
    const data = await api.data(run.id, run.full, POINTS, span, minus).catch(() => null);
    if (!data || run.coarse !== coarse || shownSpan() !== span) return;
    run.columns = withDetail(
      coarse,
      names.map((name) => data.columns[data.names.indexOf(name)]),
    );
  }
  emit('rows', run);
}

async function fetchEvents(run) {
  const answer = await api.eventLog(run.id, 0, 1000).catch(() => null);
  if (!answer) return;
  Object.assign(run, { events: answer.events, firstEvent: 0, total: answer.total });
  await fetchMarks(run);
  if (run === present) emit('events', run);
}

async function fetchMarks(run) {
  const span = shownSpan();
  const marks = await api.marks(run.id, POINTS, span ?? undefined).catch(() => null);
  if (marks && shownSpan() === span) run.marks = marks;
}

function takeEnd(end) {
  const run = find(end.run);
  if (!run || (!isRunning(run) && !end.why)) return;
  Object.assign(run, {
    status: end.status,
    message: end.message ?? '',
    why: end.why ?? null,
    diagnostics: end.diagnostics ?? [],
    stats: end.stats ?? null,
  });
  emit('ended', run);
}

/** A message of the server. @param {string} kind @param {any} value */
export function receive(kind, value) {
  if (value.run !== undefined && !find(value.run) && kind !== 'gone')
    keepForLater(value.run, kind, value);
  else if (kind === 'rows') takeRows(value);
  else if (kind === 'progress') {
    const run = find(value.run);
    if (run) Object.assign(run, { progress: value });
    if (run && run === present) emit('progress', run);
  } else if (kind === 'run') {
    const run = find(value.run);
    if (run && value.about) run.about = value.about;
  } else if (kind === 'end') takeEnd(value);
  else if (kind === 'gone' && value.run !== undefined) {
    const run = find(value.run);
    if (run && !run.columns.length) forget(run);
  } else if (kind === 'gone' && value.model === session.model?.model) session.stale = true;
}

/** The fate of our runs while the connection was broken. @param {any[]} list */
export function catchUp(list) {
  for (const run of runs.filter(isRunning)) {
    const row = list.find((one) => one.run === run.id);
    if (row && !isRunning(row)) takeEnd(row);
    else if (!row)
      takeEnd({ run: run.id, status: 'stopped', message: 'The studio was restarted.' });
  }
}

/**
 * Runs that the server still has, after a reload.
 * @param {any[]} list
 * @param {{visible?: any[], present?: any}} kept
 */
export function restoreRuns(list, kept) {
  for (const row of list.filter((one) => one.keep !== false)) {
    runs.push(
      newRun({
        id: row.run,
        class: row.class,
        status: row.status,
        settings: row.settings ?? {},
        about: row.about ?? {},
        message: row.message ?? '',
        visible: kept.visible?.includes(row.run) ?? false,
      }),
    );
  }
  const run = runs.find((one) => one.id === kept.present) ?? runs.at(-1);
  if (!run) return;
  present = run;
  emit('runs');
  for (const one of runs.filter((other) => other === run || other.visible)) fetchColumns(one);
  if (!isRunning(run)) fetchEvents(run);
}

export function startRuns() {
  const drawn = () => runs.filter((run) => run === present || run.visible);
  on('panes', () => drawn().forEach(fetchColumns));
  on(
    'window',
    afterPause(120, () => {
      drawn().forEach(fetchDetail);
      const run = present;
      if (run?.total) fetchMarks(run).then(() => emit('rows', run));
    }),
  );
  let timer = 0;
  on('ended', (run) => {
    clearTimeout(timer);
    if (run.keep || run.slow) {
      fetchColumns(run);
      fetchEvents(run);
    } else timer = window.setTimeout(() => fetchEvents(run), 250); // not at each frame of a slider
    emit('runs');
  });
}
