// Variables that a user marked, by class. They are kept over reloads.
import { emit } from './bus.js';
import { session } from './session.js';

const MOST = 200; // of a class

/** @type {Record<string, string[]>} */
let marked = {};

export const favouritesState = () => marked;

/** @param {any} kept */
export function restoreFavourites(kept) {
  marked = kept && typeof kept === 'object' ? kept : {};
}

/** @returns {string[]} of the present class */
export const favourites = () => (session.class && marked[session.class]) || [];

/** @param {string} name */
export const isFavourite = (name) => favourites().includes(name);

/** @param {string} name */
export function toggleFavourite(name) {
  if (!session.class) return;
  const list = favourites();
  const next = list.includes(name) ? list.filter((one) => one !== name) : [...list, name];
  if (next.length) marked[session.class] = next.slice(-MOST);
  else delete marked[session.class];
  emit('favourites');
  emit('layout');
}
