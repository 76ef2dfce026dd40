// Files of classes: duplicate a class into the workspace, save as, new names of classes and files.
import { api } from './api.js';
import { emit } from './bus.js';
import {
  activeDocument,
  createDocument,
  forgetDocument,
  textOf,
  unsavedTexts,
} from './documents.js';
import { h } from './dom.js';
import { applyEverywhere, askRename, documentOf, settled } from './edits.js';
import { notify } from './notices.js';
import { refuse } from './refusal.js';
import { chooseClass, session } from './session.js';
import { askInSheet } from './sheet.js';

const NAME = /^[A-Za-z_]\w*$/;
const KINDS = 'model|block|class|package|connector|record|function|type|operator';

/** Asks for a name. @param {string} title @param {string} value @returns {Promise<string|null>} */
export function askForName(title, value) {
  const field = h('input', { type: 'text', 'aria-label': 'Name', value, autofocus: true });
  return askInSheet(title, [field], {
    answer: () => {
      if (NAME.test(field.value.trim())) return field.value.trim();
      return refuse(field, 'A name has letters, digits and _, and begins with a letter.');
    },
  });
}

/** The paths that exist. */
export async function taken() {
  return new Set((await api.files().catch(() => [])).map((file) => file.path));
}

/** A class under a new name, in a file of its own. @param {string} full */
export async function duplicateClass(full) {
  await settled();
  const found = await api.class(full, unsavedTexts()).catch(() => null);
  if (!found?.text) return notify(`The source of ${full} is not available.`, 'error');
  const old = full.split('.').at(-1) ?? full;
  const name = await askForName(`Duplicate ${full} as`, `${old}Copy`);
  if (!name) return undefined;
  if ((await taken()).has(`${name}.mo`)) return notify(`${name}.mo exists already.`, 'error');
  const around = full.split('.').slice(0, -1).join('.');
  const text = await standalone(found.text, old, name, around);
  await createDocument(`${name}.mo`, text);
  emit('files');
  return chooseClass(name, `${name}.mo`);
}

/** The text of a class that stands by itself: neighbours in its package get their full names. */
async function standalone(text, old, name, around) {
  const renamed = text
    .replace(new RegExp(`^(\\s*(?:\\w+\\s+)*?)${old}\\b`), `$1${name}`)
    .replace(new RegExp(`\\bend\\s+${old}\\s*;?\\s*$`), `end ${name};`);
  const moved = `${renamed.trimEnd().replace(/;?$/, ';')}\n`;
  if (!around) return moved;
  const checked = await api.check({ path: `${name}.mo`, text: moved, open: [] }).catch(() => null);
  const unknown = [
    ...new Set(
      (checked?.diagnostics ?? [])
        .filter((message) => message.severity === 'error')
        .map((message) => /'([A-Za-z_]\w*)[.']/.exec(message.message)?.[1])
        .filter(Boolean),
    ),
  ];
  let result = moved;
  for (const word of unknown) {
    const home = await homeOf(String(word), around);
    if (home) result = result.replace(new RegExp(`(?<![\\w."'])${word}(?=[.\\s(\\[])`, 'g'), home);
  }
  return result;
}

/** The full name of a class that a package or one around it declares. */
async function homeOf(word, around) {
  const parts = around.split('.');
  for (let n = parts.length; n > 0; n--) {
    const full = [...parts.slice(0, n), word].join('.');
    if (await api.class(full).catch(() => null)) return full;
  }
  return null;
}

/** The package in whose folder a file is: its full name, or ''. @param {string} path */
export async function packageAround(path) {
  const folders = path.split('/').slice(0, -1);
  const paths = await taken();
  const has = (n) => paths.has(`${folders.slice(0, n).join('/')}/package.mo`);
  let first = folders.length;
  while (first > 0 && has(first)) first--;
  return folders.slice(first).join('.');
}

