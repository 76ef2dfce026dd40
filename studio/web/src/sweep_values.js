// The values of a parameter in a sweep: equal steps, equal ratios, or random numbers.

export const SPACINGS = {
  linear: 'equal steps',
  log: 'equal ratios',
  uniform: 'random, uniform',
  normal: 'random, normal',
};
export const RUNS_MOST = 200;

/** Random numbers in [0, 1) that are the same each time (mulberry32). @param {number} seed */
export function randoms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Of `normal`, the two numbers are mean and standard deviation. Throws an error that says what is
 * wrong.
 * @param {string} spacing @param {number} a @param {number} b @param {number} n
 * @returns {number[]}
 */
export function sweepValues(spacing, a, b, n) {
  if (!Number.isFinite(a) || !Number.isFinite(b)) throw new Error('both values must be numbers');
  if (!(Number.isInteger(n) && n >= 1 && n <= RUNS_MOST))
    throw new Error(`the number of runs must be between 1 and ${RUNS_MOST}`);
  if (spacing === 'log' && !(a * b > 0))
    throw new Error('equal ratios need two values of one sign that are not zero');
  const share = (i) => (n > 1 ? i / (n - 1) : 0);
  const random = randoms(1);
  const one = {
    linear: (i) => a + share(i) * (b - a),
    log: (i) => a * (b / a) ** share(i),
    uniform: () => a + random() * (b - a),
    normal: () =>
      a + b * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  }[spacing];
  if (!one) throw new Error(`there is no spacing “${spacing}”`);
  return Array.from({ length: n }, (_x, i) => Number(one(i).toPrecision(12)));
}

/**
 * Colours from blue to red, by a share from 0 to 1; all are seen on light and on dark ground.
 * @param {number} share
 */
export function familyColour(share) {
  const stops = [
    [58, 123, 200],
    [42, 157, 143],
    [130, 165, 50],
    [214, 150, 40],
    [214, 90, 50],
  ];
  const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const k = Math.min(stops.length - 2, Math.floor(at));
  const mix = stops[k].map((c, i) => Math.round(c + (at - k) * (stops[k + 1][i] - c)));
  return `#${mix.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
}
