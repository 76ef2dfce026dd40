// The variables of the model, as a list with a filter: a tick plots one.
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown, valueAt } from './curves.js';
import { fill, h } from './dom.js';
import { matches } from './filter.js';
import { columnOf } from './pane_data.js';
import { isPlotted, plotVariable } from './panes.js';
import { presentRun } from './runs.js';
import { session } from './session.js';
import { prettyUnit } from './units.js';

const MOST = 300;
const KINDS = {
  state: 'state',
  discrete: 'discrete',
  algebraic: '',
  parameter: 'parameter',
  derivative: '',
};

/** Variables that change come first. @param {any[]} variables */
const inOrder = (variables) => [
  ...variables.filter((one) => one.kind !== 'parameter'),
  ...variables.filter((one) => one.kind === 'parameter'),
];

export function createVariables() {
  const body = h('div', { class: 'rows' });
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter variables',
    oninput: () => write(),
  });
  const panel = h(
    'div',
    { class: 'panel' },
    h('div', { class: 'filter' }, filter),
    h('div', { class: 'scroll' }, body),
  );

  function write() {
    const variables = session.model && inOrder(session.model.variables);
    if (!variables)
      return fill(
        body,
        h(
          'p',
          { class: 'muted pad' },
          'Variables appear here after the first run. Tick one to plot it.',
        ),
      );
    const wanted = variables.filter((one) =>
      matches(filter.value, `${one.name} ${one.description} ${KINDS[one.kind] ?? ''}`),
    );
    return fill(
      body,
      wanted.slice(0, MOST).map(row),
      wanted.length > MOST &&
        h('p', { class: 'muted pad' }, `${wanted.length - MOST} more; the filter finds them.`),
      !wanted.length && h('p', { class: 'muted pad' }, 'No variable has such a name.'),
    );
  }

  function row(variable) {
    const box = h('input', {
      type: 'checkbox',
      checked: isPlotted(variable.name),
      onchange: () => plotVariable(variable.name, box.checked),
    });
    return h(
      'label',
      { class: 'row variable', title: variable.description ?? '' },
      box,
      h('span', { class: 'variable-name' }, variable.name),
      h('output', { dataset: { name: variable.name } }),
      h('span', { class: 'unit' }, prettyUnit(variable.unit)),
      h('span', { class: 'muted kind' }, KINDS[variable.kind] ?? ''),
      h('span', { class: 'description' }, variable.description ?? ''),
    );
  }

  /** The values at the cursor of plotted variables. */
  function values() {
    const [run, time] = [presentRun(), cursorTime()];
    if (panel.hidden || !run) return;
    for (const output of body.querySelectorAll('output')) {
      const column = time === null ? null : columnOf(run, output.dataset.name);
      output.textContent = column
        ? shown(valueAt(/** @type {any} */ (run.columns[0]), column, /** @type {number} */ (time)))
        : '';
    }
  }

  on('class', () => {
    filter.value = '';
  });
  on('model', write);
  on('panes', () => {
    for (const box of body.querySelectorAll('.variable'))
      box.querySelector('input').checked = isPlotted(
        box.querySelector('.variable-name').textContent,
      );
  });
  on('cursor', values);
  on('filter', (component) => {
    filter.value = component;
    write();
  });
  write();
  return panel;
}
