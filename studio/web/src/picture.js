// The picture of a pane as it is seen, with its legend, in any size.
import { figurePdf, figureSvg, makeFigure, SIZE } from './figure.js';
import { titleOf } from './formula.js';
import { css } from './pane_view.js';
import { presentRun, runName } from './runs.js';

/** Width of a text in the letters of figures. @param {string} text */
function measure(text) {
  const ctx = document.createElement('canvas').getContext('2d');
  if (!ctx) return 0.55 * SIZE * text.length;
  ctx.font = `${SIZE}px Helvetica, Arial, 'Liberation Sans', sans-serif`;
  return ctx.measureText(text).width;
}

/** @param {import('./pane_view.js').PaneView} view @param {number} width @param {number} height */
function figureOf(view, width, height) {
  const { x, y, y2 } = view.plot.scales;
  const span = (scale) => /** @type {[number, number]} */ ([scale.min ?? 0, scale.max ?? 1]);
  const run = presentRun();
  const labels = new Set();
  const curves = view.curves.map((curve) => {
    const own = Boolean(curve.run?.about.colour);
    const of = own && curve.run ? `, ${runName(curve.run)}` : '';
    const label = curve.strong || own ? `${titleOf(curve.name)}${of}` : '';
    const fresh = label && !labels.has(label);
    labels.add(label);
    return { ...curve, own, label: fresh ? label : '' };
  });
  const title = (axis) => String(view.plot.axes[axis].label ?? '').trim();
  return makeFigure(
    {
      x: span(x),
      y: span(y),
      y2: view.right ? span(y2) : null,
      log: Boolean(view.pane.log),
      titles: [title(0) || 'time [s]', title(1), view.right ? title(2) : ''],
      curves,
      events: view.pane.x ? [] : (run?.marks ?? []).slice(0, 2000),
      overTime: !view.pane.x,
    },
    width,
    height,
    { text: css('--text'), muted: css('--muted'), grid: css('--grid'), paper: css('--paper') },
    measure,
  );
}

/** The size of a pane on the screen. @param {import('./pane_view.js').PaneView} view */
export const sizeOf = (view) => ({
  width: Math.round(view.canvas.clientWidth),
  height: Math.round(view.canvas.clientHeight) + 22,
});

/**
 * @param {import('./pane_view.js').PaneView} view @param {string} format svg, pdf or png
 * @param {{width: number, height: number, scale: number}} size `scale`: pixels of PNG for each
 * @returns {Promise<Blob>}
 */
export async function paneFile(view, format, { width, height, scale }) {
  const figure = figureOf(view, width, height);
  if (format === 'pdf')
    return new Blob([figurePdf(figure, measure)], { type: 'application/pdf' });
  const svg = new Blob([figureSvg(figure)], { type: 'image/svg+xml' });
  return format === 'svg' ? svg : drawn(svg, Math.round(width * scale), Math.round(height * scale));
}

/** @param {Blob} svg @param {number} width @param {number} height @returns {Promise<Blob>} */
async function drawn(svg, width, height) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error('the picture cannot be drawn'));
      image.src = address;
    });
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width, height });
    canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
        'image/png',
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Hands a file to the browser's downloads. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
