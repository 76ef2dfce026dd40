// Flows along the lines of a diagram. A connector's flow variable is positive into its component;
// what flows along a line follows from the sums to zero, as long as the lines of a net form a tree.

/**
 * @param {[string, string][]} lines pairs of connectors
 * @param {(connector: string) => number|null} flowInto the component that has the connector
 * @returns {(number|null)[]} for each line from its first to its second end; null: undetermined
 */
export function wireFlows(lines, flowInto) {
  /** @type {Map<string, Set<number>>} lines that are still unknown, at each connector */
  const at = new Map();
  lines.forEach((ends, i) => {
    for (const end of ends) {
      if (!at.has(end)) at.set(end, new Set());
      at.get(end)?.add(i);
    }
  });
  /** @type {Map<string, number|null>} what the unknown lines must bring to a connector */
  const needs = new Map([...at.keys()].map((end) => [end, flowInto(end)]));
  /** @type {(number|null)[]} */
  const flows = lines.map(() => null);
  const leaves = [...at.keys()].filter((end) => at.get(end)?.size === 1);
  for (let end; (end = leaves.pop()) !== undefined;) {
    const unknown = at.get(end);
    const need = needs.get(end) ?? null;
    if (unknown?.size !== 1 || need === null) continue;
    const [line] = unknown;
    const [first, second] = lines[line];
    const other = first === end ? second : first;
    flows[line] = first === end ? -need : need;
    unknown.delete(line);
    at.get(other)?.delete(line);
    const rest = needs.get(other) ?? null;
    needs.set(other, rest === null ? null : rest + need);
    if (at.get(other)?.size === 1) leaves.push(other);
  }
  return flows;
}
