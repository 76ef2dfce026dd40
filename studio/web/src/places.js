// From the compiler's lines and columns, which count characters from 1, to positions in an editor's
// text, which count UTF-16 units from 0.

/**
 * Units that the first `characters` characters of `text` take.
 * @param {string} text
 * @param {number} characters
 */
export function unitsOf(text, characters) {
  let units = 0;
  for (let i = 0; i < characters && units < text.length; i++)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

/** @param {import('@codemirror/state').Text} text @param {number} line @param {number} column */
export function positionOf(text, line, column) {
  const at = text.line(Math.min(Math.max(1, line), text.lines));
  return at.from + unitsOf(at.text, column - 1);
}

/**
 * The span of a message; never empty, so that it can be seen.
 * @param {import('@codemirror/state').Text} text
 * @param {any} message
 */
export function spanOf(text, message) {
  let from = positionOf(text, message.line, message.column ?? 1);
  let to = message.end_line ? positionOf(text, message.end_line, message.end_column ?? 1) : from;
  if (to <= from) to = Math.min(text.length, from + 1);
  if (to <= from) from = Math.max(0, to - 1);
  return { from, to };
}
