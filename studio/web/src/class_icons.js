// Icons of classes for the tree, as the compiler draws them. Requests of one moment are one call;
// answers are kept until a file changes.
import { api } from './api.js';
import { on } from './bus.js';
import { h } from './dom.js';
import { unsavedTexts } from './documents.js';

/** Addresses of pictures; null: the class has no icon. @type {Map<string, string|null>} */
const known = new Map();
/** Rows that wait, by class. @type {Map<string, ((address: string|null) => void)[]>} */
let waiting = new Map();
const MOST = 100; // classes in one call

on('document:saved files', () => known.clear());

/** Without labels around the icon, if it has the usual size. @param {string} svg */
function cropped(svg) {
  return svg.replace(/viewBox="([^"]*)"/, (all, numbers) => {
    const [x, y, w, height] = numbers.split(' ').map(Number);
    const near = x >= -170 && y >= -170 && x + w <= 170 && y + height <= 170;
    const large = x < -60 && x + w > 60 && y < -60 && y + height > 60;
    return near && large ? 'viewBox="-108 -108 216 216"' : all;
  });
}

async function ask() {
  const asked = waiting;
  waiting = new Map();
  const names = [...asked.keys()];
  for (let i = 0; i < names.length; i += MOST) {
    const some = names.slice(i, i + MOST);
    const found = await api.icons({ classes: some, open: unsavedTexts() }).catch(() => null);
    for (const name of some) {
      const address = found?.[name]
        ? URL.createObjectURL(new Blob([cropped(found[name])], { type: 'image/svg+xml' }))
        : null;
      if (found) known.set(name, address);
      for (const show of asked.get(name) ?? []) show(address);
    }
  }
}

/** Puts the icon of a class into an element, once it is there. */
export function showIcon(element, name) {
  const show = (address) => {
    if (!address) return;
    const picture = h('img', { src: address, alt: '', draggable: false });
    element.replaceChildren(picture);
    element.classList.add('has-icon');
  };
  if (known.has(name)) return show(known.get(name));
  if (!waiting.size) setTimeout(ask);
  if (!waiting.has(name)) waiting.set(name, []);
  return waiting.get(name)?.push(show);
}
