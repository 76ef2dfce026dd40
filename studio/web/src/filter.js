// What a filter's field lets through.

/** Whether a text holds every word that is asked for, in any order and case. @param {string} asked @param {string} text */
export function matches(asked, text) {
  const low = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}
