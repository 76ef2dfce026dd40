// Edits of classes by the server (/api/edit): changes of a text, applied as one step that can be
// undone. Edits wait for each other; an edit for an older text is asked again.
import { api } from './api.js';
import { activate, findDocument, openDocument, textOf, unsavedTexts } from './documents.js';
import { changeDocument, stepHistory } from './editor.js';
import { emit, on } from './bus.js';
import { notify } from './notices.js';

/** The last edit under way. @type {Promise<any>} */
let last = Promise.resolve();

/** Files of classes, as far as they are known. @type {Map<string, string>} */
const paths = new Map();
on('checked', ({ doc, answer }) => {
  for (const [name, path] of paths) if (path === doc.path) paths.delete(name);
  for (const row of answer.classes ?? []) paths.set(row.name, doc.path);
});

/** The file in which a class is written, opened; or null. @param {string} name */
export async function documentOf(name) {
  if (!paths.has(name)) {
    const found = await api.class(name, unsavedTexts()).catch(() => null);
    if (found?.path) paths.set(name, found.path);
  }
  const path = paths.get(name);
  return path ? openDocument(path, { activate: false }) : null;
}

/** @param {any} doc @param {string} name @param {string} text @param {any[]} operations */
const ask = (doc, name, text, operations) =>
  api.edit({
    path: doc.path,
    text,
    class: name,
    operations,
    open: unsavedTexts().filter((other) => other.path !== doc.path),
  });

/** Ranges of the server as changes of the editor. @param {any} text @param {any[]} changes */
export function toChanges(text, changes) {
  const place = ({ line, character }) => {
    const row = text.line(Math.min(line + 1, text.lines));
    return Math.min(row.from + character, row.to);
  };
  return changes.map((one) => ({
    from: place(one.range.start),
    to: place(one.range.end),
    insert: one.newText,
  }));
}

/**
 * Does something after all that was asked for before it.
 * @template T
 * @param {() => T|Promise<T>} act
 * @returns {Promise<T>}
 */
function inTurn(act) {
  const mine = last.then(act);
  last = mine.catch(() => {});
  return mine;
}
const refused = (error) => {
  notify(error.message, 'error');
  return null;
};

/** All edits that were asked for are in the text. */
export const settled = () => inTurn(() => {});

/**
 * What a step may know: names of new components of the steps before it, and questions about the
 * text as it is then.
 * @typedef {(names: string[], ask: (operations: any[]) => Promise<any>) => any[]|Promise<any[]>}
 * Step
 */

/**
 * Applies operations to a class. Each step is a list of operations, or gives one; all steps
 * together are one change of the text.
 * @param {string} name
 * @param {...(any[]|Step)} steps
 * @returns {Promise<string[]|null>} the names of new components; null after a refusal
 */
export const edit = (name, ...steps) => inTurn(() => editNow(name, steps)).catch(refused);

async function editNow(name, steps) {
  const doc = await documentOf(name);
  if (!doc) throw new Error(`The file of ${name} cannot be opened.`);
  if (doc.readOnly)
    throw new Error(`${name} belongs to a library and is read only; duplicate it to edit it.`);
  let text = textOf(doc);
  const before = text;
  /** @type {string[]} */
  const names = [];
  let changes = null;
  for (const step of steps) {
    const present = text;
    const operations =
      typeof step === 'function' ? await step(names, (all) => ask(doc, name, present, all)) : step;
    if (!operations.length) continue;
    const answer = await ask(doc, name, text, operations);
    if (answer.error) throw new Error(answer.error);
    names.push(...answer.names);
    changes = text === before ? toChanges(doc.state.doc, answer.changes) : null;
    text = answer.text;
  }
  if (textOf(doc) !== before) return editNow(name, steps);
  if (text === before) return names;
  changeDocument(doc, changes ?? whole(before, text));
  return names;
}

/** The smallest single change from one text to another. @param {string} a @param {string} b */
function whole(a, b) {
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  let [to, end] = [a.length, b.length];
  while (to > from && end > from && a[to - 1] === b[end - 1]) {
    to--;
    end--;
  }
  return [{ from, to, insert: b.slice(from, end) }];
}

