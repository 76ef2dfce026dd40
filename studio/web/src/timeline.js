// The mode timeline: a lane for each guard or discrete value that events change, over the same span
// of time as the plots. The server sends the spans that the pixels can show.
import { api } from './api.js';
import { on } from './bus.js';
import { cursorTime, hoverCursor, placeCursor } from './cursor.js';
import { rowAt } from './curves.js';
import { h, inFrame } from './dom.js';
import { goTo } from './editor.js';
import { placeOf } from './event_text.js';
import { say } from './language.js';
import { css, halfLabel } from './pane_view.js';
import { shownSpan } from './panes.js';
import { isRunning, presentRun } from './runs.js';

const LANE = 36; // a name with its bar beneath
const BAR = 16;
const LEFT = 68; // the bars are below the curves: margins as in a pane
const EDGE = 4; // at the right, beside half of the last label

/** The width of the bars of a span. @param {number} width of the canvas @param {number[]} span */
const barsWidth = (width, [from, to]) => width - LEFT - EDGE - halfLabel(from, to);

export function createTimeline() {
  const canvas = h('canvas', {
    class: 'timeline',
    tabIndex: 0,
    'aria-label': 'Modes over time; the left and right keys go from event to event',
  });
  const note = h('p', { class: 'muted pad' });
  const panel = h('div', { class: 'panel scroll' }, note, canvas);
  /** @type {{name: string, spans: [number, number, any][]}[]} */
  let lanes = [];
  let ofRun = null;

  const wholeSpan = () => {
    const times = presentRun()?.columns[0];
    return times?.length ? [times[0], times.at(-1)] : [0, 1];
  };
  const span = () => shownSpan() ?? wholeSpan();
  const timeAt = (event) => {
    const [from, to] = span();
    const box = canvas.getBoundingClientRect();
    const width = Math.max(1, barsWidth(box.width, [from, to]));
    return from + ((to - from) * (event.clientX - box.left - LEFT)) / width;
  };

  async function load() {
    const run = presentRun();
    if (!run || isRunning(run)) return;
    const wanted = /** @type {[number, number]} */ (span());
    const points = Math.max(200, Math.round(panel.clientWidth));
    const answer = await api.lanes(run.id, points, wanted).catch(() => null);
    if (run !== presentRun() || wanted.join() !== span().join()) return;
    ofRun = run;
    lanes = answer?.lanes ?? [];
    draw();
  }

  const draw = inFrame(() => {
    const run = presentRun();
    const has = Boolean(run && ofRun === run && lanes.length);
    note.hidden = has;
    note.textContent = say(
      run
        ? 'No mode or discrete value changed in this run.'
        : 'Modes and discrete values of a run appear here.',
    );
    canvas.hidden = !has;
    if (has && panel.clientWidth) paint();
  });

  function paint() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [panel.clientWidth, lanes.length * LANE + 12];
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    canvas.style.height = `${height}px`;
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    ctx.font = `11.5px ${css('--sans')}`;
    ctx.textBaseline = 'middle';
    lanes.forEach((lane, i) => paintLane(ctx, lane, 6 + i * LANE, width));
    const time = cursorTime();
    const [from, to] = span();
    if (time === null || time < from || time > to) return;
    ctx.fillStyle = css('--accent');
    ctx.fillRect(LEFT + (barsWidth(width, [from, to]) * (time - from)) / (to - from), 0, 1, height);
  }

  function paintLane(ctx, lane, top, width) {
    const [from, to] = span();
    const place = (time) =>
      LEFT + barsWidth(width, [from, to]) * Math.min(1, Math.max(0, (time - from) / (to - from)));
    ctx.fillStyle = css('--text');
    ctx.fillText(lane.name, LEFT, top + 8);
    const bar = top + LANE - BAR - 2;
    for (const [a, b, value] of lane.spans) {
      if (b < from || a > to) continue;
      const [x, w] = [place(a), Math.max(1, place(b) - place(a) - 1)];
      if (value === null) {
        paintFast(ctx, x, bar, place(b) - place(a));
        continue;
      }
      const on = value === true || (typeof value === 'number' && value !== 0);
      ctx.fillStyle = on ? css('--accent-soft') : css('--sunken');
      ctx.fillRect(x, bar, w, BAR);
      if (on) {
        ctx.fillStyle = css('--accent');
        ctx.fillRect(x, bar, w, 2);
      }
      const text = String(value);
      if (w > ctx.measureText(text).width + 10) {
        ctx.fillStyle = on ? css('--text') : css('--muted');
        ctx.fillText(text, x + 5, bar + BAR / 2 + 1);
      }
    }
  }

  /** A value that changes faster than a pixel: half of the bar is filled. */
  function paintFast(ctx, x, bar, width) {
    ctx.fillStyle = css('--accent-soft');
    ctx.fillRect(x, bar + BAR / 4, Math.max(1, width), BAR / 2);
  }

  /** Places the cursor; at an event its relation is shown. */
  function lead(time, near) {
    const events = presentRun()?.events ?? [];
    const hit = events.reduce(
      (best, event) =>
        Math.abs(event.time - time) < Math.abs((best?.time ?? Infinity) - time) ? event : best,
      null,
    );
    const [from, to] = span();
    const close = hit && Math.abs(hit.time - time) <= near * (to - from);
    placeCursor(close ? hit.time : time);
    const place = close ? placeOf(hit) : null;
    if (place) goTo(place.path, place.line, place.column, { focus: false });
  }

  canvas.addEventListener('pointermove', (event) =>
    hoverCursor(event.offsetX > LEFT ? timeAt(event) : null),
  );
  canvas.addEventListener('pointerleave', () => hoverCursor(null));
  canvas.addEventListener('click', (event) => event.offsetX > LEFT && lead(timeAt(event), 0.01));
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const times = (presentRun()?.events ?? []).map((one) => one.time);
    if (!step || !times.length) return;
    event.preventDefault();
    const row = rowAt(times, cursorTime() ?? -Infinity);
    const next = step > 0 ? row + 1 : times[row] === cursorTime() ? row - 1 : row;
    lead(times[Math.min(Math.max(0, next), times.length - 1)], 0);
  });
  on('events window', load);
  on('runs theme cursor window rows', draw);
  new ResizeObserver(draw).observe(panel);
  draw();
  return panel;
}
