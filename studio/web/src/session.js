// The simulated class, its compiled model, and the values that were set for it. The model is
// compiled again only if a text or the class has changed since.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { activeDocument, findDocument, textOf, unsavedTexts } from './documents.js';
import { afterPause } from './dom.js';
import { notify } from './notices.js';

export const session = {
  /** @type {string|null} the class that Run takes */ class: null,
  /** @type {string|null} the file it is in */ path: null,
  /** the user chose it from the list: it stays when another file is shown */ chosen: false,
  /** @type {any} answer of /api/model */ model: null,
  /** the texts changed since */ stale: true,
  /** @type {any[]} messages of the last compilation that failed */ diagnostics: [],
  /**
   * By class: values of parameters and starts.
   * @type {Record<string, Record<string, any>>}
   */
  settings: {},
  /**
   * By class: stop time, solver, tolerance, intervals.
   * @type {Record<string, Record<string, any>>}
   */
  experiments: {},
};

/** @type {WeakMap<any[], Map<string, any>>} by the list of a model */
const variablesByName = new WeakMap();

/** A variable of the compiled model. @param {string} name @returns {any} */
export function variableNamed(name) {
  const list = session.model?.variables;
  if (!list) return undefined;
  let byName = variablesByName.get(list);
  if (!byName) {
    byName = new Map(list.map((one) => [one.name, one]));
    variablesByName.set(list, byName);
  }
  return byName.get(name);
}

/** Values set for the present class. @returns {Record<string, any>} */
export const settings = () => (session.class ? (session.settings[session.class] ??= {}) : {});
/** Stop time, solver and the like that were set for it. @returns {Record<string, any>} */
export const experiment = () => (session.class ? (session.experiments[session.class] ??= {}) : {});

/** @param {string|null} name @param {string|null} path @param {boolean} [chosen] */
export function chooseClass(name, path, chosen = false) {
  session.chosen = chosen;
  if (name === session.class) {
    session.path = path ?? session.path;
    return;
  }
  Object.assign(session, { class: name, path, stale: true, model: null, diagnostics: [] });
  emit('class', name);
  emit('model', null);
  emit('layout');
}

/** Sets a value, or forgets it. @param {string} name @param {any} [value] */
export function setValue(name, value) {
  if (value === undefined) delete settings()[name];
  else settings()[name] = value;
  emit('setting', name);
  emit('layout');
}

export function resetValues() {
  if (session.class) session.settings[session.class] = {};
  emit('setting', null);
  emit('layout');
}

/** @type {Promise<any>|null} */
let compiling = null;

/** The model of the texts as they are now, or null after an error, which is shown. */
export function compile() {
  if (session.model && !session.stale) return Promise.resolve(session.model);
  compiling ??= compileNow().finally(() => {
    compiling = null;
  });
  return compiling;
}

async function compileNow() {
  const open = unsavedTexts();
  const path = session.path ?? activeDocument()?.path ?? null;
  const active = path ? findDocument(path) : null;
  if (active && !open.some((text) => text.path === active.path) && !active.readOnly)
    open.push({ path: active.path, text: textOf(active) });
  session.stale = false;
  try {
    const asked = session.class;
    const model = await api.model({ class: asked, path, open });
    // another was chosen meanwhile
    if (asked !== null && session.class !== asked) return compileNow();
    if (session.stale) return compileNow(); // the text changed meanwhile
    Object.assign(session, { model, diagnostics: [] });
    if (!session.class) takeClass(session.model.class, path);
  } catch (error) {
    if (session.stale) return compileNow(); // the messages are about an older text
    session.stale = true;
    session.model = null;
    session.diagnostics = error.body?.diagnostics ?? [];
    if (!session.diagnostics.length) notify(error.message, 'error');
  }
  emit('model', session.model);
  return session.model;
}

/** The class that the compiler found if none was known yet. */
function takeClass(name, path) {
  Object.assign(session, { class: name, path });
  emit('class', name);
}

/** The class follows the visible file, unless another was chosen. */
function follow({ doc, answer }) {
  if (doc !== activeDocument()) return;
  const names = (answer.classes ?? []).filter((row) => row.model !== false).map((row) => row.name);
  const mine = session.class && names.includes(session.class);
  // a text in error keeps the class it had
  if (session.path === doc.path && session.class && (mine || !answer.model)) return;
  const gone = session.path === doc.path && !mine; // its class was renamed or deleted
  // libraries are read while a model is worked on
  if (session.class && !gone && (session.chosen || doc.readOnly)) return;
  if (!session.class) session.path = doc.path; // Run reports its errors
  if (answer.model) chooseClass(answer.model, doc.path);
}

// ms without typing after which a text without errors is compiled, so that a run starts at once
const COMPILE_PAUSE = 500;

/** Compiles ahead, quietly. */
const ahead = afterPause(COMPILE_PAUSE, () => {
  const errors = activeDocument()?.answer?.diagnostics?.some(
    (message) => message.severity === 'error',
  );
  if (session.class && session.stale && !errors) compile();
});

export function startSession() {
  on('class', (name) => {
    document.title = name ? `${name} – Kairos studio` : 'Kairos studio';
  });
  on('checked', follow);
  on('checked class', ahead);
  on('document:changed document:saved', () => {
    session.stale = true;
  });
  on('document:changed', () => {
    session.diagnostics = []; // the check of the new text finds what is still wrong
  });
  on(
    'document:closed',
    (doc) => doc.path === session.path && !activeDocument() && chooseClass(null, null),
  );
}
