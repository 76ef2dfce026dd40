// Whether a text passes a filter.

/**
 * Whether a text contains every requested word, in any order and case. In a word, * stands for any
 * characters and ? for one; then the word means a whole part between blanks.
 * @param {string} asked
 * @param {string} text
 */
export function matches(asked, text) {
  const low = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => (/[*?]/.test(word) ? pattern(word).test(low) : low.includes(word)));
}

/** @param {string} word with wildcards */
function pattern(word) {
  const plain = word.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|\\s)${plain.replaceAll('*', '\\S*').replaceAll('?', '\\S')}(?:\\s|$)`);
}
