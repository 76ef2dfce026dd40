// Creates elements. Strings are always inserted as text, never as markup, and in the language of
// the page (language.js).
import { say } from './language.js';

/** Attributes that are read by people, and elements whose words are those of the page. */
const READ = new Set(['title', 'aria-label', 'placeholder']);
const OWN_WORDS = new Set(['BUTTON', 'H2', 'H3', 'LEGEND', 'SUMMARY', 'TH']);

/**
 * An element with properties and children. `on*` are listeners, `class`, `dataset` and `style` (an
 * object) have their usual meaning, `aria-*` and names with a dash are attributes, everything else
 * is a property. Children that are null or false are left out.
 * @param {string} tag
 * @param {Record<string, any>|null} [properties]
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 * @returns {any}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null) continue;
    if (READ.has(name))
      element.setAttribute(name, say(String(value), { patterns: name === 'aria-label' }));
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'dataset') Object.assign(element.dataset, value);
    else if (name === 'style')
      for (const [k, v] of Object.entries(value)) element.style.setProperty(k, String(v));
    else if (name.includes('-') || name === 'role' || name === 'for')
      element.setAttribute(name, String(value));
    else /** @type {any} */ (element)[name] = value;
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {any[]} children */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else
      element.append(
        say(String(child), { words: OWN_WORDS.has(element.tagName), patterns: false }),
      );
  }
}

/** A text of the user, which is not looked up even if it is a word of the page. */
export const verbatim = (/** @type {string} */ text) => document.createTextNode(text);

/** Replaces what is inside. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * A drawing of one path. @param {string} box the visible part of the plane
 * @param {string} path
 * @param {Record<string, string>} [attributes] of the path
 */
export function drawing(box, path, attributes = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', box);
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  for (const [name, value] of Object.entries({ d: path, ...attributes }))
    line.setAttribute(name, value);
  svg.append(line);
  return svg;
}

/** A small line drawing of 16 by 16. @param {string} path */
export function icon(path) {
  const svg = drawing('0 0 16 16', path);
  svg.setAttribute('class', 'icon');
  return svg;
}

/**
 * A button that is only an icon; its title is its name.
 * @param {string} title
 * @param {string} path
 * @param {(event: any) => void} act
 */
export function tool(title, path, act) {
  return h('button', { class: 'quiet', title, 'aria-label': title, onclick: act }, icon(path));
}

/** Calls `draw` at most once per frame, for any number of requests. @param {() => void} draw */
export function inFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

/**
 * Calls `act` when `ms` have passed since the last call.
 * @param {number} ms
 * @param {(...rest: any[]) => void} act
 */
export function afterPause(ms, act) {
  let timer = 0;
  return (/** @type {any[]} */ ...rest) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => act(...rest), ms);
  };
}
