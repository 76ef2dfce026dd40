// A tree of classes whose branches load when they open; keys follow the ARIA pattern.
import { emit } from './bus.js';
import { showIcon } from './class_icons.js';
import { fill, h, icon } from './dom.js';
import { ICONS } from './icons.js';

/** Of data that are dragged: the full name of a class. */
export const CLASS_TYPE = 'application/x-kairos-class';

const BADGES = {
  model: 'M',
  block: 'B',
  class: 'C',
  connector: 'K',
  function: 'F',
  package: 'P',
  record: 'R',
  type: 'T',
  operator: 'O',
  file: '·',
};

/** The packages around a class. @param {string} full */
const around = (full) => full.split('.').slice(0, -1).join('.');

/**
 * @param {{label: string, children: (row: any|null) => Promise<any[]>, choose: (row: any) => void,
 * changed: () => void, full?: boolean}} how
 * `full`: rows show their full names
 */
export function createTree(how) {
  const element = h('div', {
    class: 'tree',
    role: 'tree',
    'aria-label': how.label,
    onkeydown: key,
  });
  /** @type {Set<string>} */
  const expanded = new Set();
  /** @type {Map<Element, any>} */
  const rows = new Map();
  let present = '';

  function makeRow(row, level) {
    const open = expanded.has(row.full);
    const badge = h(
      'span',
      { class: `kind-badge kind-${row.kind}`, 'aria-hidden': 'true' },
      BADGES[row.kind] ?? '·',
    );
    if (row.icon && row.full) showIcon(badge, row.full);
    const item = h(
      'div',
      {
        class: 'tree-row',
        role: 'treeitem',
        'aria-level': level,
        tabIndex: -1,
        title: row.description || row.full,
        'aria-selected': String(row.full === present),
        dataset: { full: row.full },
        'aria-expanded': row.has_children ? String(open) : undefined,
        style: { '--level': level },
        draggable: true,
        ondragstart: (event) => {
          event.dataTransfer.setData(CLASS_TYPE, row.full);
          event.dataTransfer.setData('text/plain', row.full);
          event.dataTransfer.effectAllowed = 'copy';
        },
        onclick: (event) => pick(item, event),
      },
      h('span', { class: 'twisty' }, row.has_children ? icon(ICONS.chevron) : null),
      badge,
      h('span', { class: 'tree-name' }, row.name),
      h(
        'span',
        { class: 'tree-description' },
        how.full ? around(row.full) : (row.description ?? ''),
      ),
    );
    rows.set(item, row);
    const group = h('div', { role: 'group', hidden: !open });
    if (open && row.has_children) fillGroup(group, row, level + 1);
    return [item, group];
  }

  async function fillGroup(group, row, level) {
    const list = await how
      .children(row)
      .catch((error) => [{ name: error.message, full: '', kind: 'file', has_children: false }]);
    fill(
      group,
      list.map((child) => makeRow(child, level)),
    );
  }

  function toggle(item, open) {
    const row = rows.get(item);
    if (!row?.has_children) return;
    const group = /** @type {HTMLElement} */ (item.nextElementSibling);
    item.setAttribute('aria-expanded', String(open));
    group.hidden = !open;
    if (open) expanded.add(row.full);
    else expanded.delete(row.full);
    if (open && !group.childElementCount)
      fillGroup(group, row, Number(item.getAttribute('aria-level')) + 1);
    how.changed();
  }

  function pick(item, event) {
    const row = rows.get(item);
    if (!row?.full) return;
    const open = item.getAttribute('aria-expanded') === 'true';
    if (row.has_children && (event?.target?.closest?.('.twisty') || row.kind === 'package'))
      toggle(item, !open);
    if (event?.target?.closest?.('.twisty')) return;
    present = row.full;
    for (const other of element.querySelectorAll('[aria-selected=true]'))
      other.setAttribute('aria-selected', 'false');
    item.setAttribute('aria-selected', 'true');
    focusOn(item, false);
    how.choose(row);
  }

  const visible = () =>
    [...element.querySelectorAll('.tree-row')].filter(
      (item) => /** @type {HTMLElement} */ (item).offsetParent !== null,
    );
  function focusOn(item, take = true) {
    if (!item) return;
    for (const other of element.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
    item.tabIndex = 0;
    if (take) item.focus();
  }

  function key(event) {
    const item = event.target.closest('.tree-row');
    if (!item || event.ctrlKey || event.altKey || event.metaKey) return;
    const list = visible();
    const index = list.indexOf(item);
    const open = item.getAttribute('aria-expanded');
    const level = Number(item.getAttribute('aria-level'));
    const parent = () =>
      list
        .slice(0, index)
        .reverse()
        .find((other) => Number(other.getAttribute('aria-level')) < level);
    const acts = {
      ArrowDown: () => focusOn(list[index + 1]),
      ArrowUp: () => focusOn(list[index - 1]),
      Home: () => focusOn(list[0]),
      End: () => focusOn(list.at(-1)),
      ArrowRight: () => (open === 'false' ? toggle(item, true) : focusOn(list[index + 1])),
      ArrowLeft: () => (open === 'true' ? toggle(item, false) : focusOn(parent())),
      Enter: () => pick(item, null),
      ' ': () => pick(item, null),
      Insert: () => rows.get(item)?.full && emit('add-component', rows.get(item).full),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  function setRows(list, query = '') {
    const focused = element.contains(document.activeElement);
    fill(
      element,
      list.length
        ? list.map((row) => makeRow(row, 1))
        : h('p', { class: 'muted pad' }, query ? 'No class has such a name.' : 'No classes yet.'),
    );
    focusOn(element.querySelector('.tree-row'), focused);
  }

  return {
    element,
    setRows,
    focus: () =>
      /** @type {any} */ (
        element.querySelector('[tabindex="0"]') ?? element.querySelector('.tree-row')
      )?.focus(),
    expanded: () => [...expanded],
    paths: () => new Set([...rows.values()].map((row) => row.path)),
    setExpanded: (/** @type {string[]} */ names) => names.forEach((name) => expanded.add(name)),
    async reload() {
      const list = await how.children(null).catch(() => []);
      rows.clear();
      setRows(list);
    },
  };
}
