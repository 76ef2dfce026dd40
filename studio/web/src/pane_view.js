// One pane: a uPlot for axes, scales and canvas, with our own curves, cursor and gestures in it,
// and a legend with the values at the cursor.
import uPlot from 'uplot';
import {
  cursorTime,
  hoverCursor,
  placeCursor,
  placedTime,
  placeSecond,
  secondTime,
} from './cursor.js';
import {
  digitsFor,
  extent,
  isTangled,
  padded,
  rowAt,
  rowsToDraw,
  shown,
  union,
  valueAt,
} from './curves.js';
import { drawing, h, icon, inFrame, verbatim } from './dom.js';
import { isFormula, titleOf } from './formula.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import { curvesOf } from './pane_data.js';
import {
  activatePane,
  changePane,
  changeSide,
  isGone,
  removeFromPane,
  removePane,
  setAbscissa,
  shownSpan,
  showSpan,
} from './panes.js';
import { isRunning, presentRun } from './runs.js';
import { session, variableNamed } from './session.js';
import { isDark } from './theme.js';
import { prettyUnit } from './units.js';

/** Distances of ticks; of logarithms in whole decades if there are several. */
const STEPS = [];
for (let power = -15; power < 16; power++)
  for (const digit of [1, 2, 5]) STEPS.push(Number(`${digit}e${power}`));
const DECADES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

const ratio = () => window.devicePixelRatio || 1;
const FAINT = 0.4;

const unitOf = (name) => {
  if (name === 'time') return 's';
  if (isFormula(name)) return '';
  return prettyUnit(variableNamed(name)?.unit);
};

const descriptionOf = (name) => variableNamed(name)?.description ?? '';

/** @param {any} ctx @param {[number, number][][]} lines @param {number[]} dash */
function strokeLines(ctx, lines, dash) {
  const path = new Path2D();
  for (const line of lines)
    line.forEach(([x, y], i) => (i ? path.lineTo(x, y) : path.moveTo(x, y)));
  ctx.lineJoin = 'round';
  ctx.setLineDash(dash.map((part) => part * ratio()));
  ctx.stroke(path);
  ctx.setLineDash([]);
}

/** What a line covers, one column of pixels after the other. @param {any} ctx */
function fillColumns(ctx, lines) {
  const wide = ctx.lineWidth;
  for (const line of lines) {
    let [column, low, high] = [Math.floor(line[0][0]), line[0][1], line[0][1]];
    const put = () => ctx.fillRect(column, low - wide / 2, 1, high - low + wide);
    line.forEach(([x, y], i) => {
      if (Math.floor(x) !== column) {
        put();
        column = Math.floor(x);
        low = high = line[i - 1][1]; // the line goes on from there
      }
      [low, high] = [Math.min(low, y), Math.max(high, y)];
    });
    put();
  }
}

