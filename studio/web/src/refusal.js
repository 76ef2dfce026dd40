// A field whose text is refused: it is red, and the reason is shown beside it and announced.
import { h } from './dom.js';
import { say } from './language.js';

let count = 0;

/**
 * Shows why the text of a field is refused, or takes that back.
 * @param {any} field
 * @param {string|null} reason
 * @param {Element} [place] gets the reason as its last child; without it, the reason follows the
 * field
 */
export function refuse(field, reason, place) {
  field.reason?.remove();
  field.reason = null;
  field.setAttribute('aria-invalid', String(reason !== null));
  field.removeAttribute('aria-describedby');
  if (reason === null) return;
  field.reason = h(
    'span',
    { class: 'refusal', role: 'alert', id: `refusal-${++count}` },
    say(reason),
  );
  field.setAttribute('aria-describedby', field.reason.id);
  if (place) place.append(field.reason);
  else field.after(field.reason);
}