/**
 * What the text would be after steps of operations, without applying anything; after the edits that
 * were asked for before.
 * @param {string} name @param {...any[]} steps
 */
export const preview = (name, ...steps) => inTurn(() => previewNow(name, steps));

async function previewNow(name, steps) {
  const doc = await documentOf(name);
  if (!doc) throw new Error(`The file of ${name} cannot be opened.`);
  /** @type {any} */
  let answer = { text: textOf(doc), changes: [], names: [] };
  for (const step of steps) {
    answer = await ask(doc, name, answer.text, step);
    if (answer.error) break;
  }
  return { doc, answer };
}

/** Codes of messages about the new text itself; others judge the model, which may be unfinished. */
const ABOUT_TEXT = /^[SIF]/;

/**
 * The error that an operation would cause, or null. It is the compiler's own message about the new
 * text. `refused`: the text would not be one of Modelica, and the operation cannot be done.
 * @param {string} name @param {any} operation
 * @returns {Promise<{message: string, refused: boolean}|null>}
 */
export async function editError(name, operation) {
  const { doc, answer } = await preview(name, [operation]);
  if (answer.error) return { message: answer.error, refused: true };
  const at = answer.changes[0];
  if (!at) return null;
  const lines = at.newText.split('\n');
  const { line, character } = at.range.start;
  const begin = [line + 1, character + 1];
  const end = [
    line + lines.length,
    (lines.length > 1 ? 1 : character + 1) + lines[lines.length - 1].length,
  ];
  const isBefore = (one, other) => one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
  const checked = await api.check({
    path: doc.path,
    text: answer.text,
    class: name,
    open: unsavedTexts().filter((other) => other.path !== doc.path),
  });
  const found = checked.diagnostics.find(
    (message) =>
      message.severity === 'error' &&
      ABOUT_TEXT.test(message.code) &&
      message.path === doc.path &&
      !isBefore([message.line, message.column], begin) &&
      !isBefore(end, [message.line, message.column]),
  );
  return found ? { message: found.message, refused: false } : null;
}

/**
 * The error that a connection would cause, or null.
 * @param {string} name @param {string} a @param {string} b
 */
export const connectionError = (name, a, b) =>
  editError(name, { op: 'connect', a, b }).then((error) => error?.message ?? null);

/** @param {string} name @param {number} direction below 0: undo */
export const stepBack = (name, direction) =>
  inTurn(async () => {
    const doc = await documentOf(name);
    if (doc) stepHistory(doc, direction);
  }).catch(refused);

/**
 * The edits of all files for a new name of what is declared at a place, or `error`.
 * @param {any} doc @param {string} class_ @param {{line: number, character: number}} place from 0
 * @param {string} name
 */
export const askRename = (doc, class_, place, name) =>
  api
    .rename({
      path: doc.path,
      text: textOf(doc),
      class: class_,
      ...place,
      name,
      open: unsavedTexts().filter((other) => other.path !== doc.path),
    })
    .catch((error) => ({ error: error.message }));

/**
 * Applies the answer of /api/rename: edits of several files, and new names of files.
 * @param {any} answer
 */
export async function applyEverywhere(answer) {
  let count = 0;
  for (const one of answer?.documentChanges ?? []) {
    if (!one.textDocument) continue;
    const doc = await openDocument(pathOf(one.textDocument.uri), { activate: false });
    if (!doc || doc.readOnly) continue;
    changeDocument(doc, toChanges(doc.state.doc, one.edits));
    count += one.edits.length;
  }
  return count;
}

/** The path that the page knows, from an address of a file. @param {string} uri */
export function pathOf(uri) {
  const full = decodeURIComponent(uri.replace(/^file:\/\//, ''));
  return findDocument(full)?.path ?? relative(full);
}

let workspace = '';
/** @param {string} folder */
export const setWorkspace = (folder) => {
  workspace = folder;
};
const relative = (full) =>
  workspace && full.startsWith(`${workspace}/`) ? full.slice(workspace.length + 1) : full;

/** Shows the source of a class. @param {string} name */
export async function showSource(name) {
  const doc = await documentOf(name);
  if (!doc) return;
  activate(doc);
  emit('view', 'source');
}