export class PaneView {
  /** @param {import('./panes.js').Pane} pane */
  constructor(pane) {
    this.pane = pane;
    /** @type {import('./pane_data.js').Curve[]} */
    this.curves = [];
    /** the lowest pane names the time, for all above it */
    this.isLast = true;
    /** @type {[number, number]|null} while a slider moves, the ordinate only grows */
    this.held = null;
    /** @type {Map<string, HTMLElement>} buttons of properties of the pane */
    this.toggles = new Map();
    this.hover = h('div', { class: 'pane-cursor' });
    this.placed = h('div', { class: 'pane-cursor pane-placed' });
    this.second = h('div', { class: 'pane-cursor pane-placed pane-second' });
    this.select = h('div', { class: 'pane-select' });
    this.dots = h('div', { class: 'pane-dots' });
    this.legend = h('div', { class: 'legend' });
    this.canvas = h('div', {
      class: 'pane-plot',
      tabIndex: 0,
      role: 'img',
      onkeydown: (event) => this.key(event),
      onfocus: () => activatePane(pane),
    });
    this.element = h(
      'section',
      { class: 'pane', dataset: { pane: pane.id }, onpointerdown: () => activatePane(pane) },
      this.head(),
      this.canvas,
    );
    this.redraw = inFrame(() => this.draw());
    this.right = false;
    this.plot = this.makePlot();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  head() {
    this.abscissa = h('select', {
      class: 'pane-x',
      'aria-label': 'Horizontal axis',
      onchange: (event) => setAbscissa(this.pane, event.target.value || null),
    });
    return h(
      'header',
      { class: 'pane-head' },
      this.legend,
      h('label', { class: 'pane-over' }, h('span', null, say('over')), this.abscissa),
      this.toggle('log', 'Logarithmic ordinate', () =>
        changePane(this.pane, { log: !this.pane.log, zoom: undefined }),
      ),
      this.toggle('full', 'This pane alone', () =>
        changePane(this.pane, { full: !this.pane.full }),
      ),
      h(
        'button',
        {
          class: 'quiet',
          title: 'Close this pane',
          'aria-label': 'Close this pane',
          onclick: () => removePane(this.pane),
        },
        icon(ICONS.close),
      ),
    );
  }

  /** A button for a property of the pane. */
  toggle(name, title, act) {
    const button = h(
      'button',
      { class: 'quiet pane-toggle', title, 'aria-label': title, onclick: act },
      name,
    );
    this.toggles.set(name, button);
    return button;
  }

  makePlot() {
    const axis = {
      stroke: () => css('--muted'),
      grid: { stroke: () => css('--grid'), width: 1 },
      ticks: { stroke: () => css('--grid'), width: 1, size: 4 },
      font: `11px ${css('--sans')}`,
      labelFont: `11px ${css('--sans')}`,
      labelSize: 16,
      labelGap: 0,
    };
    const plot = new uPlot(
      {
        mode: 2,
        width: 300,
        height: 150,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, (u) => halfLabel(u.scales.x.min, u.scales.x.max), 0, 0],
        scales: {
          x: { time: false, auto: false, range: (_u, low, high) => [low ?? 0, high ?? 1] },
          y: { auto: false, range: (_u, low, high) => [low ?? 0, high ?? 1] },
          y2: { auto: false, range: (_u, low, high) => [low ?? 0, high ?? 1] },
        },
        axes: [
          {
            ...axis,
            size: 24,
            label: null,
            space: (_u, _i, low, high) => Math.max(60, 2 * halfLabel(low, high) + 12),
            values: (_u, ticks) => labels(ticks),
          },
          this.ordinate(axis, 'y', 3),
          this.ordinate(axis, 'y2', 1),
        ],
        series: [
          {},
          {
            facets: [
              { scale: 'x', auto: false },
              { scale: 'y', auto: false },
            ],
            paths: () => null,
            points: { show: false },
          },
        ], // ours are painted by the hook
        hooks: { draw: [(u) => this.paint(u)] },
      },
      /** @type {any} */ ([null, [[0], [0]]]),
      this.canvas,
    );
    plot.over.append(this.select, this.hover, this.placed, this.second, this.dots);
    this.gestures(plot.over);
    return plot;
  }

  ordinate(axis, scale, side) {
    return {
      ...axis,
      scale,
      side,
      size: 50,
      label: ' ',
      space: 26,
      show: side === 3 || this.right,
      grid: side === 3 ? axis.grid : { show: false },
      incrs: () => (this.pane.log ? DECADES : STEPS),
      values: (_u, ticks) =>
        this.pane.log
          ? ticks.map((value) => tick(value === null ? null : 10 ** value, 0))
          : labels(ticks),
    };
  }