/** A new class in a file of its own: in the package of the present file, if it is in one. */
async function newInFolder(kind, title, first) {
  const here = activeDocument()?.readOnly ? '' : (activeDocument()?.path ?? '');
  const around = await packageAround(here);
  const name = await askForName(around ? `${title} in ${around}` : title, first);
  if (!name) return undefined;
  const folder = around ? here.replace(/[^/]*$/, '') : '';
  const path = kind === 'package' ? `${folder}${name}/package.mo` : `${folder}${name}.mo`;
  if ((await taken()).has(path)) return notify(`${path} exists already.`, 'error');
  const text = `${around ? `within ${around};\n` : ''}${kind} ${name}\nend ${name};\n`;
  await createDocument(path, text);
  emit('files');
  return chooseClass([around, name].filter(Boolean).join('.'), path);
}

/** A package is a folder with package.mo. */
export const newPackage = () => newInFolder('package', 'New package', 'Package');
/** A model in the package of the present file. */
export const newPackagedModel = () => newInFolder('model', 'New model', 'Model');

/** The text of the present file under another name. */
export async function saveAs() {
  const doc = activeDocument();
  if (!doc) return undefined;
  const old = doc.path.split('/').at(-1)?.replace(/\.\w+$/, '') ?? 'Model';
  const name = await askForName(`Save ${doc.path} as`, `${old}2`);
  if (!name) return undefined;
  if ((await taken()).has(`${name}.mo`)) return notify(`${name}.mo exists already.`, 'error');
  const text = textOf(doc)
    .replace(new RegExp(`\\b(${KINDS})(\\s+)${old}\\b`), `$1$2${name}`)
    .replace(new RegExp(`\\bend(\\s+)${old}\\b`), `end$1${name}`)
    .replace(/^within [\w.]+;/, 'within ;');
  await createDocument(`${name}.mo`, text);
  emit('files');
  return undefined;
}

/** A new name for a class, everywhere in the workspace, and for its file. @param {string} full */
export async function renameClass(full) {
  await settled();
  const doc = await documentOf(full);
  if (!doc || doc.readOnly) return notify('Only classes of the workspace can be renamed.');
  const old = full.split('.').at(-1) ?? full;
  const name = await askForName(`Rename ${full} to`, old);
  if (!name || name === old) return undefined;
  const place = placeOfClass(textOf(doc), old);
  if (!place) return notify(`The declaration of ${full} was not found.`, 'error');
  const answer = await askRename(doc, full, place, name);
  if (answer.error) return notify(answer.error, 'error');
  await applyEverywhere(answer);
  const path = fileName(doc) === `${old}.mo` ? await moveFile(doc, name) : doc.path;
  emit('files');
  const fresh = [...full.split('.').slice(0, -1), name].join('.');
  return chooseClass(fresh, path);
}

/** A new name for the present file, whatever its classes are called. */
export async function renameFile() {
  const doc = activeDocument();
  if (!doc || doc.readOnly) return notify('Only files of the workspace can be renamed.');
  await settled();
  const chosen = session.path === doc.path ? session.class : null;
  const first = chosen?.split('.').at(-1) ?? fileName(doc).replace(/\.mo$/, '');
  const name = await askForName(`Rename ${doc.path} to`, first);
  if (!name || `${name}.mo` === fileName(doc)) return undefined;
  const path = await moveFile(doc, name);
  emit('files');
  return chosen ? chooseClass(chosen, path) : undefined;
}

/** Line and character, from 0, of the name in a declaration. */
function placeOfClass(text, name) {
  const found = new RegExp(`\\b(?:${KINDS})\\s+${name}\\b`).exec(text);
  if (!found) return null;
  const before = text.slice(0, found.index + found[0].length - name.length).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

const fileName = (doc) => doc.path.split('/').at(-1);

/** Returns the new path, or the old one if the name is taken. */
async function moveFile(doc, name) {
  const path = doc.path.replace(/[^/]*$/, `${name}.mo`);
  if ((await taken()).has(path)) {
    notify(`${path} exists already; the file keeps its name.`);
    return doc.path;
  }
  await createDocument(path, textOf(doc));
  forgetDocument(doc);
  await api.deleteFile(doc.path, doc.base ?? undefined);
  return path;
}
