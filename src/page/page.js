// Plots of a page: each <figure class="plot"> holds its data as JSON and becomes panes over one
// horizontal axis, with zoom, a cursor with values, and a legend that shows and hides curves.
// Nothing is loaded from elsewhere.
'use strict';
(() => {
  const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00'];
  const DARK = ['#4aa8e0', '#f08040', '#2ec498', '#e09cc2', '#8fd0f5', '#f2b632'];
  const DASHES = [[], [7, 4], [2, 3]];
  const LEFT = 66,
    RIGHT = 18,
    TOP = 8,
    BOTTOM = 24,
    TITLE = 18;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const colour = (n) => (dark.matches ? DARK : LIGHT)[n % LIGHT.length];
  const dashes = (n) => DASHES[Math.floor(n / LIGHT.length) % DASHES.length];
  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const make = (tag, more = {}, ...inside) => {
    const e = Object.assign(document.createElement(tag), more);
    e.append(...inside);
    return e;
  };
  const text = (x) => (x === null || !isFinite(x) ? '–' : String(+x.toPrecision(6)));

  // the last index with a[i] <= x; -1 if there is none
  const below = (a, x) => {
    let lo = -1,
      hi = a.length;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (a[mid] <= x) lo = mid;
      else hi = mid;
    }
    return lo;
  };

  function ticks(lo, hi, log, about) {
    const out = [];
    if (log) {
      const first = Math.ceil(Math.log10(lo) - 1e-9),
        last = Math.floor(Math.log10(hi) + 1e-9);
      const step = Math.floor((last - first) / about) + 1;
      for (let k = first; k <= last; k += step)
        out.push([10 ** k, k >= -2 && k <= 3 ? String(+(10 ** k).toPrecision(3)) : '1e' + k]);
      return out;
    }
    const raw = (hi - lo) / about,
      power = 10 ** Math.floor(Math.log10(raw)),
      m = raw / power;
    const step = power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
    if (!(step > 0)) return out;
    for (
      let k = Math.ceil(lo / step - 1e-9);
      k * step <= hi + 1e-9 * step && out.length < 50;
      k++
    ) {
      const x = Math.abs(k * step) < step * 1e-6 ? 0 : k * step;
      const digits = step >= 1 ? 0 : Math.min(12, Math.ceil(-Math.log10(step) - 1e-9));
      out.push([
        x,
        x !== 0 && (Math.abs(x) >= 1e5 || step < 1e-4)
          ? String(+x.toPrecision(4))
          : x.toFixed(digits),
      ]);
    }
    return out;
  }

  class Axis {
    constructor(lo, hi, log) {
      Object.assign(this, { full: [lo, hi], lo, hi, log });
    }
    share(x) {
      return this.log
        ? x > 0
          ? Math.log(x / this.lo) / Math.log(this.hi / this.lo)
          : -1
        : (x - this.lo) / (this.hi - this.lo);
    }
    value(s) {
      return this.log ? this.lo * (this.hi / this.lo) ** s : this.lo + s * (this.hi - this.lo);
    }
    reset() {
      [this.lo, this.hi] = this.full;
    }
    set(a, b) {
      // never narrower than numbers can distinguish
      if (b - a > 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1e-300)) {
        this.lo = a;
        this.hi = b;
      }
    }
    zoom(at, factor) {
      // `at`: the point (as a share) that keeps its position
      this.set(this.value(at - at * factor), this.value(at + (1 - at) * factor));
    }
    move(by) {
      this.set(this.value(by), this.value(1 + by));
    }
  }

  class Plot {
    constructor(figure, data) {
      this.data = data;
      this.phase = data.x !== null;
      this.x = new Axis(data.range[0], data.range[1], data.logX);
      this.cursor = null;
      this.events = data.marks;
      this.at = make('span', { className: 'at' });
      const tools = make('span', { className: 'tools' });
      if (data.events.length && !this.phase) {
        const toggle = make('button', {
          type: 'button',
          textContent: 'events',
          title: 'show or hide the instants of events (e)',
        });
        toggle.onclick = () => this.toggleEvents();
        this.eventButton = toggle;
        tools.append(toggle);
      }
      tools.append(
        make('button', {
          type: 'button',
          textContent: 'whole range',
          title: 'show all again (double click, or 0)',
          onclick: () => this.reset(),
        }),
      );
      figure.append(
        make('figcaption', {}, make('span', { textContent: data.title }), this.at, tools),
      );
      this.panes = data.panes.map((p) => new Pane(this, figure, p));
      this.showEvents();
      new ResizeObserver(() => this.draw()).observe(figure);
      dark.addEventListener('change', () => {
        this.panes.forEach((p) => p.paintKeys());
        this.draw();
      });
      this.setCursor(null);
    }
    showEvents() {
      if (this.eventButton) this.eventButton.ariaPressed = String(this.events);
    }
    toggleEvents() {
      this.events = !this.events;
      this.showEvents();
      this.draw();
    }
    reset() {
      this.x.reset();
      this.panes.forEach((p) => p.y.reset());
      this.draw();
    }
    draw() {
      cancelAnimationFrame(this.frame);
      this.frame = requestAnimationFrame(() => this.panes.forEach((p) => p.draw()));
    }
    setCursor(at, pane) {
      // at: a value of x, or in the phase plane a row of a curve
      this.cursor = at;
      this.cursorPane = pane;
      const x = at === null ? null : this.phase ? at.t : at;
      this.at.textContent = x === null ? '' : 'time = ' + text(x);
      this.panes.forEach((p) => p.showValues(x));
      this.draw();
    }
  }

  class Pane {
    constructor(plot, figure, data) {
      Object.assign(this, { plot, data });
      this.y = new Axis(data.range[0], data.range[1], plot.data.logY);
      this.legend = make('ul', { className: 'legend' });
      this.curves = data.curves.map((c) => ({ ...c, shown: true }));
      for (const c of this.curves) this.legend.append(this.key(c));
      for (const [i, m] of plot.data.modes.entries())
        this.legend.append(make('li', {}, this.sample(i, false), ' ' + m));
      this.canvas = make('canvas', {
        tabIndex: 0,
        role: 'img',
        ariaLabel: this.curves.map((c) => c.label).join(', '),
      });
      this.canvas.setAttribute('role', 'img');
      figure.append(this.legend, this.canvas);
      this.listen();
      this.paintKeys();
    }
    sample(number, dashed) {
      const s = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      s.setAttribute('width', 20);
      s.setAttribute('height', 8);
      const pattern = dashed ? dashes(number) : '';
      s.innerHTML =
        '<line x1="0" x2="20" y1="4" y2="4" stroke-width="2.5" ' +
        `stroke-dasharray="${pattern}"/>`;
      s.dataset.number = number;
      return s;
    }
    paintKeys() {
      for (const s of this.legend.querySelectorAll('svg'))
        s.firstChild.setAttribute('stroke', colour(+s.dataset.number));
    }
    key(c) {
      c.value = make('span', { className: 'value' });
      const b = make('button', { type: 'button', ariaPressed: 'true', title: 'show or hide' });
      if (!c.by) b.append(this.sample(c.colour, true));
      b.append(make('span', { textContent: c.label }), c.value);
      b.onclick = () => {
        c.shown = !c.shown;
        b.ariaPressed = String(c.shown);
        this.plot.draw();
      };
      return make('li', {}, b);
    }
    showValues(t) {
      for (const c of this.curves) {
        const i = t === null ? -1 : below(c.t, t);
        c.value.textContent = i < 0 ? '' : '= ' + text(c.y[i]);
      }
    }

    // ---- coordinates ----
    get last() {
      return this.plot.panes.at(-1) === this;
    }
    get width() {
      return this.canvas.clientWidth - LEFT - RIGHT;
    }
    get height() {
      return this.plot.phase ? Math.min(560, Math.max(280, this.width)) : 210;
    }
    px(x) {
      return LEFT + this.width * this.plot.x.share(x);
    }
    py(y) {
      return TOP + this.height * (1 - this.y.share(y));
    }
    shares(e) {
      const r = this.canvas.getBoundingClientRect();
      const clamp = (s) => Math.min(1, Math.max(0, s));
      return [
        clamp((e.clientX - r.left - LEFT) / this.width),
        clamp(1 - (e.clientY - r.top - TOP) / this.height),
      ];
    }

    // ---- hand and keyboard ----
    listen() {
      const c = this.canvas;
      c.addEventListener('pointermove', (e) => this.move(e));
      c.addEventListener('pointerdown', (e) => {
        if (e.button) return;
        this.drag = { from: this.shares(e), to: this.shares(e), pan: e.shiftKey };
        c.setPointerCapture(e.pointerId);
      });
      c.addEventListener('pointerup', () => this.drop());
      c.addEventListener('pointercancel', () => {
        this.drag = null;
        this.plot.draw();
      });
      c.addEventListener('pointerleave', () => {
        if (!this.drag) this.plot.setCursor(null);
      });
      c.addEventListener('dblclick', () => this.plot.reset());
      c.addEventListener(
        'wheel',
        (e) => {
          e.preventDefault();
          const [sx, sy] = this.shares(e),
            factor = Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.005);
          if (!e.shiftKey || this.plot.phase) this.plot.x.zoom(sx, factor);
          if (e.shiftKey || this.plot.phase) this.y.zoom(sy, factor);
          this.plot.draw();
        },
        { passive: false },
      );
      c.addEventListener('keydown', (e) => this.press(e));
    }
    move(e) {
      const s = this.shares(e),
        p = this.plot;
      if (this.drag?.pan) {
        p.x.move(this.drag.to[0] - s[0]);
        this.y.move(this.drag.to[1] - s[1]);
      }
      if (this.drag) this.drag.to = s;
      p.setCursor(p.phase ? this.nearest(e) : p.x.value(s[0]), this);
    }
    nearest(e) {
      // row of the curve that lies closest to the pointer
      const r = this.canvas.getBoundingClientRect();
      let best = null,
        least = 400;
      for (const c of this.curves) {
        if (!c.shown) continue;
        for (let i = 0; i < c.t.length; i++) {
          const d =
            (this.px(c.x[i]) - e.clientX + r.left) ** 2 +
            (this.py(c.y[i]) - e.clientY + r.top) ** 2;
          if (d < least) {
            least = d;
            best = { t: c.t[i], x: c.x[i], y: c.y[i] };
          }
        }
      }
      return best;
    }
    drop() {
      const d = this.drag,
        p = this.plot;
      this.drag = null;
      if (d && !d.pan) {
        const w = Math.abs(d.to[0] - d.from[0]) * this.width,
          h = Math.abs(d.to[1] - d.from[1]) * this.height;
        const span = (axis, k) => [
          axis.value(Math.min(d.from[k], d.to[k])),
          axis.value(Math.max(d.from[k], d.to[k])),
        ];
        const xs = span(p.x, 0),
          ys = span(this.y, 1);
        if (w > 5) p.x.set(...xs);
        if (h > 30 && (w > 5 || h > 60)) this.y.set(...ys);
      }
      p.draw();
    }
    press(e) {
      const p = this.plot,
        step = e.shiftKey ? 0.1 : 0.01;
      const at = p.cursor === null || p.phase ? 0.5 : p.x.share(p.cursor);
      const to = (s) => {
        if (!p.phase) p.setCursor(p.x.value(Math.min(1, Math.max(0, s))), this);
      };
      const actions = {
        ArrowLeft: () => to(at - step),
        ArrowRight: () => to(at + step),
        '+': () => p.x.zoom(at, 0.7),
        '-': () => p.x.zoom(at, 1 / 0.7),
        0: () => p.reset(),
        Escape: () => p.reset(),
        e: () => p.toggleEvents(),
      };
      if (!actions[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      actions[e.key]();
      p.draw();
    }

    // ---- drawing ----
    draw() {
      const c = this.canvas,
        ratio = devicePixelRatio || 1,
        w = c.clientWidth,
        h = this.height + TOP + BOTTOM + (this.last ? TITLE : 0);
      if (!w) return;
      c.style.height = h + 'px';
      if (c.width !== Math.round(w * ratio) || c.height !== Math.round(h * ratio)) {
        c.width = Math.round(w * ratio);
        c.height = Math.round(h * ratio);
      }
      const g = c.getContext('2d');
      g.setTransform(ratio, 0, 0, ratio, 0, 0);
      g.clearRect(0, 0, w, h);
      g.font = '12px system-ui, "DejaVu Sans", Arial, sans-serif';
      this.drawGrid(g);
      g.save();
      g.beginPath();
      g.rect(LEFT, TOP, this.width, this.height);
      g.clip();
      this.drawEvents(g);
      g.lineJoin = 'round';
      g.lineWidth = 1.7;
      for (const curve of this.curves) if (curve.shown) this.drawCurve(g, curve);
      this.drawCursor(g);
      g.restore();
    }
    drawGrid(g) {
      const p = this.plot,
        bottom = TOP + this.height;
      g.lineWidth = 1;
      g.strokeStyle = token('--grid');
      g.fillStyle = token('--muted');
      const line = (x0, y0, x1, y1) => {
        g.beginPath();
        g.moveTo(x0, y0);
        g.lineTo(x1, y1);
        g.stroke();
      };
      g.textAlign = 'right';
      g.textBaseline = 'middle';
      for (const [y, s] of ticks(this.y.lo, this.y.hi, this.y.log, this.height > 400 ? 9 : 5)) {
        const at = Math.floor(this.py(y)) + 0.5;
        line(LEFT, at, LEFT + this.width, at);
        g.fillText(s, LEFT - 7, at);
      }
      g.textAlign = 'center';
      g.textBaseline = 'top';
      for (const [x, s] of ticks(p.x.lo, p.x.hi, p.x.log, Math.max(3, this.width / 110))) {
        const at = Math.floor(this.px(x)) + 0.5;
        line(at, TOP, at, bottom);
        const most = this.canvas.clientWidth - 2 - g.measureText(s).width / 2;
        g.fillText(s, Math.min(at, most), bottom + 6); // not beyond the right edge
      }
      if (this.last) {
        g.fillStyle = token('--fg');
        g.fillText(p.data.xTitle, LEFT + this.width / 2, bottom + 6 + TITLE);
      }
      g.strokeStyle = token('--axis');
      g.strokeRect(LEFT + 0.5, TOP + 0.5, this.width, this.height);
    }
    drawEvents(g) {
      const p = this.plot;
      if (p.phase || !p.events) return;
      g.strokeStyle = token('--mark');
      g.lineWidth = 0.8;
      g.beginPath();
      let last = -10;
      for (const t of p.data.events) {
        const x = this.px(t);
        if (x < LEFT || x > LEFT + this.width || x < last + 1.5) continue;
        last = x;
        g.moveTo(x, TOP);
        g.lineTo(x, TOP + this.height);
      }
      g.stroke();
    }
    // Over time, points that fall on one column of pixels become the line from their least to their
    // greatest value.
    drawCurve(g, c) {
      const xs = this.plot.phase ? c.x : c.t,
        p = this.plot;
      const from = p.phase ? 0 : Math.max(0, below(xs, p.x.lo) - 1),
        to = p.phase ? xs.length : Math.min(xs.length, below(xs, p.x.hi) + 2);
      let pen = false,
        now = c.by ? c.by[from] : c.colour;
      const start = () => {
        g.beginPath();
        g.strokeStyle = colour(now);
        g.setLineDash(c.by ? [] : dashes(c.colour));
      };
      start();
      for (let i = from; i < to; i++) {
        if (xs[i] === null || c.y[i] === null) {
          pen = false;
          continue;
        }
        const x = this.px(xs[i]);
        let y = this.py(c.y[i]);
        if (pen) g.lineTo(x, y);
        else g.moveTo(x, y);
        pen = true;
        if (c.by && c.by[i] !== now) {
          g.stroke();
          now = c.by[i];
          start();
          g.moveTo(x, y);
        }
        if (p.phase || c.by) continue;
        let lo = y,
          hi = y,
          k = i;
        while (k + 1 < to && c.y[k + 1] !== null && this.px(xs[k + 1]) < x + 0.3) {
          y = this.py(c.y[++k]);
          lo = Math.min(lo, y);
          hi = Math.max(hi, y);
        }
        if (k > i) {
          g.lineTo(x, lo);
          g.lineTo(x, hi);
          g.lineTo(x, y);
          i = k;
        }
      }
      g.stroke();
      g.setLineDash([]);
    }
    drawCursor(g) {
      const p = this.plot,
        d = this.drag;
      if (d && !d.pan) {
        const w = (d.to[0] - d.from[0]) * this.width,
          h = (d.to[1] - d.from[1]) * this.height,
          tall = Math.abs(h) > 30;
        g.fillStyle = token('--mark');
        g.globalAlpha = 0.4;
        g.fillRect(
          LEFT + d.from[0] * this.width,
          tall ? TOP + (1 - d.from[1]) * this.height : TOP,
          w,
          tall ? -h : this.height,
        );
        g.globalAlpha = 1;
      }
      if (p.cursor === null) return;
      g.strokeStyle = token('--fg');
      g.lineWidth = 0.8;
      g.beginPath();
      if (p.phase) g.arc(this.px(p.cursor.x), this.py(p.cursor.y), 4, 0, 7);
      else {
        g.moveTo(this.px(p.cursor), TOP);
        g.lineTo(this.px(p.cursor), TOP + this.height);
      }
      g.stroke();
    }
  }

  // a link to a folded part unfolds it
  const unfold = () => {
    const target =
      location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', unfold);
  addEventListener('DOMContentLoaded', unfold);

  for (const figure of document.querySelectorAll('figure.plot'))
    figure.plot = new Plot(figure, JSON.parse(figure.querySelector('script').textContent));
})();
