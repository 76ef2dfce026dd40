// The runs of this session: the one in front, the ones below it, and their settings.
import { on } from './bus.js';
import { shown } from './curves.js';
import { fill, h, icon } from './dom.js';
import { ICONS } from './icons.js';
import { isRunning, presentRun, removeRun, runs, setVisible, showRun, startRun } from './runs.js';

const STATUS = {
  running: 'runs',
  queued: 'waits',
  done: 'done',
  failed: 'failed',
  stopped: 'stopped',
  crashed: 'crashed',
  limit: 'over a limit',
};

/** What was set for a run, in words. @param {import('./runs.js').Run} run */
export function settingsText(run) {
  const entries = Object.entries(run.settings ?? {});
  return entries.length
    ? entries
        .map(([name, value]) => `${name} = ${typeof value === 'number' ? shown(value) : value}`)
        .join(', ')
    : 'values of the model';
}

/** @param {(text: string) => void} count */
export function createRunList(count) {
  const list = h('div', { class: 'rows' });
  const panel = h('div', { class: 'panel scroll' }, list);

  function row(run) {
    const on = run === presentRun();
    const stats = run.stats
      ? `${shown(run.stats.seconds)} s, ${run.stats.steps} steps, ${run.stats.events} events`
      : '';
    return h(
      'div',
      { class: `row run ${on ? 'present' : ''}` },
      h('input', {
        type: 'checkbox',
        checked: on || run.visible,
        disabled: on,
        title: 'Draw this run',
        'aria-label': `Draw run ${run.id}`,
        onchange: (event) => setVisible(run, event.target.checked),
      }),
      h(
        'button',
        {
          class: 'run-name link',
          title: 'Show this run in front',
          onclick: () => showRun(run),
        },
        `${run.class} #${run.id}`,
      ),
      h(
        'span',
        { class: 'run-settings' },
        run.keep ? settingsText(run) : `slider: ${settingsText(run)}`,
      ),
      !run.keep &&
        h(
          'button',
          { class: 'link', title: 'Keep this run for comparison', onclick: () => startRun() },
          'keep',
        ),
      h('span', { class: `status status-${run.status}` }, STATUS[run.status] ?? run.status),
      h('span', { class: 'muted run-stats' }, stats),
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
  }

  function write() {
    count(runs.length > 1 ? String(runs.length) : '');
    fill(
      list,
      runs.length
        ? [...runs].reverse().map(row)
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
