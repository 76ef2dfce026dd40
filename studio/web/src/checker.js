// Checks the active document while it is being written: after a short pause, one question at a
// time, and answers to an older text are dropped.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { activeDocument, textOf, unsavedTexts } from './documents.js';
import { afterPause } from './dom.js';
import { latest } from './latest.js';
import { notify } from './notices.js';

const PAUSE = 25; // ms: keys that come at once are checked at once

function question(doc) {
  return { doc, text: textOf(doc) };
}

const ask = latest(
  ({ doc, text }) =>
    api.check({
      path: doc.path,
      text,
      open: unsavedTexts().filter((other) => other.path !== doc.path),
    }),
  (answer, { doc, text }, stale) => {
    if (stale || text !== textOf(doc)) return;
    doc.answer = answer;
    emit('checked', { doc, answer });
  },
  (error) => notify(`The check failed: ${error.message}`, 'error'),
);

export function startChecking() {
  const soon = afterPause(PAUSE, (doc) => ask(question(doc)));
  on('document:changed', soon);
  on(
    'document:active',
    (doc) =>
      doc && (doc.answer ? emit('checked', { doc, answer: doc.answer }) : ask(question(doc))),
  );
  on('document:saved', () => {
    const doc = activeDocument();
    if (doc) soon(doc);
  });
}
