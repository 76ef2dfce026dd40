// The variables of a model as a tree of components. Elements of an array are below its name, and a
// derivative is beside its variable. Large models have 100,000 variables: a branch sorts its
// children when it opens, and only rows that are open exist.
import { matcher } from './filter.js';

/**
 * @typedef {object} Branch
 * @property {string} name  its last part
 * @property {string} full  its path, which names it among the open ones
 * @property {Map<string, Branch>} branches
 * @property {any[]} leaves variables
 * @property {number} count of all variables below
 */

/**
 * @typedef {object} Row
 * @property {number} level from 0
 * @property {string} title
 * @property {any} [variable] of a leaf
 * @property {Branch} [branch]
 * @property {boolean} [open]
 */

const DERIVATIVE = /^der\((.*)\)$/s;
const PARTS = /'(?:[^'\\]|\\.)*'|\[[^\]]*\]|[^.[']+/g;

/** Parts of a name: components and indices, `a.b[2].c` is a, b, [2], c. @param {string} name */
export function partsOf(name) {
  const inner = DERIVATIVE.exec(name);
  if (!inner) return name.match(PARTS) ?? [name];
  const parts = inner[1].match(PARTS) ?? [inner[1]];
  // the derivative of an element belongs to the array of derivatives
  const last = parts.findLastIndex((part) => !part.startsWith('['));
  parts[last] = `der(${parts[last]})`;
  return parts;
}

/** @param {string} name @param {string} full @returns {Branch} */
const newBranch = (name, full) => ({ name, full, branches: new Map(), leaves: [], count: 0 });

/** @param {any[]} variables @returns {Branch} */
export function treeOf(variables) {
  const root = newBranch('', '');
  for (const variable of variables) {
    const parts = partsOf(variable.name);
    let at = root;
    at.count++;
    for (let i = 0; i + 1 < parts.length; i++) {
      const part = parts[i];
      let next = at.branches.get(part);
      if (!next) {
        const dot = part.startsWith('[') || !at.full ? '' : '.';
        next = newBranch(part, `${at.full}${dot}${part}`);
        at.branches.set(part, next);
      }
      at = next;
      at.count++;
    }
    at.leaves.push({ variable, title: parts[parts.length - 1] });
  }
  return root;
}

/** Variables that change, then components, then parameters. */
function* childrenOf(branch) {
  const fixed = (leaf) => leaf.variable.kind === 'parameter';
  for (const leaf of branch.leaves) if (!fixed(leaf)) yield leaf;
  yield* branch.branches.values();
  for (const leaf of branch.leaves) if (fixed(leaf)) yield leaf;
}

/**
 * The rows of the tree, as far as branches are open.
 * @param {Branch} root
 * @param {Set<string>} open paths of branches
 * @returns {Row[]}
 */
export function rowsOf(root, open) {
  /** @type {Row[]} */
  const rows = [];
  const walk = (branch, level) => {
    for (const child of childrenOf(branch)) {
      if (child.variable) rows.push({ level, title: child.title, variable: child.variable });
      else {
        const isOpen = open.has(child.full);
        rows.push({ level, title: child.name, branch: child, open: isOpen });
        if (isOpen) walk(child, level + 1);
      }
    }
  };
  walk(root, 0);
  return rows;
}

/** What a filter looks at, by the list of variables. */
const texts = new WeakMap();
function textsOf(variables) {
  if (!texts.has(variables))
    texts.set(
      variables,
      variables.map(({ name, unit, type, kind, description }) =>
        `${name} ${unit ?? ''} ${type ?? ''} ${kind ?? ''} ${description ?? ''}`.toLowerCase(),
      ),
    );
  return texts.get(variables);
}

/**
 * All variables that pass a filter, those that change first, with their full names.
 * @param {any[]} variables @param {string} asked @param {(variable: any) => boolean} [also]
 * @returns {Row[]}
 */
export function foundRows(variables, asked, also = () => true) {
  const test = matcher(asked);
  const all = textsOf(variables);
  const found = variables.filter((one, i) => also(one) && test(all[i]));
  const fixed = (one) => one.kind === 'parameter';
  return [...found.filter((one) => !fixed(one)), ...found.filter(fixed)].map((variable) => ({
    level: 0,
    title: variable.name,
    variable,
  }));
}
