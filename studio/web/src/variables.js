// The variables of the model as a tree with a filter. A tick plots one, a star marks it; rows can
// be dragged into panes.
import { api } from './api.js';
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown, valueAt } from './curves.js';
import { afterPause, h, icon } from './dom.js';
import { favourites, isFavourite, toggleFavourite } from './favourites.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import { createLongList } from './long_list.js';
import { isPlotted, plotVariable, VARIABLE_TYPE } from './panes.js';
import { isRunning, presentRun } from './runs.js';
import { session } from './session.js';
import { prettyUnit } from './units.js';
import { foundRows, rowsOf, treeOf } from './variable_tree.js';

const HEIGHT = 26; // px of a row, as in values.css
const KINDS = {
  state: 'state',
  discrete: 'discrete',
  algebraic: '',
  parameter: 'parameter',
  derivative: 'derivative',
  input: 'input',
};
const TYPES = { Real: 'R', Integer: 'I', Boolean: 'B', String: 'S', enumeration: 'E' };
/**
 * What the list beside the filter offers: which variables are shown.
 * @type {Record<string, [string, ((variable: any) => boolean)|null]>}
 */
const SHOWN = {
  all: ['All', null],
  favourites: ['Favourites', (one) => isFavourite(one.name)],
  plotted: ['Plotted', (one) => isPlotted(one.name)],
  states: ['States', (one) => one.kind === 'state'],
  discrete: ['Discrete', (one) => one.kind === 'discrete' || one.type !== 'Real'],
  parameters: ['Parameters', (one) => one.kind === 'parameter'],
};

