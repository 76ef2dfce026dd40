// The runs of this session: the one in front, the ones below it, and their settings.
import { on } from './bus.js';
import { shown } from './curves.js';
import { fill, h, icon, verbatim } from './dom.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import {
  describeRun,
  isRunning,
  presentRun,
  referenceRun,
  removeRun,
  runName,
  runs,
  setReference,
  setVisible,
  showRun,
  startRun,
} from './runs.js';

const STATUS = {
  running: 'running',
  queued: 'waiting',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
  crashed: 'crashed',
  limit: 'over a limit',
};

const ROWS = 60; // newest runs that are listed, and older ones that a click adds

/** What was set for a run, in words. @param {import('./runs.js').Run} run */
export function settingsText(run) {
  const entries = Object.entries(run.settings ?? {});
  return entries.length
    ? entries
        .map(([name, value]) => `${name} = ${typeof value === 'number' ? shown(value) : value}`)
        .join(', ')
    : say('values of the model');
}

/** @param {(text: string) => void} count */
export function createRunList(count) {
  const list = h('div', { class: 'rows' });
  const panel = h('div', { class: 'panel scroll' }, list);
  /** @type {any} the run whose name, colour and note are being edited */
  let edited = null;
  let most = ROWS;

  /** Name, colour and note of a run. */
  function editor(run) {
    const set = (what) => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      describeRun(run, what);
    };
    return h(
      'div',
      { class: 'run-editor' },
      h(
        'label',
        null,
        say('Name'),
        ' ',
        h('input', {
          value: run.about.name ?? '',
          placeholder: `${run.class} #${run.id}`,
          maxLength: 80,
          'aria-label': 'Name of the run',
          onchange: (event) => set({ name: event.target.value.trim() }),
        }),
      ),
      h(
        'label',
        null,
        say('Colour'),
        ' ',
        h('input', {
          type: 'color',
          value: run.about.colour ?? '#888888',
          'aria-label': 'Colour of the run',
          onchange: (event) => set({ colour: event.target.value }),
        }),
      ),
      run.about.colour &&
        h('button', { class: 'link', onclick: () => set({ colour: '' }) }, 'colours of variables'),
      h(
        'label',
        { class: 'run-note-field' },
        say('Note'),
        ' ',
        h('textarea', {
          value: run.about.note ?? '',
          rows: 2,
          maxLength: 2000,
          'aria-label': 'Note on the run',
          onchange: (event) => set({ note: event.target.value }),
        }),
      ),
    );
  }

  function row(run) {
    const on = run === presentRun();
    const stats = run.stats
      ? say(`${shown(run.stats.seconds)} s, ${run.stats.steps} steps, ${run.stats.events} events`)
      : '';
    const base = run === referenceRun();
    const line = h(
      'div',
      { class: `row run ${on ? 'present' : ''}`, dataset: { run: run.id } },
      h('input', {
        type: 'checkbox',
        checked: on || run.visible,
        disabled: on,
        title: 'Draw this run',
        'aria-label': `Draw run ${run.id}`,
        onchange: (event) => setVisible(run, event.target.checked),
      }),
      h('span', {
        class: 'run-colour',
        style: { background: run.about.colour || 'transparent' },
      }),
      h(
        'button',
        {
          class: 'run-name link',
          title: 'Show this run in front',
          onclick: () => showRun(run),
        },
        verbatim(runName(run)),
      ),
      h(
        'span',
        { class: 'run-settings' },
        verbatim(
          run.keep
            ? settingsText(run) === runName(run)
              ? '' // a run of a sweep
              : settingsText(run)
            : `${say('slider')}: ${settingsText(run)}`,
        ),
      ),
      !run.keep &&
        h(
          'button',
          { class: 'link', title: 'Keep this run for comparison', onclick: () => startRun() },
          'keep',
        ),
      h('span', { class: `status status-${run.status}` }, say(STATUS[run.status] ?? run.status)),
      h('span', { class: 'muted run-stats' }, stats),
      h(
        'button',
        {
          class: 'quiet run-difference',
          title: base ? 'Show values again' : 'Show the differences of all others from this run',
          'aria-label': `Differences from run ${run.id}`,
          'aria-pressed': String(base),
          onclick: () => setReference(base ? null : run),
        },
        'Δ',
      ),
      h(
        'button',
        {
          class: 'quiet',
          title: 'Name, colour, note',
          'aria-label': `Describe run ${run.id}`,
          'aria-expanded': String(run === edited),
          onclick: () => {
            edited = run === edited ? null : run;
            write();
          },
        },
        icon(ICONS.settings),
      ),
      h(
        'button',
        {
          class: 'quiet',
          title: 'Forget this run',
          'aria-label': `Forget run ${run.id}`,
          disabled: isRunning(run),
          onclick: () => removeRun(run),
        },
        icon(ICONS.close),
      ),
    );
    return [
      line,
      run.about.note &&
        run !== edited &&
        h('p', { class: 'run-note muted' }, verbatim(run.about.note)),
      run === edited && editor(run),
    ];
  }

  const olderButton = (count) =>
    h(
      'button',
      {
        class: 'link pad older-runs',
        onclick: () => {
          most += ROWS;
          write();
        },
      },
      say(`Older runs (${count})`),
    );

  function write() {
    if (edited && !runs.includes(edited)) edited = null;
    // typing into the form goes on
    const at = document.activeElement;
    if (panel.contains(at) && at?.matches('textarea, input:not([type=checkbox])')) return;
    count(runs.length > 1 ? String(runs.length) : '');
    const older = runs.length - most;
    const unlisted = runs.slice(0, Math.max(0, older));
    fill(
      list,
      runs.length
        ? [
            runs.slice(-most).reverse().map(row),
            unlisted.filter((run) => run === presentRun()).map(row),
            older > 0 && olderButton(older),
          ]
        : h(
            'p',
            { class: 'muted pad' },
            'Runs appear here. Tick one to see it below the present one.',
          ),
    );
  }
  on('runs ended', write);
  write();
  return panel;
}
