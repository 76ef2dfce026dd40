// The event log beside the plots. A click, or Enter, shows the relation in the source and places
// the cursor.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { cursorTime, placeCursor } from './cursor.js';
import { rowAt, shown } from './curves.js';
import { afterPause, fill, h } from './dom.js';
import { goTo } from './editor.js';
import { changeTexts, placeOf, triggerText } from './event_text.js';
import { say } from './language.js';
import { shownSpan } from './panes.js';
import { isRunning, presentRun } from './runs.js';

const PAGE = 1000;

/** @param {(text: string) => void} count tells how many there are */
export function createEvents(count) {
  const list = h('div', {
    class: 'rows events',
    role: 'listbox',
    'aria-label': 'Events',
    tabIndex: 0,
    onkeydown: key,
  });
  const [earlier, later] = [h('div', null), h('div', null)];
  const panel = h('div', { class: 'panel scroll' }, earlier, list, later);
  /** @type {any[]} */
  let shownEvents = [];
  /** @type {number[]} */
  let eventTimes = [];
  let chosen = -1;
  /** @type {Element|null|undefined} the marked row */
  let near = null;

  function write() {
    const run = presentRun();
    shownEvents = run?.events ?? [];
    eventTimes = shownEvents.map((event) => event.time);
    chosen = -1;
    count(run?.total ? String(run.total) : '');
    fill(earlier);
    fill(later);
    if (!shownEvents.length)
      return fill(
        list,
        h(
          'p',
          { class: 'muted pad' },
          run
            ? isRunning(run)
              ? 'Events appear when the run has ended.'
              : 'No events in this run.'
            : 'Events of a run appear here, with time, cause and changes.',
        ),
      );
    const before = run?.firstEvent ?? 0;
    const after = (run?.total ?? 0) - before - shownEvents.length;
    const button = (text, action) => h('button', { class: 'link pad', onclick: action }, text);
    fill(list, shownEvents.map(row));
    fill(earlier, before > 0 && button(say(`${before} earlier…`), () => less(run)));
    fill(later, after > 0 && button(say(`${after} more…`), () => more(run)));
    return markNear();
  }

  async function more(run) {
    const from = run.firstEvent + run.events.length;
    const answer = await api.eventLog(run.id, from, PAGE).catch(() => null);
    if (answer) run.events.push(...answer.events);
    emit('events', run);
  }

  async function less(run) {
    const from = Math.max(0, run.firstEvent - PAGE);
    const answer = await api.eventLog(run.id, from, run.firstEvent - from).catch(() => null);
    if (!answer) return;
    run.events.unshift(...answer.events);
    run.firstEvent = from;
    emit('events', run);
  }

  /** The list shows the events of the zoomed span; those that are not here yet are fetched. */
  const followZoom = afterPause(200, async () => {
    const run = presentRun();
    const [from, to] = shownSpan() ?? [-Infinity, Infinity];
    if (!run?.events.length || isRunning(run)) return;
    const last = run.firstEvent + run.events.length;
    const known =
      (run.firstEvent === 0 || run.events[0].time <= from) &&
      (last >= run.total || run.events.at(-1).time >= Math.min(to, Number.MAX_VALUE));
    if (!known && run.total > run.events.length) {
      const at = Number.isFinite(from) ? from : -Number.MAX_VALUE;
      const answer = await api.eventsFrom(run.id, at, PAGE).catch(() => null);
      if (!answer || run !== presentRun() || !answer.events.length) return;
      Object.assign(run, { events: answer.events, firstEvent: answer.first });
      emit('events', run);
    }
    const index = eventTimes.findIndex((time) => time >= from);
    if (Number.isFinite(from) && index >= 0)
      panel.scrollTop = list.children[index].offsetTop - list.offsetTop;
  });

  function row(event, index) {
    const place = placeOf(event);
    const component = event.triggers?.[0]?.component;
    return h(
      'div',
      {
        class: 'row event',
        role: 'option',
        'aria-selected': 'false',
        id: `event-${index}`,
        dataset: { index, time: event.time },
        onclick: () => choose(index),
      },
      h('span', { class: 'event-time' }, shown(event.time)),
      h(
        'span',
        { class: 'event-what' },
        h('code', null, (event.triggers ?? []).map(triggerText).join(', ') || 'event'),
        component && h('span', { class: 'muted' }, ` in ${component}`),
        changeTexts(event)
          .slice(0, 6)
          .map((text) => h('span', { class: 'change' }, text)),
      ),
      place &&
        h('span', { class: 'muted event-place' }, `${place.path.split('/').at(-1)}:${place.line}`),
    );
  }

  function choose(index) {
    const event = shownEvents[index];
    if (!event) return;
    chosen = index;
    for (const element of list.querySelectorAll('.event'))
      element.setAttribute('aria-selected', String(element.id === `event-${index}`));
    list.setAttribute('aria-activedescendant', `event-${index}`);
    list.querySelector(`#event-${index}`)?.scrollIntoView({ block: 'nearest' });
    placeCursor(event.time);
    const place = placeOf(event);
    if (place) goTo(place.path, place.line, place.column, { focus: false });
  }

  function key(event) {
    const next = {
      ArrowDown: chosen + 1,
      ArrowUp: chosen - 1,
      Home: 0,
      End: shownEvents.length - 1,
      Enter: Math.max(0, chosen),
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(Math.min(Math.max(0, next), shownEvents.length - 1));
  }

  /** Marks the last event before the cursor. */
  function markNear() {
    const time = cursorTime();
    const element = time === null ? null : list.children[rowAt(eventTimes, time)];
    if (element === near) return;
    near?.classList.remove('near');
    element?.classList.add('near');
    near = element;
  }

  on('runs ended events', write);
  on('cursor', markNear);
  on('window', followZoom);
  write();
  return panel;
}
