// Points of a surface as triangles: plain numbers, which mechanism.js gives to the graphics card.

/**
 * Two triangles for each quadrilateral of the grid whose corners all exist.
 * @param {number} nu @param {number} nv @param {Float32Array} positions
 */
export function triangles(nu, nv, positions) {
  const list = [];
  const exists = (k) =>
    Number.isFinite(positions[3 * k] + positions[3 * k + 1] + positions[3 * k + 2]);
  for (let i = 0; i + 1 < nu; i++)
    for (let j = 0; j + 1 < nv; j++) {
      const [a, b] = [i * nv + j, (i + 1) * nv + j];
      if ([a, b, a + 1, b + 1].every(exists)) list.push(a, b, b + 1, a, b + 1, a + 1);
    }
  return list;
}

/**
 * @param {{nu: number, nv: number, x: (number|null)[], y: (number|null)[], z: (number|null)[]}} s
 *        an element of /api/surfaces; null: the function gave no number
 */
export function positionsOf({ nu, nv, x, y, z }) {
  const all = new Float32Array(3 * nu * nv);
  for (let k = 0; k < nu * nv; k++) {
    all[3 * k] = x[k] ?? NaN;
    all[3 * k + 1] = y[k] ?? NaN;
    all[3 * k + 2] = z[k] ?? NaN;
  }
  return all;
}

/** The middle of the box around the points that exist. @param {Float32Array} positions */
export function middleOf(positions) {
  return [0, 1, 2].map((axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let k = axis; k < positions.length; k += 3) {
      if (positions[k] < low) low = positions[k];
      if (positions[k] > high) high = positions[k];
    }
    return low <= high ? (low + high) / 2 : 0;
  });
}
