// Colours of diagrams for light and dark pages. In the dark, light and dark change places, and hues
// stay. Lines get a contrast of at least 3 to the page, and texts one of 4.5 (WCAG 2, AA).
// White stays as it is on a light page: it is drawn upon other shapes.

/** @typedef {[number, number, number]} Colour three shares from 0 to 1 */

const PAPER = { light: 1, dark: luminance([0x17 / 255, 0x1a / 255, 0x20 / 255]) }; // --paper

/** The contrast that a colour needs; thin lines on a dark page need as much as texts. */
function needed(colour, role, dark) {
  const own = contrast(luminance(colour), PAPER.light);
  if (own < 1.2) return 0; // white
  if (role === 'text' || (role === 'stroke' && dark)) return 4.5;
  return role === 'stroke' || (dark && own >= 3) ? 3 : 0; // a dark fill stays visible
}

/** As WCAG 2 defines it. @param {Colour} colour */
export function luminance(colour) {
  const [r, g, b] = colour.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
/** @param {number} a @param {number} b luminances */
export const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** @param {string} text "#rrggbb" or "#rgb" @returns {Colour|null} */
export function parse(text) {
  const full = /^#[\da-f]{3}$/i.test(text) ? text.replace(/[\da-f]/gi, '$&$&') : text;
  if (!/^#[\da-f]{6}$/i.test(full)) return null;
  return /** @type {Colour} */ ([1, 3, 5].map((i) => parseInt(full.slice(i, i + 2), 16) / 255));
}
const written = (colour) =>
  `#${colour.map((x) => Math.round(x * 255).toString(16).padStart(2, '0')).join('')}`;

const toward = (colour, end, share) =>
  /** @type {Colour} */ (colour.map((x) => x + share * (end - x)));

/** Light becomes dark with the same hue; white becomes the page. @param {Colour} colour */
function inverted(colour) {
  const middle = (Math.max(...colour) + Math.min(...colour)) / 2;
  const wanted = 0.93 - 0.82 * middle;
  // scales the distance to black or to white, which keeps the hue
  return wanted <= middle
    ? /** @type {Colour} */ (colour.map((x) => (middle ? (x * wanted) / middle : 0)))
    : toward(colour, 1, (wanted - middle) / (1 - middle || 1));
}

/**
 * @param {string} text "#rrggbb" @param {'fill'|'stroke'|'text'} role @param {boolean} dark
 * @returns {string}
 */
export function readableColour(text, role, dark) {
  const colour = parse(text);
  if (!colour) return text;
  let shown = dark ? inverted(colour) : colour;
  const limit = needed(colour, role, dark);
  const paper = dark ? PAPER.dark : PAPER.light;
  for (let i = 0; i < 40 && contrast(luminance(shown), paper) < limit; i++)
    shown = toward(shown, dark ? 1 : 0, 0.08);
  return written(shown);
}

/** @type {Map<string, string>} */
const known = new Map();
function lookUp(text, role, dark) {
  const key = `${text} ${role} ${dark}`;
  if (!known.has(key)) known.set(key, readableColour(text, role, dark));
  return known.get(key);
}

/** Changes the colours of a drawing. @param {Element} svg @param {boolean} dark */
export function readable(svg, dark) {
  for (const one of svg.querySelectorAll('[fill], [stroke], [stop-color]')) {
    const isText = one.tagName === 'text';
    for (const name of ['fill', 'stroke', 'stop-color']) {
      const old = one.getAttribute(name);
      if (!old?.startsWith('#')) continue;
      const role = name === 'stroke' ? 'stroke' : isText ? 'text' : 'fill';
      const fresh = lookUp(old, role, dark);
      if (fresh && fresh !== old) one.setAttribute(name, fresh);
    }
  }
}
