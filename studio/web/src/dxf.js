// Faces of a DXF file (3DFACE in metres), with the colours of their layers.

/** A colour of AutoCAD's index as 0xrrggbb. @param {number} index */
export function indexColour(index) {
  const plain = [0, 0xff0000, 0xffff00, 0x00ff00, 0x00ffff, 0x0000ff, 0xff00ff, 0xffffff];
  if (index < 8) return plain[Math.max(0, index)];
  if (index < 10) return index === 8 ? 0x808080 : 0xc0c0c0;
  if (index >= 250) {
    const grey = Math.round(0x33 + ((index - 250) * (0xff - 0x33)) / 5);
    return grey * 0x010101;
  }
  const hue = (Math.floor(index / 10) - 1) * 15;
  const value = [1, 1, 0.65, 0.65, 0.5, 0.5, 0.3, 0.3, 0.15, 0.15][index % 10];
  const pale = index % 2 ? 0.5 : 0;
  const part = (shift) => {
    const k = (((hue + shift) % 360) + 360) % 360;
    const bright = k < 60 || k > 300 ? 1 : k < 120 ? (120 - k) / 60 : k > 240 ? (k - 240) / 60 : 0;
    return Math.round(255 * value * (pale + (1 - pale) * bright));
  };
  return part(0) * 0x10000 + part(-120) * 0x100 + part(120);
}

/** Pairs of group code and value. @param {string} text */
function groups(text) {
  const lines = text.split(/\r?\n/);
  const pairs = [];
  for (let i = 0; i + 1 < lines.length; i += 2)
    pairs.push(/** @type {[number, string]} */ ([Number(lines[i]), lines[i + 1].trim()]));
  return pairs;
}

/** Entities: what follows a group of code 0. @param {string} text */
function entities(text) {
  /** @type {{kind: string, groups: Map<number, string>}[]} */
  const list = [];
  for (const [code, value] of groups(text)) {
    if (code === 0) list.push({ kind: value, groups: new Map() });
    else list.at(-1)?.groups.set(code, value);
  }
  return list;
}

/**
 * Triangles of a file: coordinates, nine a triangle, and a colour for each; -1: that of the model.
 * @param {string} text
 */
export function readDxf(text) {
  const positions = [];
  const colours = [];
  const layers = new Map();
  for (const { kind, groups: g } of entities(text)) {
    if (kind === 'LAYER') layers.set(g.get(2), Number(g.get(62)));
    if (kind !== '3DFACE') continue;
    const corner = (k) => [10, 20, 30].map((code) => Number(g.get(code + k) ?? 0));
    const corners = [0, 1, 2, g.has(13) ? 3 : 2].map(corner);
    const own = g.has(62) ? Number(g.get(62)) : 256;
    const index = own === 256 || own === 0 ? layers.get(g.get(8)) : own;
    const colour = index === undefined ? -1 : indexColour(Math.abs(index));
    const same = (a, b) => corners[a].every((x, i) => x === corners[b][i]);
    positions.push(...corners[0], ...corners[1], ...corners[2]);
    colours.push(colour);
    if (same(2, 3) || same(0, 3)) continue;
    positions.push(...corners[0], ...corners[2], ...corners[3]);
    colours.push(colour);
  }
  return { positions, colours };
}
