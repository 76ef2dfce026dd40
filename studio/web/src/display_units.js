// Other units for a quantity in SI units: value in the other unit = value * factor + offset.

/** @type {Record<string, Record<string, [number, number]>>} */
const UNITS = {
  K: { degC: [1, -273.15], degF: [1.8, -459.67] },
  rad: { deg: [180 / Math.PI, 0] },
  'rad/s': { 'rev/min': [30 / Math.PI, 0], 'deg/s': [180 / Math.PI, 0] },
  Pa: { bar: [1e-5, 0], kPa: [1e-3, 0], MPa: [1e-6, 0] },
  m: { mm: [1e3, 0], cm: [100, 0], km: [1e-3, 0] },
  m2: { cm2: [1e4, 0], mm2: [1e6, 0] },
  m3: { l: [1e3, 0], cm3: [1e6, 0] },
  s: { ms: [1e3, 0], us: [1e6, 0], min: [1 / 60, 0], h: [1 / 3600, 0], d: [1 / 86400, 0] },
  'm/s': { 'km/h': [3.6, 0] },
  kg: { g: [1e3, 0], t: [1e-3, 0] },
  J: { kJ: [1e-3, 0], 'W.h': [1 / 3600, 0], 'kW.h': [1 / 3.6e6, 0] },
  W: { mW: [1e3, 0], kW: [1e-3, 0], MW: [1e-6, 0] },
  V: { mV: [1e3, 0], kV: [1e-3, 0] },
  A: { mA: [1e3, 0], uA: [1e6, 0], kA: [1e-3, 0] },
  Ohm: { mOhm: [1e3, 0], kOhm: [1e-3, 0], MOhm: [1e-6, 0] },
  F: { uF: [1e6, 0], nF: [1e9, 0], pF: [1e12, 0] },
  H: { mH: [1e3, 0], uH: [1e6, 0] },
  Hz: { kHz: [1e-3, 0], MHz: [1e-6, 0] },
  C: { 'A.h': [1 / 3600, 0] },
};

/** The units in which a value can be written. @param {string|undefined} unit */
export const unitsFor = (unit) => (unit ? [unit, ...Object.keys(UNITS[unit] ?? {})] : []);

/** @param {number} value @param {string} unit @param {string} other */
export function toUnit(value, unit, other) {
  const [factor, offset] = UNITS[unit]?.[other] ?? [1, 0];
  return value * factor + offset;
}

/** @param {number} value @param {string} unit @param {string} other */
export function fromUnit(value, unit, other) {
  const [factor, offset] = UNITS[unit]?.[other] ?? [1, 0];
  return (value - offset) / factor;
}
