// The objects of the event log as text: the causes of an event, and its changes.
import { shown } from './curves.js';

const value = (v) =>
  typeof v === 'boolean' ? String(v) : typeof v === 'number' ? shown(v) : String(v ?? '–');

/** @param {any} trigger @returns {string} */
export function triggerText(trigger) {
  if (trigger.kind === 'sample')
    return `sample(${shown(trigger.start)}, ${shown(trigger.interval)})`;
  if (trigger.text) return `${trigger.text} is ${value(trigger.value)}`;
  return trigger.kind ?? 'event';
}

/** @param {any} event @returns {string[]} "v: −4.4 → 3.1" */
export function changeTexts(event) {
  const rows = [...(event.changes ?? []), ...(event.reinits ?? []), ...(event.mode?.jumps ?? [])];
  return rows.map((row) => `${row.name}: ${value(row.old)} → ${value(row.new)}`);
}

/** Where in the source the event comes from, or null. @param {any} event */
export function placeOf(event) {
  const trigger = (event.triggers ?? []).find((one) => (one.path ?? one.file) && one.line);
  return trigger
    ? { path: trigger.path ?? trigger.file, line: trigger.line, column: trigger.column ?? 1 }
    : null;
}

/**
 * Lanes of the mode timeline: for each guard, Boolean or whole number that an event changed, the
 * spans over which it had one value. `modes` as /api/modes gives them, `events` as the event log;
 * guards come first.
 * @param {any[]} modes @param {any[]} events @param {number} start @param {number} stop
 * @returns {{name: string, spans: {from: number, to: number, value: any}[]}[]}
 */
export function lanesOf(modes, events, start, stop) {
  /** @type {Map<string, {from: number, value: any}[]>} */
  const changes = new Map();
  const note = (name, time, old, now) => {
    if (!changes.has(name))
      changes.set(name, old === undefined ? [] : [{ from: start, value: old }]);
    changes.get(name)?.push({ from: time, value: now });
  };
  const guards = new Set();
  for (const mode of modes) {
    for (const guard of mode.guards ?? []) {
      guards.add(guard.name);
      note(guard.name, mode.time, undefined, guard.value);
    }
  }
  for (const event of events) {
    for (const row of event.changes ?? []) {
      if (guards.has(row.name) || !(typeof row.new === 'boolean' || Number.isInteger(row.new)))
        continue;
      note(row.name, event.time, row.old, row.new);
    }
  }
  return [...changes].map(([name, points]) => ({ name, spans: spansOf(points, stop) }));
}

/** @param {{from: number, value: any}[]} points @param {number} stop */
function spansOf(points, stop) {
  const spans = [];
  points.forEach((point, i) => {
    const to = points[i + 1]?.from ?? Math.max(stop, point.from);
    const last = spans.at(-1);
    if (last && last.value === point.value) last.to = to;
    else if (to > point.from || i === points.length - 1)
      spans.push({ from: point.from, to, value: point.value });
  });
  return spans;
}
