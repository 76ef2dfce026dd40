// The objects of the event log as text: the causes of an event, and its changes.
import { shown } from './curves.js';
import { say } from './language.js';

const value = (v) =>
  typeof v === 'boolean' ? String(v) : typeof v === 'number' ? shown(v) : String(v ?? '–');

/** @param {any} trigger @returns {string} */
export function triggerText(trigger) {
  if (trigger.kind === 'sample')
    return `sample(${shown(trigger.start)}, ${shown(trigger.interval)})`;
  if (trigger.text) return `${trigger.text} ${say('is')} ${value(trigger.value)}`;
  return say(trigger.kind ?? 'event');
}

/** Whether a state is active, as one reads it in Modelica. @param {string} name */
const readable = (name) => name.replace(/^(.*)\.\$active$/, 'activeState($1)');

/**
 * "v: −4.4 → 3.1"; other names with $ belong to the compiler.
 * @param {any} event @returns {string[]}
 */
export function changeTexts(event) {
  const rows = [...(event.changes ?? []), ...(event.reinits ?? []), ...(event.mode?.jumps ?? [])];
  return rows
    .map((row) => ({ ...row, name: readable(row.name) }))
    .filter((row) => !row.name.includes('$'))
    .map((row) => `${row.name}: ${value(row.old)} → ${value(row.new)}`);
}

/** Where in the source the event comes from, or null. @param {any} event */
export function placeOf(event) {
  const trigger = (event.triggers ?? []).find((one) => (one.path ?? one.file) && one.line);
  return trigger
    ? { path: trigger.path ?? trigger.file, line: trigger.line, column: trigger.column ?? 1 }
    : null;
}
