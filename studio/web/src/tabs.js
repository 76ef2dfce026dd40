// A row of tabs over panels, as in the ARIA pattern: arrows move, the panel follows.
import { h } from './dom.js';

/**
 * @param {string} label
 * @param {{id: string, title: string, panel: HTMLElement}[]} items
 * @param {(id: string) => void} [chosen]
 */
export function makeTabs(label, items, chosen = () => {}) {
  const buttons = new Map();
  const counts = new Map();
  let present = '';
  const list = h('div', {
    class: 'tabs',
    role: 'tablist',
    'aria-label': label,
    onkeydown: (event) => key(event),
  });
  for (const item of items) {
    const count = h('span', { class: 'count', hidden: true });
    const button = h(
      'button',
      {
        class: 'tab',
        role: 'tab',
        id: `tab-${item.id}`,
        'aria-controls': `panel-${item.id}`,
        onclick: () => choose(item.id),
      },
      item.title,
      count,
    );
    Object.assign(item.panel, { id: `panel-${item.id}` });
    item.panel.setAttribute('role', 'tabpanel');
    item.panel.setAttribute('aria-labelledby', button.id);
    buttons.set(item.id, button);
    counts.set(item.id, count);
    list.append(button);
  }
  function key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = items.findIndex((item) => item.id === present);
    const next = items[(index + step + items.length) % items.length];
    choose(next.id);
    buttons.get(next.id).focus();
  }
  function choose(id, quiet = false) {
    if (!buttons.has(id)) return;
    present = id;
    for (const item of items) {
      const on = item.id === id;
      item.panel.hidden = !on;
      buttons.get(item.id).setAttribute('aria-selected', String(on));
      buttons.get(item.id).tabIndex = on ? 0 : -1;
    }
    if (!quiet) chosen(id);
  }
  function setCount(id, text, kind = '') {
    const count = counts.get(id);
    count.hidden = !text;
    count.textContent = text;
    count.dataset.kind = kind;
  }
  choose(items[0].id, true);
  return { element: list, choose, setCount, present: () => present };
}
