// The picture of a pane as it is on the screen, with its legend, on paper's colour.
import { css } from './pane_view.js';

const HEAD = 26; // height of the legend's line

/** @param {import('./pane_view.js').PaneView} view @returns {Promise<Blob>} */
export function paneImage(view) {
  const source = view.plot.ctx.canvas;
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = source.width;
  canvas.height = source.height + HEAD * ratio;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.fillStyle = css('--paper');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, 0, HEAD * ratio);
  ctx.scale(ratio, ratio);
  ctx.font = `12px ${css('--sans')}`;
  ctx.textBaseline = 'middle';
  let x = 14;
  for (const curve of view.curves.filter((one) => one.strong)) {
    ctx.strokeStyle = curve.colour;
    ctx.lineWidth = 2;
    ctx.setLineDash(curve.dash);
    ctx.beginPath();
    ctx.moveTo(x, HEAD / 2);
    ctx.lineTo(x + 22, HEAD / 2);
    ctx.stroke();
    ctx.fillStyle = css('--text');
    ctx.fillText(curve.name, x + 28, HEAD / 2);
    x += 46 + ctx.measureText(curve.name).width;
  }
  return new Promise((resolve) =>
    canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)), 'image/png'),
  );
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
