// The editor: one view that shows the active document, the compiler's messages in it, completion
// and hover.
import { isolateHistory, redo, undo } from '@codemirror/commands';
import { setDiagnostics } from '@codemirror/lint';
import { EditorSelection } from '@codemirror/state';
import { closeHoverTooltips, EditorView } from '@codemirror/view';
import { api } from './api.js';
import { emit, on } from './bus.js';
import { activate, activeDocument, openDocument, textOf, unsavedTexts } from './documents.js';
import { h } from './dom.js';
import { hooks, markLine } from './editor_state.js';
import { positionOf, spanOf } from './places.js';

/** @type {EditorView} */
let view;

/** @param {HTMLElement} parent */
export function createEditor(parent) {
  hooks.update = updated;
  hooks.complete = complete;
  hooks.hover = hover;
  view = new EditorView({ parent });
  on('document:active', show);
  on('document:replace', replace);
  on('checked', ({ doc }) => doc === activeDocument() && showDiagnostics(doc));
}

export const focusEditor = () => view.focus();

/** @param {import('./documents.js').Doc|null} doc */
function show(doc) {
  if (!doc) return;
  const focused = view.hasFocus;
  view.setState(doc.state);
  showDiagnostics(doc);
  if (focused) view.focus();
}

function updated(update) {
  const doc = activeDocument();
  if (!doc || update.view !== view) return;
  doc.state = update.state;
  if (update.docChanged) emit('document:changed', doc);
  if (update.docChanged || update.selectionSet) emit('layout');
}

/** Another text for a document, as one change that can be undone. */
function replace({ doc, text }) {
  const change = { changes: { from: 0, to: doc.state.doc.length, insert: text } };
  if (doc === activeDocument()) view.dispatch(change);
  else {
    doc.state = doc.state.update(change).state;
    emit('document:changed', doc);
  }
}

/** @param {import('./documents.js').Doc} doc @param {any} transaction */
function dispatchTo(doc, transaction) {
  if (doc === activeDocument()) return view.dispatch(transaction);
  doc.state = transaction.state;
  return emit('document:changed', doc);
}

/**
 * Changes of a text from elsewhere, as a step of its own for undo.
 * @param {import('./documents.js').Doc} doc @param {any[]} changes
 */
export function changeDocument(doc, changes) {
  const annotations = isolateHistory.of('full');
  if (doc === activeDocument()) return view.dispatch({ changes, annotations });
  return dispatchTo(doc, doc.state.update({ changes, annotations }));
}

/** Undo (below 0) or redo. @param {import('./documents.js').Doc} doc @param {number} direction */
export function stepHistory(doc, direction) {
  const step = direction < 0 ? undo : redo;
  const state = doc === activeDocument() ? view.state : doc.state;
  return step({ state, dispatch: (transaction) => dispatchTo(doc, transaction) });
}

/** @param {any} message @param {import('@codemirror/state').Text} text */
function toDiagnostic(message, text) {
  const notes = (message.notes ?? []).map((note) => `\n${note.message}`).join('');
  return {
    ...spanOf(text, message),
    severity:
      message.severity === 'error' ? 'error' : message.severity === 'warning' ? 'warning' : 'info',
    source: message.code,
    message: message.message + notes,
  };
}

/** @param {import('./documents.js').Doc} doc */
function showDiagnostics(doc) {
  const mine = (doc.answer?.diagnostics ?? []).filter(
    (message) => message.path === doc.path && message.line,
  );
  view.dispatch(
    setDiagnostics(
      view.state,
      mine.map((message) => toDiagnostic(message, view.state.doc)).sort((a, b) => a.from - b.from),
    ),
  );
}

let jumps = 0;

/**
 * Opens a file at a line, marks it and puts the cursor there. Without `focus` the keyboard stays
 * where it is.
 * @param {string} path @param {number} line @param {number} [column] @param {{focus?: boolean}}
 * [how]
 */
export async function goTo(path, line, column = 1, how = {}) {
  const mine = ++jumps;
  const doc = await openDocument(path, { activate: false });
  if (!doc || mine !== jumps) return; // a later jump has overtaken this one
  activate(doc);
  emit('view', 'source');
  const place = positionOf(view.state.doc, line, column);
  view.dispatch({
    selection: EditorSelection.cursor(place),
    effects: [
      closeHoverTooltips,
      EditorView.scrollIntoView(place, { y: 'center' }),
      markLine.of(view.state.doc.lineAt(place).from),
    ],
  });
  if (how.focus === false) return;
  emit('reveal', 'centre');
  view.focus();
}

/** The data of a call about a place in the text. */
function request(state, pos) {
  const doc = activeDocument();
  const line = state.doc.lineAt(pos);
  return (
    doc && {
      path: doc.path,
      text: textOf(doc),
      line: line.number,
      column: pos - line.from + 1,
      open: unsavedTexts().filter((other) => other.path !== doc.path),
    }
  );
}

const TYPES = {
  component: 'variable',
  parameter: 'constant',
  function: 'function',
  keyword: 'keyword',
  attribute: 'property',
  package: 'namespace',
};

async function complete(context) {
  const word = context.matchBefore(/[\w.]*/);
  if (!context.explicit && (!word || word.from === word.to)) return null;
  const ask = request(context.state, context.pos);
  const answer = ask && (await api.complete(ask).catch(() => null));
  if (!answer || context.aborted || !answer.items.length) return null;
  return {
    from: positionOf(context.state.doc, answer.from.line, answer.from.column),
    options: answer.items.map((item) => ({
      label: item.label,
      type: TYPES[item.kind] ?? 'class',
      detail: item.detail || undefined,
      apply: item.insert || undefined,
    })),
    validFor: /^\w*$/,
  };
}

async function hover(editor, pos) {
  const ask = request(editor.state, pos);
  const found = ask && (await api.hover(ask).catch(() => null));
  if (!found?.name) return null;
  const lead = () => goTo(found.path, found.line, found.column);
  const create = () => ({
    dom: h(
      'div',
      { class: 'hover' },
      h(
        'div',
        { class: 'hover-name' },
        found.type ? `${found.type} ` : '',
        h('strong', null, found.name),
        found.value !== undefined && found.value !== null ? ` = ${found.value}` : '',
      ),
      found.description && h('div', null, found.description),
      found.path && h('button', { class: 'link', onclick: lead }, 'Go to its declaration'),
    ),
  });
  return { pos, create, above: true };
}

/** Goes to the declaration of the name at the cursor. */
export async function goToDeclaration() {
  const ask = request(view.state, view.state.selection.main.head);
  const found = ask && (await api.hover(ask).catch(() => null));
  if (found?.path) goTo(found.path, found.line, found.column);
}

/** The position of the cursor, for a reload. */
export const cursorOf = (/** @type {import('./documents.js').Doc} */ doc) =>
  doc.state.selection.main.head;

/** @param {import('./documents.js').Doc} doc @param {number} place */
export function restoreCursor(doc, place) {
  const anchor = Math.min(place, doc.state.doc.length);
  if (doc === activeDocument()) view.dispatch({ selection: { anchor }, scrollIntoView: true });
  else doc.state = doc.state.update({ selection: { anchor } }).state;
}
