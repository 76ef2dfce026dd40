// The event log beside the plots. A click, or Enter, shows the relation in the source and places
// the cursor.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { cursorTime, placeCursor } from './cursor.js';
import { shown } from './curves.js';
import { fill, h } from './dom.js';
import { goTo } from './editor.js';
import { changeTexts, placeOf, triggerText } from './event_text.js';
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
  const panel = h('div', { class: 'panel scroll' }, list);
  /** @type {any[]} */
  let shownEvents = [];
  let chosen = -1;

  function write() {
    const run = presentRun();
    shownEvents = run?.events ?? [];
    chosen = -1;
    count(run?.total ? String(run.total) : '');
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
    fill(list, shownEvents.map(row));
    if (run && run.total > shownEvents.length)
      list.append(
        h(
          'button',
          { class: 'link pad', onclick: () => more(run) },
          `${run.total - shownEvents.length} more…`,
        ),
      );
    return markNear();
  }

  async function more(run) {
    const answer = await api.eventLog(run.id, run.events.length, PAGE).catch(() => null);
    if (answer) run.events.push(...answer.events);
    emit('events', run);
  }

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
    let near = null;
    for (const element of list.querySelectorAll('.event')) {
      element.classList.remove('near');
      if (time !== null && Number(element.dataset.time) <= time) near = element;
    }
    near?.classList.add('near');
  }

  on('runs ended events', write);
  on('cursor', markNear);
  write();
  return panel;
}
