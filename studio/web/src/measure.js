// The panel “Measure”: numbers of the plotted variables between the two cursors, and the spectrum
// of one of them. The server computes from all rows of the run, not from those that are drawn.
import { api } from './api.js';
import { on } from './bus.js';
import { placeCursor, placedTime, placeSecond, secondTime } from './cursor.js';
import { shown } from './curves.js';
import { afterPause, fill, h, verbatim } from './dom.js';
import { latest } from './latest.js';
import { numberOf } from './number_text.js';
import { plottedNames, shownSpan } from './panes.js';
import { refuse } from './refusal.js';
import { isRunning, presentRun } from './runs.js';
import { createSpectrum } from './spectrum.js';
import { prettyUnit } from './units.js';

/**
 * Titles, fields of the answer, and the power of seconds in their unit.
 * @type {[string, string, number|null][]}
 */
const COLUMNS = [
  ['at 1', 'first', 0],
  ['at 2', 'last', 0],
  ['difference', 'difference', 0],
  ['slope', 'slope', -1],
  ['mean', 'mean', 0],
  ['RMS', 'rms', 0],
  ['min', 'min', 0],
  ['max', 'max', 0],
  ['integral', 'integral', 1],
  ['period', 'period', null],
  ['frequency', 'frequency', null],
];

function unitText(unit, power, field) {
  if (power === null) return field === 'period' ? 's' : 'Hz';
  const pretty = prettyUnit(unit);
  if (!power) return pretty;
  return power > 0 ? `${pretty ? `${pretty}·` : ''}s` : `${pretty || '1'}/s`;
}

export function createMeasure() {
  const fields = [1, 2].map((number) =>
    h('input', {
      class: 'measure-time',
      'aria-label': `Time of cursor ${number}`,
      onchange: (event) => setTime(number, event.target),
    }),
  );
  const delta = h('output', { class: 'measure-delta' });
  const table = h('div', { class: 'measure-table' });
  const spectrum = createSpectrum();
  const panel = h(
    'div',
    { class: 'panel scroll measure' },
    h(
      'div',
      { class: 'measure-bar' },
      h('label', null, 'Cursor 1 ', fields[0], ' s'),
      h('label', null, 'Cursor 2 ', fields[1], ' s'),
      delta,
      h('button', { onclick: () => measureAll() }, 'Visible span'),
    ),
    table,
    spectrum.element,
  );

  function setTime(number, field) {
    const value = numberOf(field.value);
    const good = Number.isFinite(value);
    refuse(field, good ? null : 'Not a number such as 0.5, 1e-6 or 200u');
    if (!good) return;
    if (number === 1) placeCursor(value);
    else placeSecond(value);
  }

  function measureAll() {
    const times = presentRun()?.columns[0] ?? [];
    const span = shownSpan() ?? [times[0], times[times.length - 1]];
    if (span[0] == null || span[1] == null) return;
    placeCursor(span[0]);
    placeSecond(span[1]);
  }

  /** Both times in order, or null. @returns {[number, number]|null} */
  function between() {
    const [a, b] = [placedTime(), secondTime()];
    return a === null || b === null || a === b ? null : [Math.min(a, b), Math.max(a, b)];
  }

  function cell(row, [, field, power]) {
    const value = row[field];
    if (value === undefined || value === null) return h('td', null, '–');
    return h(
      'td',
      { dataset: { field, value } },
      shown(value),
      h('span', { class: 'unit' }, ` ${unitText(row.unit, power, field)}`),
    );
  }

  function write(answer) {
    fill(
      table,
      h(
        'table',
        null,
        h(
          'tr',
          null,
          h('th', null, ''),
          COLUMNS.map(([title]) => h('th', null, title)),
        ),
        answer.variables.map((row) =>
          h(
            'tr',
            { dataset: { name: row.name } },
            h('th', null, verbatim(row.name)),
            row.error
              ? h('td', { colSpan: COLUMNS.length, class: 'muted' }, row.error)
              : COLUMNS.map((column) => cell(row, column)),
          ),
        ),
      ),
    );
  }

  const say = (text) => fill(table, h('p', { class: 'muted pad' }, text));

  const measure = latest(
    () => {
      const [run, times, names] = [presentRun(), between(), plottedNames()];
      if (!run || !times || !names.length) return Promise.resolve(null);
      return api.measure(run.id, names, times);
    },
    (answer) => answer && write(answer),
    (error) => say(error.message),
  );

  function update() {
    const [a, b] = [placedTime(), secondTime()];
    [a, b].forEach((time, i) => {
      if (document.activeElement !== fields[i]) fields[i].value = time === null ? '' : String(time);
    });
    const times = between();
    delta.textContent = times
      ? `Δ ${shown(times[1] - times[0])} s, 1/Δ ${shown(1 / (times[1] - times[0]))} Hz`
      : '';
    if (panel.hidden) return;
    const run = presentRun();
    spectrum.update(run, times, plottedNames());
    if (!run) say('Run a model first.');
    else if (!times)
      say('Click into a plot to place the first cursor, and click with Shift to place the second.');
    else if (!isRunning(run) || run.columns.length) measure();
  }

  const soon = afterPause(40, update);
  on('cursor panes runs ended', soon);
  on('log-shown', soon);
  update();
  return panel;
}
