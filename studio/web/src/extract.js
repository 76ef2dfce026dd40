// Moves parts of a diagram into a sub-model: a new class beside the present one, in a file of its
// own, or in the same file if the class is inside another one.
import { api } from './api.js';
import { emit } from './bus.js';
import { askForName, taken } from './class_files.js';
import { createDocument, textOf, unsavedTexts } from './documents.js';
import { edit, preview } from './edits.js';
import { notify } from './notices.js';

/** The text of the model with its parts in the middle and its lines routed. */
async function arranged(path, full, text, { components, middle, inner }) {
  let now = text;
  const steps = [
    [{ op: 'move', components, by: middle.map((x) => -x) }],
    ...inner.map(([a, b]) => [{ op: 'route', a, b }]),
  ];
  for (const operations of steps) {
    const answer = await api.edit({
      path,
      text: now,
      class: full,
      operations,
      open: unsavedTexts(),
    });
    if (!answer.error) now = answer.text;
  }
  return now;
}

/**
 * @param {string} name of the class @param {string[]} components
 * @returns {Promise<string[]|null>} the new component
 */
export async function extractParts(name, components) {
  const model = await askForName('Name of the sub-model', 'SubModel');
  if (!model) return null;
  const step = { op: 'extract', components, name: model };
  const { doc, answer } = await preview(name, [step]);
  if (answer.error) {
    notify(answer.error, 'error');
    return null;
  }
  const full = [...name.split('.').slice(0, -1), model].join('.');
  const middle = answer.part.at;
  if (answer.model) {
    const path = doc.path.replace(/[^/]*$/, `${model}.mo`);
    if ((await taken()).has(path)) {
      notify(`${path} exists already.`, 'error');
      return null;
    }
    const within = /^\s*within\b[^;]*;/.exec(textOf(doc))?.[0];
    const text = (within ? `${within.trim()}\n` : '') + answer.model;
    const how = { components, middle, inner: answer.inner };
    await createDocument(path, await arranged(path, full, text, how), { show: false });
    emit('files');
  }
  return edit(
    name,
    [step],
    () => [{ op: 'add', class: full, ...answer.part }],
    ...answer.outer.map(([a, b]) => [{ op: 'connect', a, b }]),
  );
}
