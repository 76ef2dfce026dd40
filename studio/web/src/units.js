// Units as people write them, from the notation of Modelica: "kg.m2/s2" becomes kg·m²/s².
const RAISED = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};
const NAMES = { Ohm: 'Ω', deg: '°', degC: '°C', degF: '°F', kOhm: 'kΩ', MOhm: 'MΩ' };

/** @param {string|null|undefined} unit */
export function prettyUnit(unit) {
  if (!unit || unit === '1') return '';
  return unit
    .replace(
      /([A-Za-z]+)(-?\d+)?/g,
      (_all, name, power) =>
        (NAMES[name] ?? name) + [...(power ?? '')].map((c) => RAISED[c]).join(''),
    )
    .replaceAll('.', '·');
}
