// Bodies of the types of shapes that ModelicaServices.Animation.Shape knows. Each begins at the
// origin and extends along x; y is its width, z its height.
import * as THREE from 'three';

/**
 * @typedef {object} Body
 * @property {any} geometry
 * @property {boolean} sized its size is built in, so that it must be made again for another size
 */

const AROUND = 32;

const alongX = (geometry) => geometry.rotateZ(-Math.PI / 2).translate(0.5, 0, 0);

function pipe(hollow) {
  const inner = 0.5 * Math.min(0.999, Math.max(0, hollow));
  const profile = [
    [inner, 0],
    [0.5, 0],
    [0.5, 1],
    [inner, 1],
    [inner, 0],
  ].map(([radius, height]) => new THREE.Vector2(radius, height));
  return new THREE.LatheGeometry(profile, AROUND).rotateZ(-Math.PI / 2).toNonIndexed();
}

/** A flat outline in the plane of length and width, or across the length, made thick. */
function thick(outline, depth) {
  return new THREE.ExtrudeGeometry(outline, { depth, bevelEnabled: false, curveSegments: 24 });
}

/** A bar whose ends are half cylinders around its first and last point. */
function beam(length, width, height) {
  const radius = width / 2;
  const outline = new THREE.Shape();
  outline.absarc(length, 0, radius, -Math.PI / 2, Math.PI / 2, false);
  outline.absarc(0, 0, radius, Math.PI / 2, (3 * Math.PI) / 2, false);
  return thick(outline, height).translate(0, 0, -height / 2);
}

/** A wheel of diameter 1 with teeth; a negative number: teeth inside a ring. */
function gearwheel(teeth) {
  const n = Math.max(4, Math.round(Math.abs(teeth)));
  const depth = Math.min(0.12, 2 / n);
  const inside = teeth < 0;
  const [tip, root] = inside ? [0.5 - depth - 0.05, 0.5 - 0.05] : [0.5, 0.5 - depth];
  const points = [];
  for (let i = 0; i < n; i++)
    for (const [share, radius] of [
      [0, root],
      [0.28, root],
      [0.4, tip],
      [0.85, tip],
    ]) {
      const angle = ((i + share) * 2 * Math.PI) / n;
      points.push(new THREE.Vector2(radius * Math.cos(angle), radius * Math.sin(angle)));
    }
  const outline = inside ? new THREE.Shape().absarc(0, 0, 0.5, 0, 2 * Math.PI, false) : null;
  const shape = outline ?? new THREE.Shape(points);
  if (outline) outline.holes.push(new THREE.Path(points));
  return thick(shape, 1).rotateY(Math.PI / 2);
}

/** A helix of unit length; windings, diameter of the coil and of the wire are built in. */
class Helix extends THREE.Curve {
  constructor(windings, radius) {
    super();
    Object.assign(this, { windings, radius });
  }

  getPoint(t, target = new THREE.Vector3()) {
    const angle = 2 * Math.PI * /** @type {any} */ (this).windings * t;
    const radius = /** @type {any} */ (this).radius;
    return target.set(t, radius * Math.cos(angle), radius * Math.sin(angle));
  }
}

function spring(windings, width, wire) {
  const n = Math.min(60, Math.max(1, windings || 5));
  const curve = new Helix(n, Math.max(1e-6, width / 2));
  return new THREE.TubeGeometry(curve, Math.round(24 * n), Math.max(1e-6, wire / 2), 8);
}

/** Types whose size is a scale of a body of size one. */
const PLAIN = {
  box: () => new THREE.BoxGeometry(1, 1, 1).translate(0.5, 0, 0),
  sphere: () => new THREE.SphereGeometry(0.5, AROUND, AROUND / 2).translate(0.5, 0, 0),
  cylinder: () => alongX(new THREE.CylinderGeometry(0.5, 0.5, 1, AROUND)),
  cone: (extra) => alongX(new THREE.CylinderGeometry(0.5 * extra, 0.5, 1, AROUND)),
  pipe,
  pipecylinder: pipe,
  gearwheel,
};

export const isKnown = (type) => type in PLAIN || type === 'beam' || type === 'spring';

/**
 * A body of this type and size, and the scale with which it is drawn.
 * @param {string} type @param {[number, number, number]} size @param {number} extra
 * @returns {{key: string, make: () => any, scale: [number, number, number]}}
 */
export function bodyOf(type, size, extra) {
  const [length, width, height] = size.map((x) => Math.max(Math.abs(x), 1e-9));
  if (type === 'beam')
    return {
      key: `beam ${length} ${width} ${height}`,
      make: () => beam(length, width, height),
      scale: [1, 1, 1],
    };
  if (type === 'spring')
    return {
      key: `spring ${extra} ${width} ${height}`,
      make: () => spring(extra, width, height / 2),
      scale: [length, 1, 1],
    };
  return {
    key: `${type} ${extra}`,
    make: () => PLAIN[type](extra),
    scale: [length, width, height],
  };
}