export function createVariables() {
  /** @type {import('./variable_tree.js').Branch|null} */
  let tree = null;
  /** @type {any[]} the variables of that tree */
  let variables = [];
  /** @type {Set<string>} */
  const open = new Set();
  /** @type {Map<string, number|null>} values at the cursor */
  let values = new Map();

  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter: words, * and ?',
    'aria-label': 'Filter variables',
    oninput: () => write(),
  });
  const kind = h(
    'select',
    { 'aria-label': 'Which variables', onchange: () => write() },
    Object.entries(SHOWN).map(([value, [title]]) => h('option', { value }, say(title))),
  );
  const count = h('span', { class: 'muted variables-count', role: 'status' });
  const list = createLongList({
    height: HEIGHT,
    label: 'Variables',
    role: 'tree',
    row,
    shown: () => fetchValues(),
    key,
  });
  const note = h('p', { class: 'muted pad' });
  const panel = h(
    'div',
    { class: 'panel' },
    h('div', { class: 'filter' }, filter, kind, count),
    note,
    list.element,
  );

  function rows() {
    const also = SHOWN[kind.value][1];
    if (!filter.value.trim() && !also && tree) return rowsOf(tree, open);
    return foundRows(variables, filter.value, also ?? undefined);
  }

  function write() {
    const known = session.model?.variables ?? [];
    if (known !== variables || !tree) {
      variables = known;
      tree = treeOf(variables);
    }
    const found = rows();
    const leaves = filter.value.trim() || SHOWN[kind.value][1] ? found.length : variables.length;
    count.textContent = session.model ? String(leaves) : '';
    note.hidden = found.length > 0;
    list.element.hidden = !found.length;
    note.textContent = say(
      !session.model
        ? 'Variables appear here after the first run. Tick one to plot it.'
        : kind.value === 'favourites' && !favourites().length
          ? 'The star of a variable puts it here.'
          : 'No variable has such a name.',
    );
    list.show(found);
  }

  function toggleBranch(branch) {
    if (open.has(branch.full)) open.delete(branch.full);
    else open.add(branch.full);
    write();
  }

  function branchRow({ level, title, branch, open: isOpen }) {
    return h(
      'div',
      {
        class: 'row variable-branch',
        role: 'treeitem',
        'aria-level': level + 1,
        'aria-expanded': String(isOpen),
        style: { '--level': level },
        dataset: { full: branch.full },
        onclick: () => toggleBranch(branch),
      },
      h('span', { class: 'twisty' }, icon(ICONS.chevron)),
      h('span', { class: 'variable-name' }, title),
      h('span', { class: 'muted' }, String(branch.count)),
    );
  }

  function leafRow({ level, title, variable }) {
    const { name } = variable;
    const box = h('input', {
      type: 'checkbox',
      checked: isPlotted(name),
      'aria-label': `Plot ${name}`,
      onchange: () => plotVariable(name, box.checked),
    });
    const star = isFavourite(name);
    return h(
      'label',
      {
        class: 'row variable',
        role: 'treeitem',
        'aria-level': level + 1,
        style: { '--level': level },
        title: [name, variable.description].filter(Boolean).join(': '),
        draggable: true,
        ondragstart: (event) => {
          event.dataTransfer.setData(VARIABLE_TYPE, name);
          event.dataTransfer.setData('text/plain', name);
          event.dataTransfer.effectAllowed = 'copy';
        },
      },
      box,
      h('span', { class: 'variable-type', title: variable.type }, TYPES[variable.type] ?? '·'),
      h('span', { class: 'variable-name' }, title),
      h('output', { dataset: { name } }, textAt(name)),
      h('span', { class: 'unit' }, prettyUnit(variable.unit)),
      h('span', { class: 'muted kind' }, say(KINDS[variable.kind] ?? '')),
      h('span', { class: 'description' }, variable.description ?? ''),
      h(
        'button',
        {
          class: `quiet star ${star ? 'on' : ''}`,
          title: star ? 'Not a favourite any more' : 'Make it a favourite',
          'aria-label': `Favourite ${name}`,
          'aria-pressed': String(star),
          onclick: (event) => {
            event.preventDefault();
            toggleFavourite(name);
          },
        },
        icon(ICONS.star),
      ),
    );
  }

  function row(item) {
    return item.branch ? branchRow(item) : leafRow(item);
  }

  /** Keys on the list: Enter and the arrows open and close, Space plots. */
  function key(event, item) {
    if (!item) return;
    const acts = item.branch
      ? {
          Enter: () => toggleBranch(item.branch),
          ' ': () => toggleBranch(item.branch),
          ArrowRight: () => !item.open && toggleBranch(item.branch),
          ArrowLeft: () => item.open && toggleBranch(item.branch),
        }
      : {
          Enter: () => plotVariable(item.variable.name, !isPlotted(item.variable.name)),
          ' ': () => plotVariable(item.variable.name, !isPlotted(item.variable.name)),
          '*': () => toggleFavourite(item.variable.name),
        };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  const textAt = (name) => (values.has(name) ? shown(values.get(name)) : '');

  function writeValues() {
    for (const output of list.element.querySelectorAll('output'))
      output.textContent = textAt(output.dataset.name);
  }

  /** The values at the cursor, or at the end, of the variables that are seen. */
  const fetchValues = afterPause(60, async () => {
    const run = presentRun();
    const names = list.visible().flatMap((item) => (item.variable ? [item.variable.name] : []));
    if (panel.hidden || !run || !names.length || run.class !== session.model?.class) return;
    const time = cursorTime() ?? (isRunning(run) ? null : Infinity);
    if (time === null) return;
    const at = Math.min(time, 1e300);
    const data = await api.data(run.id, names, 0, [at, at]).catch(() => null);
    if (!data || !data.columns.length || run !== presentRun()) return;
    const times = data.columns[0];
    const last = times[times.length - 1];
    values = new Map(
      data.names.map((name, i) => [
        name,
        valueAt(times, data.columns[i], Math.max(times[0], Math.min(at, last))),
      ]),
    );
    writeValues();
  });

  on('class', () => {
    filter.value = '';
    open.clear();
    values = new Map();
  });
  on('model', write);
  on('panes favourites', () => (kind.value === 'all' ? list.refresh() : write()));
  on('cursor ended runs', fetchValues);
  on('values-shown', () => list.refresh());
  on('filter', (component) => {
    filter.value = component;
    kind.value = 'all';
    write();
  });
  write();
  return panel;
}
