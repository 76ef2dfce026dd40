// A modal dialog; a promise of its answer, null if it was left.
import { h } from './dom.js';
import { say } from './language.js';

/**
 * @param {string} title
 * @param {any[]} body
 * @param {{answer?: () => any, button?: string, wide?: boolean, more?: any}} how `answer` is asked
 * when the button is pressed, and may be awaited; undefined keeps the dialog open
 * @returns {Promise<any>}
 */
export function askInSheet(title, body, { answer, button = 'OK', wide = false, more = null } = {}) {
  return new Promise((resolve) => {
    let result = null;
    const before = focusables();
    let asked = false;
    const close = async () => {
      if (asked) return;
      asked = true;
      const value = answer ? await answer() : true;
      asked = false;
      if (value === undefined || !dialog.open) return;
      result = value;
      dialog.close();
    };
    const dialog = h(
      'dialog',
      {
        class: `sheet ${wide ? '' : 'small'}`,
        'aria-label': title,
        onclose: () => {
          dialog.remove();
          if (!document.activeElement || document.activeElement === document.body)
            before.find((one) => one.isConnected)?.focus({ preventScroll: true });
          resolve(result);
        },
      },
      h(
        'form',
        {
          method: 'dialog',
          onsubmit: (event) => {
            event.preventDefault();
            close();
          },
        },
        h('header', null, h('h2', null, say(title))),
        h('div', { class: 'sheet-body' }, body),
        h(
          'footer',
          null,
          more,
          h('span', { class: 'grow' }),
          h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
          h('button', { type: 'submit', class: 'primary' }, button),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** The element that has the focus, and those around it: it may vanish behind a dialog. */
function focusables() {
  /** @type {HTMLElement[]} */
  const all = [];
  for (let one = /** @type {any} */ (document.activeElement); one; one = one.parentElement)
    if (one.tabIndex >= 0 && one !== document.body) all.push(one);
  return all;
}

/** What to do with changes of a file that closes. @param {string} path */
export function askToSave(path) {
  let wish = 'save';
  return askInSheet(`Save changes of ${path}?`, [], {
    button: 'Save',
    answer: () => wish,
    more: h(
      'button',
      {
        type: 'submit',
        onclick: () => {
          wish = 'drop';
        },
      },
      'Close without saving',
    ),
  });
}
