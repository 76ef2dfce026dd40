// A list of any length: only the rows that are seen exist.
import { h, inFrame } from './dom.js';

/**
 * @param {{height: number, row: (item: any, index: number) => HTMLElement, shown?: () => void,
 * label: string, key?: (event: KeyboardEvent, item: any, index: number) => void, role?: string}}
 * how `height` of a row in pixels
 */
export function createLongList(how) {
  /** @type {any[]} */
  let items = [];
  let [first, end, present] = [0, 0, 0];
  const inner = h('div', { class: 'long-list-rows' });
  const element = h(
    'div',
    {
      class: 'long-list scroll',
      role: how.role ?? 'list',
      'aria-label': how.label,
      tabIndex: 0,
      onscroll: inFrame(() => write(false)),
      onkeydown: key,
    },
    inner,
  );
  new ResizeObserver(() => write(false)).observe(element);

  function write(anew) {
    const top = Math.max(0, Math.floor(element.scrollTop / how.height) - 4);
    const last = Math.min(
      items.length,
      Math.ceil((element.scrollTop + element.clientHeight) / how.height) + 4,
    );
    if (!anew && top === first && last === end) return;
    [first, end] = [top, last];
    inner.style.height = `${items.length * how.height}px`;
    inner.replaceChildren(
      ...items.slice(top, last).map((item, i) => {
        const row = how.row(item, top + i);
        row.style.top = `${(top + i) * how.height}px`;
        row.setAttribute('aria-setsize', String(items.length));
        row.setAttribute('aria-posinset', String(top + i + 1));
        row.classList.toggle('present', top + i === present);
        return row;
      }),
    );
    how.shown?.();
  }

  function choose(index) {
    present = Math.max(0, Math.min(items.length - 1, index));
    const [top, bottom] = [present * how.height, (present + 1) * how.height];
    if (top < element.scrollTop) element.scrollTop = top;
    if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
    write(true);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const page = Math.max(1, Math.floor(element.clientHeight / how.height) - 1);
    const to = {
      ArrowDown: present + 1,
      ArrowUp: present - 1,
      PageDown: present + page,
      PageUp: present - page,
      Home: 0,
      End: items.length - 1,
    }[event.key];
    if (event.target !== element) return;
    if (to === undefined) return how.key?.(event, items[present], present);
    event.preventDefault();
    return choose(to);
  }

  return {
    element,
    /** @param {any[]} next */
    show(next) {
      items = next;
      present = Math.min(present, Math.max(0, items.length - 1));
      write(true);
    },
    refresh: () => write(true),
    choose,
    items: () => items,
    visible: () => items.slice(first, end),
  };
}
