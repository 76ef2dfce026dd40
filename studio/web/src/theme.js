// Light or dark: as in the system, unless the user has chosen. The choice is kept by the browser,
// so that the first paint is right.
import { emit } from './bus.js';

const KEY = 'kairos-theme';
const system = window.matchMedia('(prefers-color-scheme: dark)');

/** @returns {'auto'|'light'|'dark'} */
export function themeChoice() {
  const choice = localStorage.getItem(KEY);
  return choice === 'light' || choice === 'dark' ? choice : 'auto';
}

export const isDark = () => (themeChoice() === 'auto' ? system.matches : themeChoice() === 'dark');

function apply() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  emit('theme');
}

/** @param {'auto'|'light'|'dark'} choice */
export function chooseTheme(choice) {
  localStorage.setItem(KEY, choice);
  apply();
}

export function startTheme() {
  apply();
  system.addEventListener('change', apply);
}
