// The bar at the top: model, stop time, run and stop, progress, theme, help.
import { emit, on } from './bus.js';
import { activeDocument } from './documents.js';
import { shown } from './curves.js';
import { byId, fill, h, icon } from './dom.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import { showSpan } from './panes.js';
import { eta } from './progress_text.js';
import { isRunning, presentRun, startRun, stopRun } from './runs.js';
import { refuse } from './refusal.js';
import { chooseClass, experiment, session } from './session.js';
import { showHelp } from './help.js';
import { parseValue } from './slider_range.js';
import { chooseTheme, themeChoice } from './theme.js';

/** Classes that could be run: those of the active file, and the one that is chosen. */
function choices() {
  const names = (activeDocument()?.answer?.classes ?? [])
    .filter((row) => row.model !== false)
    .map((row) => row.name);
  return [...new Set([...(session.class ? [session.class] : []), ...names])];
}

/**
 * The last part of a name, if that distinguishes it from the others.
 * @param {string} name
 * @param {string[]} all
 */
function shortened(name, all) {
  const last = (one) => one.split('.').at(-1);
  return all.filter((one) => last(one) === last(name)).length === 1 ? last(name) : name;
}

function classChoice() {
  const select = h('select', {
    id: 'class',
    class: 'class-choice',
    'aria-label': 'Model to run',
    title: 'Model to run',
    onchange: () => chooseClass(select.value, activeDocument()?.path ?? session.path, true),
  });
  const write = () => {
    const names = choices();
    fill(
      select,
      names.length
        ? names.map((name) =>
            h(
              'option',
              { value: name, selected: name === session.class, title: name },
              shortened(name, names),
            ),
          )
        : h('option', { value: '' }, 'no model yet'),
    );
    select.disabled = !names.length;
    select.title = say(session.class ? `Model to run: ${session.class}` : 'Model to run');
  };
  on('class checked document:active', write);
  write();
  return select;
}

/** A number of the experiment; empty: the value of the model. */
function experimentField(key, label, unit) {
  const field = h('input', {
    class: 'experiment-field',
    inputMode: 'decimal',
    'aria-label': label,
    title: label,
    onchange: () => {
      const value =
        field.value.trim() === ''
          ? undefined
          : parseValue(field.value, key === 'intervals' ? 'Integer' : 'Real');
      if (value === undefined && field.value.trim() !== '')
        return refuse(
          field,
          key === 'intervals' ? 'Not a whole number' : 'Not a number such as 0.5, 1e-6 or 200u',
        );
      experiment()[key] = value === session.model?.experiment?.[key] ? undefined : value;
      if (key === 'start' || key === 'stop') showSpan(null); // an old zoom would hide the new span
      emit('layout');
      return write();
    },
  });
  const write = () => {
    const value = experiment()[key] ?? session.model?.experiment?.[key];
    field.value = value === undefined || value === null ? '' : String(value);
    refuse(field, null);
    field.disabled = !session.class;
  };
  on('model class', write);
  write();
  return h(
    'label',
    { class: 'experiment' },
    h('span', null, say(label)),
    field,
    unit && h('span', { class: 'unit' }, unit),
  );
}

function solverChoice(solvers) {
  const select = h('select', {
    'aria-label': 'Solver',
    onchange: () => {
      experiment().solver = select.value === 'auto' ? undefined : select.value;
      emit('layout');
    },
  });
  const write = () =>
    fill(
      select,
      [...new Set(['auto', ...solvers])].map((name) =>
        h('option', { value: name, selected: name === (experiment().solver ?? 'auto') }, name),
      ),
    );
  on('class model', write);
  write();
  return h('label', { class: 'experiment' }, h('span', null, say('Solver')), select);
}

/** Tolerance, intervals and solver, behind a button because they are rarely used. */
function experimentMenu(solvers) {
  const menu = h(
    'details',
    {
      class: 'menu',
      onkeydown: (event) => {
        if (event.key === 'Escape') menu.open = false;
      },
    },
    h(
      'summary',
      {
        class: 'quiet',
        title: 'Start time, tolerance, intervals, solver',
        'aria-label': 'Settings of the run',
      },
      '···',
    ),
    h(
      'div',
      { class: 'menu-list experiment-list' },
      experimentField('start', 'Start', 's'),
      experimentField('tolerance', 'Tolerance', ''),
      experimentField('intervals', 'Intervals', ''),
      solverChoice(solvers),
    ),
  );
  document.addEventListener('pointerdown', (event) => {
    if (!menu.contains(/** @type {any} */ (event.target))) menu.open = false;
  });
  return menu;
}

