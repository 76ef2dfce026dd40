// The command palette: all commands by name, for the keyboard.
import { fill, h } from './dom.js';
import { sayKeys } from './language.js';

/**
 * @param {{what: string, keys?: string, act: () => any}[]} commands
 */
export function showPalette(commands) {
  if (document.querySelector('dialog[open]')) return;
  let rows = commands;
  let at = 0;
  const list = h('div', { class: 'palette-list', role: 'listbox', id: 'palette-list' });
  const field = h('input', {
    type: 'text',
    role: 'combobox',
    'aria-label': 'Command',
    'aria-controls': 'palette-list',
    'aria-expanded': 'true',
    placeholder: 'Command',
    autofocus: true,
    oninput: () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      rows = commands.filter((one) => words.every((word) => one.what.toLowerCase().includes(word)));
      at = 0;
      write();
    },
    onkeydown: (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && rows.length) at = (at + step + rows.length) % rows.length;
      else if (event.key === 'Enter' && rows[at]) take(rows[at]);
      else return;
      event.preventDefault();
      write();
    },
  });
  const dialog = h(
    'dialog',
    { class: 'sheet small palette', 'aria-label': 'Commands', onclose: () => dialog.remove() },
    field,
    list,
  );
  function take(command) {
    dialog.close();
    command.act();
  }
  function write() {
    fill(
      list,
      rows.map((one, i) =>
        h(
          'div',
          {
            class: 'palette-row',
            role: 'option',
            id: `command-${i}`,
            'aria-selected': String(i === at),
            onclick: () => take(one),
          },
          h('span', null, one.what),
          one.keys && h('kbd', null, sayKeys(one.keys)),
        ),
      ),
    );
    field.setAttribute('aria-activedescendant', rows.length ? `command-${at}` : '');
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }
  write();
  document.body.append(dialog);
  dialog.showModal();
}
