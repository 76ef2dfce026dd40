// Numbers as people write them: with SI prefixes (200u), fractions and arithmetic (1/2, 2*pi*50).

const PREFIXES = {
  f: 1e-15,
  p: 1e-12,
  n: 1e-9,
  u: 1e-6,
  µ: 1e-6,
  μ: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};
// a number with or without a prefix, pi, or a sign
const TOKEN =
  /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([fpnuµμmkMGT](?!\w))?|(pi)\b|([-+*/^()]))/uy;

/** The tokens of the text, or null if something else is in it. @param {string} text */
function tokensOf(text) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) return null;
    const [, digits, prefix, pi, sign] = found;
    if (digits) tokens.push(Number(digits) * (prefix ? PREFIXES[prefix] : 1));
    else tokens.push(pi ? Math.PI : sign);
  }
  return tokens;
}

/**
 * The value of an expression of numbers, or NaN if it is not one.
 * @param {string} text
 */
export function numberOf(text) {
  const tokens = tokensOf(text.trim());
  if (!tokens?.length) return NaN;
  let at = 0;
  const taken = (...signs) => signs.includes(tokens[at]) && tokens[at++];
  const primary = () => {
    if (typeof tokens[at] === 'number') return tokens[at++];
    if (!taken('(')) return NaN;
    const value = sum();
    return taken(')') ? value : NaN;
  };
  const power = () => {
    const base = primary();
    return taken('^') ? base ** signed() : base;
  };
  const signed = () => (taken('-') ? -signed() : taken('+') ? signed() : power());
  const product = () => {
    let value = signed();
    for (let sign; (sign = taken('*', '/')); )
      value = sign === '*' ? value * signed() : value / signed();
    return value;
  };
  const sum = () => {
    let value = product();
    for (let sign; (sign = taken('+', '-')); )
      value = sign === '+' ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return at === tokens.length ? value : NaN;
}

/** A number as people write it in the table; no binary noise. @param {number} value */
export function plainNumber(value) {
  const size = Math.abs(value);
  const short = Number(value.toPrecision(12));
  return size !== 0 && (size < 1e-3 || size >= 1e7) ? short.toExponential() : String(short);
}