function runButtons() {
  const run = h(
    'button',
    { class: 'primary', id: 'run', title: 'Run (Ctrl+Enter)', onclick: () => startRun() },
    icon(ICONS.run),
    'Run',
  );
  const stop = h(
    'button',
    { class: 'stop', id: 'stop', title: 'Stop (Ctrl+.)', onclick: () => stopRun(), hidden: true },
    icon(ICONS.stop),
    'Stop',
  );
  const write = () => {
    const on = isRunning(presentRun()) && presentRun()?.keep !== false;
    run.hidden = on;
    stop.hidden = !on;
    run.disabled = !session.class && !activeDocument();
  };
  on('runs ended class document:active document:closed', write);
  on('starting', (busy) => run.classList.toggle('busy', busy));
  write();
  return [run, stop];
}

function progress() {
  const done = h('div', { class: 'progress-done' });
  const text = h('span', { class: 'progress-text' });
  const element = h(
    'div',
    { class: 'progress', role: 'progressbar', 'aria-label': 'Progress of the run' },
    h('div', { class: 'progress-track' }, done),
    text,
  );
  const write = () => {
    const run = presentRun();
    const on = isRunning(run);
    element.classList.toggle('on', Boolean(on && run?.progress));
    if (on && run?.progress) {
      const { time, start = 0, stop } = run.progress;
      const share = Math.min(1, Math.max(0, (time - start) / (stop - start)));
      done.style.width = `${100 * share}%`;
      element.setAttribute('aria-valuenow', String(Math.round(100 * share)));
      const events = run.progress.events ?? 0;
      const at = shown(Number(time.toPrecision(4)));
      text.textContent = say(`${at} s, ${events} events, ${say(eta(run.progress))}`);
    } else text.textContent = run && !on ? ofOther(run) + say(verdict(run)) + warned(run) : '';
    text.dataset.status = run?.status ?? '';
  };
  /** A failed compilation: the verdict of the run before it no longer counts. */
  const refuse = (model) => {
    if (model || !session.diagnostics.some((message) => message.severity === 'error')) return;
    element.classList.remove('on');
    text.textContent = say('not compiled: see Problems');
    text.dataset.status = 'failed';
  };
  on('runs ended progress events class', write);
  on('model', refuse);
  return element;
}

const warned = (run) =>
  run.status === 'done' && run.diagnostics.some((message) => message.severity === 'warning')
    ? say(', with warnings: see Problems')
    : '';

/** The class of a run that is not of the chosen class. */
const ofOther = (run) =>
  session.class && run.class && run.class !== session.class ? `${run.class}: ` : '';

/** How a run ended, in a few words. */
function verdict(run) {
  const took =
    run.stats?.seconds != null ? ` in ${shown(Number(run.stats.seconds.toPrecision(2)))} s` : '';
  const events = run.total ? `, ${run.total} event${run.total === 1 ? '' : 's'}` : '';
  return (
    {
      done: `done${took}${events}`,
      failed: 'failed: see Problems',
      stopped: 'stopped',
      crashed: 'crashed: see Problems',
      limit: 'over a limit: see Problems',
    }[run.status] ?? run.status
  );
}

/** @type {Record<string, 'auto'|'light'|'dark'>} */
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
const THEME_TITLES = { auto: 'Colours of the system', light: 'Light', dark: 'Dark' };

function themeButton() {
  const button = h('button', {
    class: 'quiet',
    id: 'theme',
    onclick: () => chooseTheme(NEXT[themeChoice()]),
  });
  const write = () => {
    const choice = themeChoice();
    fill(button, icon({ auto: ICONS.auto, light: ICONS.sun, dark: ICONS.moon }[choice]));
    button.title = say(`${THEME_TITLES[choice]}; change`);
    button.setAttribute('aria-label', button.title);
  };
  on('theme', write);
  write();
  return button;
}

/** @param {{solvers: string[]}} state @param {() => void} toggleExplorer */
export function createBar(state, toggleExplorer) {
  fill(
    byId('bar'),
    h(
      'button',
      {
        class: 'quiet explorer-toggle',
        title: 'Show or hide the classes (Ctrl+B)',
        'aria-label': 'Show or hide the classes',
        onclick: toggleExplorer,
      },
      icon(ICONS.menu),
    ),
    h('span', { class: 'brand' }, 'Kairos'),
    classChoice(),
    ...runButtons(),
    experimentField('stop', 'Stop time', 's'),
    experimentMenu(state.solvers ?? []),
    progress(),
    h('span', { class: 'grow' }),
    h(
      'span',
      { id: 'connection', class: 'connection', hidden: true },
      'The studio does not answer.',
    ),
    themeButton(),
    h(
      'button',
      { class: 'quiet', id: 'help', title: 'Keys (?)', 'aria-label': 'Keys', onclick: showHelp },
      icon(ICONS.help),
    ),
  );
}
