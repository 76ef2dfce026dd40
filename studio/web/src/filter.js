// Whether a text passes a filter.

/**
 * Whether a text contains every requested word, in any order and case.
 * @param {string} asked
 * @param {string} text
 */
export function matches(asked, text) {
  const low = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
