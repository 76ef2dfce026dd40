// Whether a text passes a filter.

/**
 * Whether a text contains every requested word, in any order and case. In a word, * stands for any
 * characters and ? for one; then the word means a whole part between blanks.
 * @param {string} asked
 * @param {string} text
 */
export const matches = (asked, text) => matcher(asked)(text.toLowerCase());

/** The same for many texts in small letters. @param {string} asked */
export function matcher(asked) {
  const tests = asked
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      if (!/[*?]/.test(word)) return (text) => text.includes(word);
      const whole = pattern(word);
      return (text) => whole.test(text);
    });
  return (/** @type {string} */ text) => tests.every((test) => test(text));
}

/** @param {string} word with wildcards */
function pattern(word) {
  const plain = word.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|\\s)${plain.replaceAll('*', '\\S*').replaceAll('?', '\\S')}(?:\\s|$)`);
}