  /** The second axis came or went. */
  remake() {
    this.right = !this.right;
    this.plot.destroy();
    this.plot = this.makePlot();
    this.resize();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width > 40 && height > 40) {
      this.plot.setSize({ width, height });
      this.draw();
    }
  }

  /** Reads the pane's variables and curves again. */
  draw() {
    if (!this.canvas.isConnected) return;
    this.curves = curvesOf(this.pane, isDark());
    if (this.right !== this.curves.some((one) => one.scale === 'y2')) return this.remake();
    this.element.classList.toggle('full', Boolean(this.pane.full));
    for (const [name, button] of this.toggles)
      button.setAttribute('aria-pressed', String(Boolean(this.pane[name])));
    const [x, y, y2] = this.ranges();
    const onRight = (name) => this.pane.right?.includes(name) ?? false;
    const unitsOf = (right) => [
      ...new Set(this.pane.names.filter((name) => onRight(name) === right).map(unitOf)),
    ];
    const units = unitsOf(false);
    const others = unitsOf(true);
    this.plot.axes[2].label = others.length === 1 && others[0] ? `[${others[0]}]` : ' ';
    this.plot.axes[0].label = this.pane.x
      ? `${this.pane.x}${unitOf(this.pane.x) && ` [${unitOf(this.pane.x)}]`}`
      : this.isLast
        ? 'time [s]'
        : null;
    this.plot.axes[1].label = units.length === 1 && units[0] ? `[${units[0]}]` : ' ';
    this.plot.batch(() => {
      this.plot.setScale('x', { min: x[0], max: x[1] });
      this.plot.setScale('y', { min: y[0], max: y[1] });
      this.plot.setScale('y2', { min: y2[0], max: y2[1] });
    });
    this.plot.redraw(false, true);
    this.canvas.setAttribute(
      'aria-label',
      `${this.pane.names.join(', ')} over ${this.pane.x ?? 'time'}`,
    );
    this.writeLegend();
    this.moveCursor();
    return undefined;
  }

  /** @returns {[[number, number], [number, number], [number, number]]} of x, y and y2 */
  ranges() {
    const run = presentRun();
    /** @type {[number, number]|null} */
    let x = null;
    let y = null;
    let y2 = null;
    const { zoom } = this.pane;
    const span = this.pane.x ? null : (shownSpan() ?? this.presentSpan());
    for (const { times, xs, vs, scale } of this.curves) {
      const first = span ? Math.max(0, rowAt(/** @type {any} */ (times), span[0])) : 0;
      const last = span
        ? Math.min(times.length - 1, rowAt(/** @type {any} */ (times), span[1]) + 1)
        : times.length - 1;
      x = union(x, extent(xs, first, last));
      if (scale === 'y') y = union(y, extent(vs, first, last));
      else y2 = union(y2, extent(vs, first, last));
    }
    const times = run?.columns[0];
    if (!this.curves.length && times?.length) x = extent(times, 0, times.length - 1);
    if (this.held) y = this.held = union(this.held, y) ?? this.held;
    const up = zoom?.y ?? padded(y);
    if (this.pane.x) return [zoom?.x ?? padded(x), up, padded(y2)];
    const goal = run?.progress && run.status === 'running' ? run.progress.stop : null;
    const full = /** @type {[number, number]} */ (
      goal !== null && x ? [x[0], Math.max(goal, x[1])] : x && x[1] > x[0] ? x : [0, 1]
    );
    return [span ?? full, up, padded(y2)];
  }

  /**
   * The time axis is that of the present run once it has ended, and of measured points: runs below
   * it that last longer do not squeeze it.
   */
  presentSpan() {
    const own = this.curves.filter((curve) => curve.strong || curve.points);
    if (isRunning(presentRun()) || !own.some((curve) => curve.strong)) return null;
    let x = null;
    for (const { times } of own) x = union(x, extent(times, 0, times.length - 1));
    return x && x[1] > x[0] ? x : null;
  }

  /** Holds the ordinate while a slider moves, or lets it fit again. @param {boolean} hold */
  hold(hold) {
    if (hold && !this.held) this.held = [this.plot.scales.y.min ?? 0, this.plot.scales.y.max ?? 1];
    if (!hold) this.held = null;
    if (!hold) this.redraw();
  }

  /** @param {any} u */
  paint(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.paintEvents(u);
    for (const curve of this.curves) this.paintCurve(u, curve);
    ctx.restore();
  }

  /** Measured values: rings. */
  paintPoints(u, curve) {
    const { ctx } = u;
    const { min: low, max: high } = u.scales.x;
    ctx.strokeStyle = curve.colour;
    ctx.lineWidth = 1.2 * ratio();
    const size = 2.6 * ratio();
    for (const i of rowsToDraw(curve.xs, curve.vs, low, high, Math.max(10, u.bbox.width / ratio())))
      if (curve.vs[i] != null) {
        ctx.beginPath();
        ctx.arc(
          u.valToPos(curve.xs[i], 'x', true),
          u.valToPos(curve.vs[i], curve.scale, true),
          size,
          0,
          2 * Math.PI,
        );
        ctx.stroke();
      }
  }

  paintCurve(u, curve) {
    if (curve.points) return this.paintPoints(u, curve);
    const { ctx } = u;
    const { min: low, max: high } = u.scales.x;
    const rows = this.pane.x
      ? curve.xs.keys()
      : rowsToDraw(
          /** @type {any} */ (curve.xs),
          curve.vs,
          low,
          high,
          Math.max(10, u.bbox.width / ratio()),
        );
    /** @type {[number, number][][]} */
    const lines = [];
    /** @type {[number, number][]|null} */
    let line = null;
    for (const i of rows) {
      const [x, y] = [curve.xs[i], curve.vs[i]];
      if (x == null || y == null) line = null;
      else {
        if (!line) lines.push((line = []));
        line.push([u.valToPos(x, 'x', true), u.valToPos(y, curve.scale, true)]);
      }
    }
    ctx.globalAlpha = curve.strong || curve.run?.about.colour ? 1 : FAINT;
    ctx.strokeStyle = ctx.fillStyle = curve.colour;
    const dense = curve.xs.length * ratio() > 3 * u.bbox.width;
    ctx.lineWidth = (curve.strong && !dense ? 1.75 : 1.1) * ratio();
    if (!this.pane.x && isTangled(lines, u.bbox.width)) fillColumns(ctx, lines);
    else strokeLines(ctx, lines, curve.dash);
    ctx.globalAlpha = 1;
    return undefined;
  }

  /** Small marks at events: triangles, or ticks if they are close together. */
  paintEvents(u) {
    const { ctx, bbox } = u;
    const places = this.pane.x
      ? []
      : (presentRun()?.marks ?? [])
          .map((time) => u.valToPos(time, 'x', true))
          .filter((x) => x >= bbox.left && x <= bbox.left + bbox.width);
    const size = 3.5 * ratio();
    ctx.fillStyle = css('--muted');
    if (places.length * 3 * size > bbox.width) {
      ctx.globalAlpha = 0.45;
      for (const x of places)
        ctx.fillRect(Math.round(x), bbox.top + bbox.height - 1.2 * size, ratio(), 1.2 * size);
      ctx.globalAlpha = 1;
      return;
    }
    for (const x of places) {
      ctx.beginPath();
      ctx.moveTo(x - size, bbox.top + bbox.height);
      ctx.lineTo(x + size, bbox.top + bbox.height);
      ctx.lineTo(x, bbox.top + bbox.height - 1.8 * size);
      ctx.fill();
    }
  }

  writeLegend() {
    const entries = this.pane.names.map((name) => {
      const gone = isGone(name);
      const curve = this.curves.find((one) => one.name === name && one.strong);
      const swatch = h('span', { class: 'swatch' });
      const stroke = {
        stroke: curve?.colour ?? css('--muted'),
        'stroke-width': '2.4',
        'stroke-dasharray': (curve?.dash ?? []).join(' '),
      };
      swatch.append(drawing('0 0 22 4', 'M0 2H22', stroke));
      return h(
        'span',
        {
          class: `legend-entry ${this.pane.right?.includes(name) ? 'right' : ''}`,
          title: gone ? '' : descriptionOf(name),
        },
        swatch,
        h(
          'button',
          {
            class: 'link legend-name',
            title: 'Draw it on the other axis',
            onclick: () => changeSide(this.pane, name),
          },
          verbatim(titleOf(name)),
        ),
        gone
          ? h('span', { class: 'legend-gone' }, 'not in the model')
          : h('output', { class: 'legend-value', dataset: { name } }),
        h(
          'button',
          {
            class: 'quiet legend-remove',
            title: `Remove ${name}`,
            'aria-label': `Remove ${name} from this pane`,
            onclick: () => removeFromPane(this.pane, name),
          },
          icon(ICONS.close),
        ),
      );
    });
    if (!entries.length)
      entries.push(h('span', { class: 'muted' }, 'Choose variables under “Variables”.'));
    this.legend.replaceChildren(...entries);
    const choices = [
      ...new Set(['', ...this.pane.names, ...(this.pane.x ? [this.pane.x] : []), ...states()]),
    ];
    this.abscissa.replaceChildren(
      ...choices.map((name) =>
        h('option', { value: name, selected: name === (this.pane.x ?? '') }, name || 'time'),
      ),
    );
  }

  /** Cursor lines, dots in a phase plane, values in the legend. */
  moveCursor() {
    const time = cursorTime();
    const strong = this.curves.filter((curve) => curve.strong);
    for (const output of this.legend.querySelectorAll('.legend-value')) {
      const curve = strong.find((one) => one.name === output.dataset.name);
      const value =
        curve && time !== null ? valueAt(/** @type {any} */ (curve.times), curve.ys, time) : null;
      const unit = unitOf(output.dataset.name ?? '');
      output.textContent = value === null ? '' : `${shown(value)}${unit ? ` ${unit}` : ''}`;
    }
    this.lineAt(this.hover, this.pane.x ? null : time);
    this.lineAt(this.placed, this.pane.x ? null : placedTime());
    this.lineAt(this.second, this.pane.x ? null : secondTime());
    this.moveDots(time === null ? [] : strong.map((curve) => this.dotAt(curve, time)));
  }

  /** Dots move and do not come anew: a cursor that plays changes as little as possible. */
  moveDots(places) {
    const { children } = this.dots;
    while (children.length > places.length) children[children.length - 1].remove();
    places.forEach((place, i) => {
      const dot = children[i] ?? this.dots.appendChild(h('i', null));
      dot.style.display = place ? '' : 'none';
      if (place) Object.assign(dot.style, place);
    });
  }

  lineAt(element, time) {
    const { min, max } = this.plot.scales.x;
    const visible = time !== null && min != null && time >= min && time <= max;
    element.style.display = visible ? '' : 'none';
    if (visible) element.style.transform = `translateX(${this.plot.valToPos(time, 'x')}px)`;
  }

  /** The style of the dot; null: it is not seen. */
  dotAt(curve, time) {
    const x = this.pane.x ? valueAt(curve.times, curve.xs, time) : time;
    const y = valueAt(curve.times, curve.vs, time);
    if (x === null || y === null) return null;
    const [left, top] = [this.plot.valToPos(x, 'x'), this.plot.valToPos(y, curve.scale)];
    const { width, height } = this.plot.bbox; // a size of the element would force a layout
    if (left < 0 || left > width / ratio() || top < 0 || top > height / ratio()) return null;
    return { transform: `translate(${left}px, ${top}px)`, background: curve.colour };
  }

  /** The time under the mouse; in a phase plane that of the nearest point. */
  timeAt(event) {
    const box = this.plot.over.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    if (!this.pane.x) return this.plot.posToVal(left, 'x');
    let [best, time] = [Infinity, null];
    for (const curve of this.curves.filter((one) => one.strong)) {
      curve.xs.forEach((x, i) => {
        const y = curve.vs[i];
        if (x == null || y == null) return;
        const distance =
          (this.plot.valToPos(x, 'x') - left) ** 2 +
          (this.plot.valToPos(y, curve.scale) - top) ** 2;
        if (distance < best) [best, time] = [distance, curve.times[i]];
      });
    }
    return time;
  }

  /**
   * Moving shows values; a click places the cursor, with Shift the second one; dragging zooms in
   * both axes, with Alt or the middle button it moves; a double click shows all.
   * @param {HTMLElement} over
   */
  gestures(over) {
    /** @type {{x: number, y: number, pan: boolean}|null} where the button was pressed */
    let from = null;
    over.addEventListener('pointermove', (event) => {
      hoverCursor(this.timeAt(event));
      if (from?.pan) {
        this.pan(event.clientX - from.x, event.clientY - from.y);
        from = { x: event.clientX, y: event.clientY, pan: true };
      } else if (from) this.showSelection(from, event);
    });
    over.addEventListener('pointerleave', () => hoverCursor(null));
    over.addEventListener('pointerdown', (event) => {
      if (event.button > 1 || event.pointerType === 'touch') return;
      event.preventDefault();
      from = { x: event.clientX, y: event.clientY, pan: event.button === 1 || event.altKey };
      over.setPointerCapture(event.pointerId);
    });
    over.addEventListener('pointerup', (event) => {
      const sides = from && !from.pan ? this.sidesOf(from, event) : null;
      if (from && sides && (sides.x || sides.y)) this.zoomTo(from, event, sides);
      else if (!from?.pan && event.shiftKey) placeSecond(this.timeAt(event));
      else if (!from?.pan) placeCursor(this.timeAt(event));
      from = null;
      this.select.style.display = 'none';
    });
    over.addEventListener('pointercancel', () => {
      from = null;
    });
    over.addEventListener('dblclick', () => this.showAll());
    over.addEventListener(
      'wheel',
      (event) => {
        if (
          this.pane.x ||
          (!event.ctrlKey && over.closest('.panes')?.classList.contains('scrolls'))
        )
          return;
        event.preventDefault();
        this.zoomBy(Math.exp(event.deltaY * 0.0015), this.timeAt(event));
      },
      { passive: false },
    );
  }

  /** Which axes a drag means: a flat one the abscissa, a steep one the ordinate, else both. */
  sidesOf(from, event) {
    const [dx, dy] = [Math.abs(event.clientX - from.x), Math.abs(event.clientY - from.y)];
    return { x: dx > 6 && dx > dy / 4, y: dy > 24 && dy > dx / 4 };
  }

  showSelection(from, event) {
    const sides = this.sidesOf(from, event);
    const box = this.plot.over.getBoundingClientRect();
    const part = (side, a, b, start) =>
      side ? [`${Math.min(a, b) - start}px`, `${Math.abs(b - a)}px`] : ['0', '100%'];
    const [left, width] = part(sides.x, from.x, event.clientX, box.left);
    const [top, height] = part(sides.y, from.y, event.clientY, box.top);
    const display = sides.x || sides.y ? 'block' : 'none';
    Object.assign(this.select.style, { display, left, width, top, height, bottom: 'auto' });
  }

  /** The values of an axis between two pixels of the screen, in order. */
  valuesAt(scale, a, b) {
    const box = this.plot.over.getBoundingClientRect();
    const start = scale === 'x' ? box.left : box.top;
    const [low, high] = [a, b]
      .map((place) => this.plot.posToVal(place - start, scale))
      .sort((p, q) => p - q);
    return /** @type {[number, number]} */ ([low, high]);
  }

  zoomTo(from, event, sides) {
    const x = sides.x ? this.valuesAt('x', from.x, event.clientX) : null;
    const y = sides.y ? this.valuesAt('y', from.y, event.clientY) : null;
    this.setZoom(x, y);
  }

  /** @param {[number, number]|null} x @param {[number, number]|null} y null: as it is */
  setZoom(x, y) {
    const old = this.pane.zoom ?? { x: null, y: null };
    this.pane.zoom = { x: this.pane.x && x ? x : old.x, y: y ?? old.y };
    if (x && !this.pane.x) showSpan(x);
    this.redraw();
  }

  showAll() {
    this.pane.zoom = undefined;
    showSpan(null);
    this.redraw();
  }

  /** Moves what is seen by pixels, in both axes. */
  pan(dx, dy) {
    const { x, y } = this.plot.scales;
    const { clientWidth: width, clientHeight: height } = this.plot.over;
    if (x.min == null || x.max == null || y.min == null || y.max == null) return;
    const right = (-dx * (x.max - x.min)) / width;
    const up = (dy * (y.max - y.min)) / height;
    this.setZoom([x.min + right, x.max + right], up ? [y.min + up, y.max + up] : null);
  }

  zoomBy(factor, centre) {
    const { min, max } = this.plot.scales.x;
    if (min == null || centre === null) return;
    showSpan([centre - (centre - min) * factor, centre + (max - centre) * factor]);
  }

  /**
   * Arrows move the cursor, with Shift the view; + and - zoom, 0 shows all.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { min = 0, max = 1 } = this.plot.scales.x;
    const step = (max - min) / (event.shiftKey ? 10 : 100);
    const at = cursorTime() ?? min;
    const moves = {
      ArrowLeft: () =>
        event.shiftKey ? showSpan([min - step, max - step]) : placeCursor(Math.max(min, at - step)),
      ArrowRight: () =>
        event.shiftKey ? showSpan([min + step, max + step]) : placeCursor(Math.min(max, at + step)),
      Home: () => placeCursor(min),
      End: () => placeCursor(max),
      '+': () => this.zoomBy(0.7, at),
      '=': () => this.zoomBy(0.7, at),
      '-': () => this.zoomBy(1 / 0.7, at),
      0: () => this.showAll(),
      Escape: () => placeCursor(null),
    };
    if (this.pane.x || !moves[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moves[event.key]();
  }
}

const states = () =>
  (session.model?.variables ?? [])
    .filter((one) => one.kind === 'state')
    .slice(0, 40)
    .map((one) => one.name);

/** Half the width of the longest label of a span, in pixels: free space right of a pane. */
export function halfLabel(low, high) {
  const digits = digitsFor(Math.max(Math.abs(low), Math.abs(high)), (high - low) / 10);
  return Math.max(30, 3.5 * (digits + 3)); // a sign, a zero and a point
}

/** Ticks that differ have different labels. @param {(number|null)[]} ticks */
function labels(ticks) {
  const there = /** @type {number[]} */ (ticks.filter((value) => value !== null));
  const step = there.length > 1 ? there[1] - there[0] : 0;
  return ticks.map((value) => tick(value, step));
}

/** A tick of an axis. @param {number|null} value @param {number} step */
function tick(value, step) {
  if (value === null) return '';
  const size = Math.abs(value);
  const digits = digitsFor(value, step);
  const text =
    size >= 1e6 || (size > 0 && size < 1e-3)
      ? String(Number(value.toPrecision(Math.max(3, digits))).toExponential())
      : String(Number(value.toPrecision(Math.max(8, digits))));
  return text.replace('+', '').replaceAll('-', '−');
}

/** @param {string} name of a colour of the page */
export function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
