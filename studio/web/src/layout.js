// The areas of the page: their sizes, moved by splitters with the mouse or the arrow keys, and on a
// narrow screen one area at a time.
import { emit, on } from './bus.js';
import { byId, h } from './dom.js';
import { say } from './language.js';

const root = () => document.documentElement;
/** Sizes as shares of the window, by splitter. */
const DEFAULTS = { explorer: 0.16, plots: 0.42, values: 0.36, log: 0.3 };
/** @type {Record<string, number>} */
const sizes = { ...DEFAULTS };
/**
 * @type {Record<string, {axis: 'x'|'y', sign: number, min: number, max: number, label: string}>}
 * sign: whether the size grows along the axis
 */
const SPLITTERS = {
  explorer: { axis: 'x', sign: 1, min: 0.08, max: 0.4, label: 'Width of the classes' },
  plots: { axis: 'x', sign: -1, min: 0.15, max: 0.75, label: 'Width of the plots' },
  values: { axis: 'y', sign: -1, min: 0.08, max: 0.85, label: 'Height of the parameters' },
  log: { axis: 'y', sign: -1, min: 0.08, max: 0.85, label: 'Height of the events' },
};
const AREAS = [
  ['explorer', 'Classes'],
  ['centre', 'Model'],
  ['values', 'Values'],
  ['plots', 'Plots'],
  ['log', 'Events'],
];
const NARROW = 720; // px; below it one area is shown at a time
let explorerHidden = false;

function apply(name) {
  root().style.setProperty(`--size-${name}`, String(sizes[name]));
  byId(`split-${name}`).setAttribute('aria-valuenow', String(Math.round(100 * sizes[name])));
}

function set(name, size) {
  const { min, max } = SPLITTERS[name];
  sizes[name] = Math.min(max, Math.max(min, size));
  apply(name);
  emit('layout');
}

function startSplitter(name) {
  const { axis, sign, label, min, max } = SPLITTERS[name];
  const bar = byId(`split-${name}`);
  Object.assign(bar, { tabIndex: 0 });
  for (const [key, value] of Object.entries({
    role: 'separator',
    'aria-label': say(label),
    'aria-orientation': axis === 'x' ? 'vertical' : 'horizontal',
    'aria-valuemin': 100 * min,
    'aria-valuemax': 100 * max,
  }))
    bar.setAttribute(key, String(value));
  const place = (event) =>
    axis === 'x' ? event.clientX / window.innerWidth : event.clientY / window.innerHeight;
  bar.addEventListener('pointerdown', (event) => {
    const [from, size] = [place(event), sizes[name]];
    const move = (moved) => set(name, size + sign * (place(moved) - from));
    bar.setPointerCapture(event.pointerId);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', () => bar.removeEventListener('pointermove', move), {
      once: true,
    });
  });
  bar.addEventListener('dblclick', () => set(name, DEFAULTS[name]));
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    set(name, sizes[name] + sign * step * 0.02);
  });
  apply(name);
}

/** Shows one area alone, or all of them again. @param {string} [name] that of the focus */
export function toggleAlone(name) {
  const { dataset } = document.body;
  const focused = AREAS.find(([one]) => byId(one).contains(document.activeElement))?.[0];
  if (dataset.alone) delete dataset.alone;
  else dataset.alone = name ?? focused ?? 'centre';
  emit('layout');
}

/** Shows one area if not all are seen. @param {string} name */
export function focusArea(name) {
  if (document.body.dataset.alone) document.body.dataset.alone = name;
  document.body.dataset.area = name;
  if (name === 'explorer' && explorerHidden) toggleExplorer();
  for (const button of document.querySelectorAll('.phone-tabs button'))
    button.setAttribute('aria-current', String(/** @type {any} */ (button).dataset.area === name));
}

/** Moves the focus to the next area that is seen. @param {number} step */
export function nextArea(step) {
  const seen = AREAS.map(([name]) => byId(name)).filter((area) => area.offsetParent !== null);
  const index = seen.findIndex((area) => area.contains(document.activeElement));
  const next = seen[(index + step + seen.length) % seen.length] ?? seen[0];
  const first = (selector) =>
    [...next.querySelectorAll(selector)].find((element) => element.getClientRects().length);
  /** @type {any} */ (
    first(
      '.cm-content, .pane-plot, .diagram-place, [role=treeitem][tabindex="0"], ' +
        '[role=listbox], .value-field',
    ) ?? first('[tabindex="0"], input, button:not([disabled])')
  )?.focus();
}

export function toggleExplorer() {
  explorerHidden = !explorerHidden;
  document.body.classList.toggle('no-explorer', explorerHidden);
  emit('layout');
}

/** @returns {any} */
export const layoutState = () => ({ sizes, explorerHidden, area: document.body.dataset.area });

/** @param {any} kept */
export function restoreLayout(kept) {
  for (const name of Object.keys(DEFAULTS))
    if (Number.isFinite(kept?.sizes?.[name])) set(name, kept.sizes[name]);
  if (kept?.explorerHidden ?? (window.innerWidth < 1100 && window.innerWidth > NARROW))
    toggleExplorer();
  focusArea(kept?.area ?? 'centre');
}

/** The names of the areas stand in index.html. */
function translateNames() {
  for (const area of document.querySelectorAll('[aria-label]'))
    area.setAttribute('aria-label', say(area.getAttribute('aria-label') ?? ''));
}

export function startLayout() {
  translateNames();
  Object.keys(SPLITTERS).forEach(startSplitter);
  byId('phone-tabs').append(
    ...AREAS.map(([name, title]) =>
      h(
        'button',
        {
          dataset: { area: name },
          onclick: () => {
            focusArea(name);
            emit('layout');
          },
        },
        title,
      ),
    ),
  );
  focusArea('centre');
  on('reveal', (name) => window.innerWidth <= NARROW && focusArea(name));
  on('layout', () => window.innerWidth <= NARROW && delete document.body.dataset.alone);
}
