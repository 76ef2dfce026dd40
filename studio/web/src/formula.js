// Functions of variables, as typed for a plot: “= L.i*L.v”. The sign “=” tells them from names.

const FUNCTIONS = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  log: Math.log,
  log10: Math.log10,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  min: Math.min,
  max: Math.max,
};
/** Least and greatest number of arguments; others take one. */
const COUNTS = { atan2: [2, 2], min: [1, Infinity], max: [1, Infinity] };

const PART = "(?:[A-Za-z_]\\w*|'(?:[^'\\\\]|\\\\.)+')(?:\\[[\\d, ]+\\])?";
const TOKEN = new RegExp(
  `\\s*(?:((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)|(der\\(${PART}(?:\\.${PART})*\\)|` +
    `${PART}(?:\\.${PART})*)|([-+*/^(),]))`,
  'uy',
);

export const isFormula = (/** @type {string} */ name) => name.startsWith('=');

/** @typedef {(row: (name: string) => number|null) => number} Term */

/** @typedef {{names: string[], value: Term, error?: string}} Formula with an error, or not */

class Mistake extends Error {}

/** @param {string} text */
function tokensOf(text) {
  /** @type {{number?: number, name?: string, sign?: string}[]} */
  const tokens = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) throw new Mistake(`“${text.slice(at).trim()}” is not understood`);
    const [, number, name, sign] = found;
    tokens.push(number ? { number: Number(number) } : name ? { name } : { sign });
  }
  return tokens;
}

/** By recursive descent; the terms read variables by their names. */
class Parser {
  constructor(text) {
    this.tokens = tokensOf(text);
    this.at = 0;
    /** @type {Set<string>} */
    this.names = new Set();
  }

  taken(...signs) {
    const sign = this.tokens[this.at]?.sign;
    if (!sign || !signs.includes(sign)) return null;
    this.at++;
    return sign;
  }

  expect(sign) {
    if (!this.taken(sign)) throw new Mistake(`“${sign}” is missing`);
  }

  /** @returns {Term} */
  sum() {
    let left = this.product();
    for (let sign; (sign = this.taken('+', '-'));) {
      const [a, b, plus] = [left, this.product(), sign === '+'];
      left = (row) => (plus ? a(row) + b(row) : a(row) - b(row));
    }
    return left;
  }

  product() {
    let left = this.signed();
    for (let sign; (sign = this.taken('*', '/'));) {
      const [a, b, times] = [left, this.signed(), sign === '*'];
      left = (row) => (times ? a(row) * b(row) : a(row) / b(row));
    }
    return left;
  }

  signed() {
    const sign = this.taken('-', '+');
    if (!sign) return this.power();
    const a = this.signed();
    return sign === '-' ? (row) => -a(row) : a;
  }

  power() {
    const a = this.primary();
    if (!this.taken('^')) return a;
    const b = this.signed();
    return (row) => a(row) ** b(row);
  }

  /** @returns {Term} */
  primary() {
    const { number, name } = this.tokens[this.at] ?? {};
    if (number !== undefined) {
      this.at++;
      return () => number;
    }
    if (name !== undefined) {
      this.at++;
      return this.named(name);
    }
    if (!this.taken('(')) throw new Mistake('a value is missing');
    const inner = this.sum();
    this.expect(')');
    return inner;
  }

  /** @param {string} name @returns {Term} */
  named(name) {
    if (this.taken('(')) return this.call(name);
    if (name === 'pi') return () => Math.PI;
    this.names.add(name);
    return (row) => row(name) ?? NaN;
  }

  call(name) {
    const f = FUNCTIONS[name];
    if (!f) throw new Mistake(`there is no function “${name}”`);
    const list = [this.sum()];
    while (this.taken(',')) list.push(this.sum());
    this.expect(')');
    const [least, most] = COUNTS[name] ?? [1, 1];
    if (list.length < least || list.length > most)
      throw new Mistake(`“${name}” has ${list.length} arguments`);
    return (row) => f(...list.map((term) => term(row)));
  }
}

/** @type {Map<string, Formula>} */
const known = new Map();

/** @param {string} text with its sign “=” @returns {Formula} */
export function formulaOf(text) {
  const old = known.get(text);
  if (old) return old;
  /** @type {Formula} */
  let formula;
  try {
    const parser = new Parser(text.replace(/^=/, ''));
    const value = parser.sum();
    if (parser.at < parser.tokens.length) throw new Mistake('an operator is missing');
    formula = { names: [...parser.names], value };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    formula = { names: [], value: () => NaN, error: error.message };
  }
  known.set(text, formula);
  return formula;
}

/** The variables that a name of a pane needs. @param {string} name */
export function variablesOf(name) {
  return isFormula(name) ? formulaOf(name).names : [name];
}

/** The name as people read it. @param {string} name */
export const titleOf = (name) => (isFormula(name) ? name.slice(1).trim() : name);

/**
 * The values of a formula over rows; null if a variable is missing.
 * @param {string} name @param {(name: string) => (number|null)[]|null} column
 * @param {number} count
 * @returns {(number|null)[]|null}
 */
export function formulaColumn(name, column, count) {
  const formula = formulaOf(name);
  if (formula.error !== undefined) return null;
  const columns = new Map(formula.names.map((one) => [one, column(one)]));
  if ([...columns.values()].some((one) => !one)) return null;
  let i = 0;
  const row = (one) => columns.get(one)?.[i] ?? null;
  const values = [];
  for (; i < count; i++) {
    const value = formula.value(row);
    values.push(Number.isFinite(value) ? value : null);
  }
  return values;
}
