// The incidence matrix of the sorted equations: a dot if an equation contains an unknown, blocks
// outlined on the diagonal.
import { on } from './bus.js';
import { h, inFrame } from './dom.js';
import { say } from './language.js';
import { css } from './pane_view.js';

/**
 * Outlines of the blocks on the diagonal.
 * @param {{equations?: number[], size: number}[]} blocks
 * @returns {{from: number, size: number}[]}
 */
export function blockSquares(blocks) {
  let from = 0;
  return blocks.map((block) => {
    const size = Math.max(1, block.size || block.equations?.length || 1);
    const square = { from, size };
    from += size;
    return square;
  });
}

/** @param {(row: number) => void} chosen an equation was clicked */
export function createIncidence(chosen) {
  const canvas = h('canvas', { 'aria-label': 'Incidence matrix' });
  const caption = h('p', { class: 'muted incidence-caption' });
  const element = h('div', { class: 'incidence', hidden: true }, canvas, caption);
  let data = { n: 0, incidence: [], blocks: [], unknowns: [], equations: [] };
  let marked = -1;

  const cell = () =>
    Math.max(
      0.2,
      Math.min(
        18,
        (element.clientWidth - 24) / Math.max(1, data.n),
        (element.clientHeight - 60) / Math.max(1, data.n),
      ),
    );

  const draw = inFrame(() => {
    if (!element.clientWidth || !data.n) return;
    const ratio = window.devicePixelRatio || 1;
    const side = cell() * data.n;
    Object.assign(canvas, { width: (side + 2) * ratio, height: (side + 2) * ratio });
    canvas.style.width = canvas.style.height = `${side + 2}px`;
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    ctx.translate(1, 1);
    paint(ctx, side);
  });

  function paint(ctx, side) {
    const size = cell();
    ctx.fillStyle = css('--sunken');
    ctx.fillRect(0, 0, side, side);
    if (marked >= 0) {
      ctx.fillStyle = css('--accent-soft');
      ctx.fillRect(0, marked * size, side, size);
    }
    ctx.fillStyle = css('--text');
    const dot = Math.max(0.7, size * 0.62);
    const gap = (size - dot) / 2;
    for (const [row, column] of data.incidence)
      ctx.fillRect(column * size + gap, row * size + gap, dot, dot);
    ctx.strokeStyle = css('--accent');
    ctx.lineWidth = 1.25;
    for (const { from, size: n } of blockSquares(data.blocks))
      if (n > 1 || size > 6) ctx.strokeRect(from * size, from * size, n * size, n * size);
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const [column, row] = [event.clientX - box.left, event.clientY - box.top].map((v) =>
      Math.floor((v - 1) / cell()),
    );
    return row >= 0 && row < data.n && column >= 0 && column < data.n ? { row, column } : null;
  }
  const describe = (place) => {
    const text = place && data.equations[place.row]?.text;
    caption.textContent = place
      ? `${data.unknowns[place.column] ?? ''}: ${text ?? say(`equation ${place.row + 1}`)}`
      : say(`${data.n} by ${data.n}, ${data.incidence.length} entries`);
  };
  const mark = (row) => {
    marked = row;
    draw();
  };
  canvas.addEventListener('pointermove', (event) => {
    const place = at(event);
    describe(place);
    mark(place?.row ?? -1);
  });
  canvas.addEventListener('pointerleave', () => {
    describe(null);
    mark(-1);
  });
  canvas.addEventListener('click', (event) => {
    const place = at(event);
    if (place) chosen(place.row);
  });
  on('theme', draw);
  new ResizeObserver(draw).observe(element);
  return {
    element,
    mark,
    show(answer) {
      data = {
        ...answer,
        n: answer.n ?? answer.equations.length,
        unknowns: answer.unknowns ?? [],
        incidence: answer.incidence ?? [],
      };
      element.hidden = !data.incidence.length;
      describe(null);
      draw();
    },
  };
}
