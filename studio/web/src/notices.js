// Short messages in the corner; errors stay longer, and all can be closed.
import { byId, h, icon } from './dom.js';
import { ICONS } from './icons.js';
import { say } from './language.js';

/** @param {string} text @param {'info'|'error'} [kind] */
export function notify(text, kind = 'info') {
  const place = byId('notices');
  for (const old of place.children)
    if (/** @type {HTMLElement} */ (old).dataset.text === text) old.remove();
  const close = () => notice.remove();
  const notice = h(
    'div',
    {
      class: `notice notice-${kind}`,
      dataset: { text },
      role: kind === 'error' ? 'alert' : undefined,
    },
    h('span', null, say(text)),
    h(
      'button',
      { class: 'quiet', onclick: close, 'aria-label': 'Close this message' },
      icon(ICONS.close),
    ),
  );
  place.append(notice);
  while (place.children.length > 4) place.firstElementChild?.remove();
  setTimeout(close, kind === 'error' ? 12000 : 5000);
}
