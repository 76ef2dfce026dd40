// The left side: search, the classes of the files and libraries as a tree, and the files that hold
// no class.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { byId, fill, afterPause, h, icon } from './dom.js';
import { openDocument } from './documents.js';
import { goTo } from './editor.js';
import { ICONS } from './icons.js';
import { latest } from './latest.js';
import { viewTabs } from './centre.js';
import { chooseClass } from './session.js';
import { newModel } from './templates.js';
import { createTree } from './tree.js';

const RUNNABLE = new Set(['model', 'block', 'class']);

/** Views by the values of the annotation preferredView. */
const VIEWS = { info: 'documentation', diagram: 'diagram', text: 'source' };
/** @type {string|null} the view that a preference has left */
let former = null;

/** A class may prefer a view; the next one without a preference is shown as those before it. */
function showPreferred(preference) {
  const wanted = VIEWS[preference] ?? former;
  if (!VIEWS[preference]) former = null;
  else former ??= viewTabs.present();
  if (wanted) emit('view', wanted);
}

let choices = 0;

/** Shows a class: its source if it has one, and the other views of it. The last choice counts. */
async function choose(row) {
  const mine = ++choices;
  if (row.path && row.line) await goTo(row.path, row.line, 1, { focus: false });
  else if (row.path) await openDocument(row.path);
  if (mine !== choices) return;
  if (RUNNABLE.has(row.kind) && !row.partial && !row.has_children) chooseClass(row.full, row.path);
  if (row.full) emit('inspect', row.full);
  showPreferred(row.view);
  if (!row.has_children) emit('reveal', 'centre');
}

export function createExplorer() {
  const tree = createTree({
    label: 'Classes',
    children: (row) => api.tree(row?.full),
    choose,
    changed: () => emit('layout'),
  });
  const results = createTree({
    label: 'Found classes',
    children: () => Promise.resolve([]),
    choose,
    changed: () => {},
    full: true,
  });
  let shown = ''; // the words of these results
  let next = ''; // the key that was pressed before they came
  const field = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search classes',
    'aria-label': 'Search classes',
    oninput: () => soon(field.value.trim()),
    onkeydown: (event) => {
      if (event.key === 'ArrowDown' || event.key === 'Enter') {
        event.preventDefault();
        const q = field.value.trim();
        if (q === shown) (q ? results : tree).focus();
        else next = event.key;
      } else if (event.key === 'Escape') {
        field.value = '';
        find('');
      }
    },
  });
  const files = h('div', { class: 'loose-files' });
  const ask = latest(
    (q) => api.search(q),
    (rows, q, stale) => {
      if (stale) return;
      results.setRows(rows, q);
      shown = q;
      if (next === 'Enter' && rows.length > 0) choose(rows[0]);
      else if (next) results.focus();
      next = '';
    },
  );
  const soon = afterPause(90, find);
  function find(q) {
    results.element.hidden = !q;
    tree.element.hidden = files.hidden = Boolean(q);
    if (q) ask(q);
    else shown = next = '';
  }
  results.element.hidden = true;
  fill(
    byId('explorer'),
    h(
      'div',
      { class: 'toolbar' },
      h('h2', null, 'Classes'),
      h('span', { class: 'grow' }),
      h(
        'button',
        {
          class: 'quiet',
          title: 'New model',
          'aria-label': 'New model',
          onclick: () => newModel(),
        },
        icon(ICONS.plus),
      ),
    ),
    h('div', { class: 'filter' }, field),
    h('div', { class: 'scroll' }, tree.element, results.element, files),
  );
  const reload = latest(
    () => tree.reload(),
    () => writeFiles(files, tree.paths()),
  );
  const again = afterPause(200, () => reload(undefined));
  on('document:saved files', again);
  again();
  return tree;
}

/** Files of the workspace that show no class in the tree: those in error, scripts. */
async function writeFiles(place, shownPaths) {
  const list = await api.files().catch(() => []);
  const rest = list
    .map((file) => file.path)
    .filter(
      (path) =>
        !shownPaths.has(path) &&
        !path
          .split('/')
          .slice(0, -1)
          .some((_p, i, all) => shownPaths.has(`${all.slice(0, i + 1).join('/')}/package.mo`)),
    );
  fill(
    place,
    rest.length > 0 && h('h3', null, 'Other files'),
    rest.map((path) =>
      h(
        'button',
        {
          class: 'loose-file',
          title: path,
          onclick: () => openDocument(path).then(() => emit('view', 'source')),
        },
        icon(ICONS.file),
        path,
      ),
    ),
  );
}
