// The sheet of keys.
import { h } from './dom.js';
import { say, sayKeys } from './language.js';
import { LOCAL_KEYS, SHORTCUTS } from './shortcuts.js';

const keyCaps = (text) =>
  sayKeys(text)
    .split(' ')
    .map((part) => (/^[…,]$/.test(part) ? part : h('kbd', null, part.replace(/,$/, ''))));
const rowOf = ([keys, what]) =>
  h(
    'div',
    { class: 'key-row' },
    h('span', { class: 'keys' }, keyCaps(keys)),
    h('span', null, say(what)),
  );

export function showHelp() {
  if (document.querySelector('dialog[open]')) return;
  const dialog = h(
    'dialog',
    {
      class: 'sheet',
      'aria-label': 'Keys',
      onclose: () => dialog.remove(),
      onclick: (event) => {
        if (event.target === dialog) dialog.close();
      },
    },
    h(
      'header',
      null,
      h('h2', null, 'Keys'),
      h('span', { class: 'grow' }),
      h('button', { class: 'quiet', onclick: () => dialog.close() }, 'Close'),
    ),
    h(
      'div',
      { class: 'key-columns' },
      h(
        'section',
        null,
        h('h3', null, 'Everywhere'),
        SHORTCUTS.map((one) => rowOf([one.keys, one.what])),
      ),
      h(
        'section',
        null,
        LOCAL_KEYS.map(([title, rows]) => [h('h3', null, title), rows.map(rowOf)]),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
