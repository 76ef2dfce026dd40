// The language of the page: that of the browser, if there is a table for it; otherwise English.
// English texts are the keys of the tables, so code and tests stay readable. `h` (dom.js) looks up
// what it inserts: whole phrases everywhere, single words in buttons, headings and tips. Words in
// other places may be names of the user, and texts around inserted values may be the user's too:
// both are looked up by `say`.
import { GERMAN, GERMAN_KEYS } from './german.js';

const KEY = 'kairos-language';
const TABLES = { de: GERMAN };
const KEY_NAMES = { de: GERMAN_KEYS };

/** What the user can choose, by code. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** @param {string|null} chosen @param {readonly string[]} wanted by the system */
export function languageOf(chosen, wanted) {
  if (chosen && chosen in LANGUAGES) return chosen;
  return wanted.map((one) => one.slice(0, 2).toLowerCase()).find((one) => one in LANGUAGES) ?? 'en';
}

const inPage = typeof document !== 'undefined';
export const language = inPage
  ? languageOf(localStorage.getItem(KEY), navigator.languages)
  : 'en';

/** @param {string} code of LANGUAGES; the page is shown anew */
export function chooseLanguage(code) {
  localStorage.setItem(KEY, code);
  location.reload();
}

/**
 * Looks up texts in a table. Keys with {0} match texts with anything in these places.
 * @param {Record<string, string>|undefined} table
 */
export function translator(table) {
  const patterns = Object.entries(table ?? {})
    .filter(([key]) => key.includes('{0}'))
    .map(([key, value]) => ({
      value,
      begin: key.slice(0, key.indexOf('{0}')),
      end: key.slice(key.lastIndexOf('}') + 1),
      test: new RegExp(
        `^${key
          .split(/\{\d\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('([\\s\\S]+?)')}$`,
      ),
    }))
    // the longest fixed text first
    .sort((a, b) => b.begin.length + b.end.length - a.begin.length - a.end.length);

  function byPattern(text) {
    for (const { begin, end, test, value } of patterns) {
      if (!text.startsWith(begin) || !text.endsWith(end)) continue;
      const found = test.exec(text);
      if (found) return value.replace(/\{(\d)\}/g, (_all, i) => found[Number(i) + 1]);
    }
    return null;
  }

  /**
   * @param {string} text
   * @param {{words?: boolean, patterns?: boolean}} [how] also single words; also keys with {0}
   */
  return (text, { words = true, patterns: all = true } = {}) => {
    if (!table || !/[a-z]/i.test(text)) return text;
    const body = text.trim();
    if (!words && !body.includes(' ')) return text;
    const found = Object.hasOwn(table, body) ? table[body] : all && byPattern(body);
    return found ? text.replace(body, () => found) : text;
  };
}

/** The text in the language of the page. */
export const say = translator(TABLES[language]);

/** Keys as they are written on keyboards of the language. @param {string} text */
export const sayKeys = (text) =>
  say(text).replace(/[A-Za-z]+/g, (word) => KEY_NAMES[language]?.[word] ?? word);

if (inPage) document.documentElement.lang = language;
