// Another program changed a file that has unsaved changes here. The user takes its text, keeps the
// own text, or looks at the differences first.
import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { on } from './bus.js';
import { activeDocument, keepMine, takeFromDisk, textOf } from './documents.js';
import { fill, h } from './dom.js';
import { colours, modelica } from './modelica.js';

export function createConflictBar() {
  const bar = h('div', { class: 'conflict', role: 'alert', hidden: true });
  function write() {
    const doc = activeDocument();
    bar.hidden = !doc?.conflict;
    if (!doc?.conflict) return;
    const { hash, text } = doc.conflict;
    const deleted = text === null;
    fill(
      bar,
      h(
        'span',
        null,
        deleted
          ? 'Another program deleted this file.'
          : 'Another program changed this file, and you have unsaved changes.',
      ),
      !deleted && h('button', { onclick: () => takeFromDisk(doc, { hash, text }) }, 'Reload'),
      h('button', { onclick: () => keepMine(doc) }, 'Keep mine'),
      !deleted && h('button', { onclick: () => showDifferences(doc) }, 'Differences'),
    );
  }
  on('document:conflict document:active', write);
  return bar;
}

/** @param {import('./documents.js').Doc} doc */
function showDifferences(doc) {
  const { hash, text } = /** @type {any} */ (doc.conflict);
  const place = h('div', { class: 'differences' });
  const done = (act) => () => {
    dialog.close();
    act();
  };
  const dialog = h(
    'dialog',
    { class: 'sheet wide', 'aria-label': 'Differences', onclose: () => dialog.remove() },
    h(
      'header',
      null,
      h('h2', null, doc.path),
      h('span', { class: 'muted' }, 'left: on disk, right: here'),
    ),
    place,
    h(
      'footer',
      null,
      h('button', { onclick: done(() => takeFromDisk(doc, { hash, text })) }, 'Reload from disk'),
      h('button', { onclick: done(() => keepMine(doc)) }, 'Keep mine'),
      h('button', { onclick: () => dialog.close() }, 'Decide later'),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  const fixed = [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    lineNumbers(),
    modelica,
    colours,
  ];
  new MergeView({
    a: { doc: text, extensions: fixed },
    b: { doc: textOf(doc), extensions: fixed },
    parent: place,
    collapseUnchanged: { margin: 3, minSize: 6 },
  });
}
