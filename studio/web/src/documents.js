// The open files: their texts, saved or not, and changes on disk by other programs.
import { api } from './api.js';
import { emit } from './bus.js';
import { createState } from './editor_state.js';
import { notify } from './notices.js';
import { askToSave } from './sheet.js';

/**
 * @typedef {object} Doc
 * @property {string} path
 * @property {string|null} base    hash of the text on disk that this one came from; null: not on
 * disk yet
 * @property {string} saved        that text
 * @property {boolean} readOnly
 * @property {import('@codemirror/state').EditorState} state
 * @property {{hash: string|null, text: string|null}|null} conflict  what another program wrote
 * while there are changes here
 * @property {any} answer          of the last check, or null
 * @property {Promise<void>} saving the last save, which is under way or has ended
 */

/** @type {Doc[]} in the order of the tabs */
export const documents = [];
/** @type {Doc|null} */
let active = null;

export const activeDocument = () => active;
export const textOf = (/** @type {Doc} */ doc) => doc.state.doc.toString();
export const isDirty = (/** @type {Doc} */ doc) =>
  !doc.readOnly && (doc.base === null || textOf(doc) !== doc.saved);
export const findDocument = (/** @type {string} */ path) =>
  documents.find((doc) => doc.path === path);
/** Texts that differ from the disk's, for calls that should see them. */
export const unsavedTexts = () =>
  documents.filter(isDirty).map((doc) => ({ path: doc.path, text: textOf(doc) }));

/**
 * @param {string} path
 * @param {string} text
 * @param {{base: string|null, saved?: string, readOnly?: boolean}} how
 */
function add(path, text, { base, saved = text, readOnly = false }) {
  /** @type {Doc} */
  const doc = {
    path,
    base,
    saved,
    readOnly,
    state: createState(text, readOnly),
    conflict: null,
    answer: null,
    saving: Promise.resolve(),
  };
  documents.push(doc);
  emit('document:opened', doc);
  emit('layout');
  return doc;
}

/** @param {Doc|null} doc */
export function activate(doc) {
  if (doc === active) return;
  active = doc;
  emit('document:active', doc);
  emit('layout');
}

let wishes = 0; // to show a file

/**
 * Opens a file, or shows it if it is open.
 * @param {string} path
 * @param {{activate?: boolean}} [how]
 * @returns {Promise<Doc|null>}
 */
export async function openDocument(path, how = {}) {
  const mine = how.activate === false ? 0 : ++wishes;
  let doc = findDocument(path);
  if (!doc) {
    try {
      const file = await api.file(path);
      doc =
        findDocument(path) ??
        add(path, file.text, { base: file.hash, readOnly: Boolean(file.read_only) });
    } catch (error) {
      notify(`${path}: ${error.message}`, 'error');
      return null;
    }
  }
  if (mine && mine === wishes) activate(doc); // else a later wish has overtaken this one
  return doc;
}

/**
 * A file with unsaved changes of an earlier page.
 * @param {{path: string, text: string, base: string|null}} draft
 */
export async function restoreDraft(draft) {
  const file = draft.base === null ? null : await api.file(draft.path).catch(() => null);
  const doc = add(draft.path, draft.text, { base: draft.base, saved: file?.text ?? '' });
  if (file && file.hash !== draft.base) setConflict(doc, { hash: file.hash, text: file.text });
  return doc;
}

/**
 * Makes a file on disk and opens it; the path must be free.
 * @param {string} path
 * @param {string} text
 */
export async function createDocument(path, text, { show = true } = {}) {
  const { hash } = await api.saveFile(path, text, null);
  const doc = add(path, text, { base: hash });
  if (show) activate(doc);
  emit('document:saved', doc);
  return doc;
}

/** @param {Doc} doc @param {{hash: string|null, text: string|null}|null} conflict */
function setConflict(doc, conflict) {
  doc.conflict = conflict;
  emit('document:conflict', doc);
}

/**
 * Saves unless there is nothing to save. Saves of a file wait for each other, because each one
 * names the text on disk that it replaces.
 * @param {Doc} doc
 */
export function saveDocument(doc) {
  if (doc.readOnly) {
    notify('This file belongs to a library and is read only.', 'error');
    return Promise.resolve();
  }
  doc.saving = doc.saving.then(() => saveNow(doc));
  return doc.saving;
}

/** @param {Doc} doc */
async function saveNow(doc) {
  if (!isDirty(doc)) return;
  const text = textOf(doc);
  try {
    const { hash } = await api.saveFile(doc.path, text, doc.base);
    Object.assign(doc, { base: hash, saved: text });
    setConflict(doc, null);
    emit('document:saved', doc);
    emit('layout');
  } catch (error) {
    if (error.status === 409) setConflict(doc, { hash: error.body.hash, text: error.body.text });
    else notify(`${doc.path} could not be saved: ${error.message}`, 'error');
  }
}

/** Takes the text of the disk. @param {Doc} doc @param {{hash: string, text: string}} disk */
export function takeFromDisk(doc, disk) {
  Object.assign(doc, { base: disk.hash, saved: disk.text });
  emit('document:replace', { doc, text: disk.text });
  setConflict(doc, null);
  emit('document:saved', doc);
}

/** Keeps the text here: the next save replaces the one on disk. @param {Doc} doc */
export function keepMine(doc) {
  if (!doc.conflict) return;
  Object.assign(doc, { base: doc.conflict.hash, saved: doc.conflict.text ?? '' });
  setConflict(doc, null);
  emit('document:saved', doc);
}

/**
 * The server says that a file changed on disk.
 * @param {{path: string, hash: string|null}} change
 */
export async function changedOnDisk({ path, hash }) {
  const doc = findDocument(path);
  await doc?.saving; // the change may be our own
  if (!doc || doc.base === hash) return;
  if (hash === null) return setConflict(doc, { hash: null, text: null });
  const file = await api.file(path).catch(() => null);
  if (!file || file.hash === doc.base) return;
  if (isDirty(doc)) return setConflict(doc, { hash: file.hash, text: file.text });
  takeFromDisk(doc, file);
  notify(`${path} was changed by another program; the new text is shown.`);
}

/** Asks if there are changes. @param {Doc} doc */
export async function closeDocument(doc) {
  if (isDirty(doc) && textOf(doc).trim()) {
    const wish = await askToSave(doc.path);
    if (!wish) return;
    if (wish === 'save') await saveDocument(doc);
    if (wish === 'save' && isDirty(doc)) return; // it could not be saved
  }
  forgetDocument(doc);
}

/** Closes without a question. @param {Doc} doc */
export function forgetDocument(doc) {
  const index = documents.indexOf(doc);
  documents.splice(index, 1);
  if (active === doc) activate(documents[Math.min(index, documents.length - 1)] ?? null);
  emit('document:closed', doc);
  emit('layout');
}
