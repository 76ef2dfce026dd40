// The mechanism in three dimensions (three.js): bodies, arrows, trails, light and camera. It is a
// script of its own, mechanism.js of the page, which is loaded when the animation is first shown.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { readDxf } from './dxf.js';
import { axes, reader, rotation, toWorld } from './frames.js';
import { bodyOf, isKnown } from './shape_geometry.js';
import { middleOf, positionsOf, triangles } from './surface_geometry.js';

const SMALL = 1e-9;
const RELATIVE_POSITION = 7; // of Modelica.Mechanics.MultiBody.Types.VectorQuantity
const ARROW_SHARE = 0.25; // of the scene: the longest arrow of a quantity that is no length

/** A mesh whose matrix we set. */
function meshOf(geometry, material) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.matrixAutoUpdate = false;
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/**
 * Columns: directions times scales, and the place.
 * @param {any} object @param {number[]} at @param {any} directions @param {any} scale
 */
function setMatrix(object, at, [x, y, z], [sx, sy, sz]) {
  object.matrixWorldNeedsUpdate = true;
  // prettier-ignore
  object.matrix.set(
    x[0] * sx, y[0] * sy, z[0] * sz, at[0],
    x[1] * sx, y[1] * sy, z[1] * sz, at[1],
    x[2] * sx, y[2] * sy, z[2] * sz, at[2],
    0, 0, 0, 1,
  );
}

const cornersOf = ({ min, max }) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map(
    (bits) =>
      new THREE.Vector3(
        bits & 1 ? min.x : max.x,
        bits & 2 ? min.y : max.y,
        bits & 4 ? min.z : max.z,
      ),
  );

const sum = (a, b) => a.map((x, i) => x + b[i]);

/** What all visuals have: a colour that may vary, a place, and how they are read. */
class Visual {
  constructor(what) {
    this.what = what;
    this.material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05 });
    this.read = (name) => reader(what[name]);
    this.R = this.read('R.T');
    this.r = this.read('r');
    this.colour = this.read('color');
    this.gloss = this.read('specularCoefficient');
    this.shown = true;
    /** its colours do not vary, and its material has them */
    this.painted = false;
    /** its vertices have colours */
    this.coloured = false;
    /** where it is, for the list and for trails */
    this.centre = [0, 0, 0];
  }

  paint(row) {
    if (this.painted) return;
    this.painted = [this.colour, this.gloss].every((read) => !read || read.constant);
    const grey = this.coloured ? [255, 255, 255] : [160, 160, 160];
    const [r, g, b] = this.colour && !this.coloured ? this.colour(row) : grey;
    this.material.color.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace);
    if (this.gloss)
      this.material.roughness = 1 - 0.65 * Math.min(1, Math.max(0, this.gloss(row)[0]));
  }
}

class ShapeVisual extends Visual {
  constructor(what) {
    super(what);
    this.parts = ['r_shape', 'lengthDirection', 'widthDirection', 'length', 'width', 'height'].map(
      this.read,
    );
    this.extra = this.read('extra');
    this.key = '';
    /** form and gloss: bodies of one look are drawn together */
    this.look = '';
    /** its form varies, so that it is drawn by itself */
    this.restless = false;
    this.file = null;
    const all = [...this.parts, this.extra, this.R, this.r];
    this.still = all.every((read) => !read || read.constant);
    /** whether the first pose showed a body; null before it */
    this.exists = null;
    this.object = meshOf(new THREE.BufferGeometry(), this.material);
  }

  get complete() {
    return Boolean(this.R && this.r && this.parts.every(Boolean));
  }

  /** Takes the body of a file. @param {any} geometry @param {boolean} coloured */
  setFile(geometry, coloured) {
    this.file = geometry;
    this.object.geometry = geometry;
    this.material.vertexColors = coloured;
    this.material.side = THREE.DoubleSide;
    this.material.flatShading = true;
    this.coloured = coloured;
  }

  /** Place, directions and size at a row. */
  placeAt(row) {
    const [shift, along, across, ...size] = this.parts.map((read) => read(row));
    const R = rotation(this.R(row));
    const directions = axes(along, across).map((v) => toWorld(R, v));
    return {
      at: sum(this.r(row), toWorld(R, shift)),
      directions,
      size: /** @type {[number, number, number]} */ (size.map(([x]) => x)),
    };
  }

  /** The middle of the body; of one from a file, its origin. */
  centreAt(row) {
    const { at, directions, size } = this.placeAt(row);
    return this.file ? at : at.map((x, i) => x + (directions[0][i] * size[0]) / 2);
  }

  pose(row) {
    if (this.still && this.exists !== null) {
      this.object.visible = this.shown && this.exists;
      this.paint(row);
      return;
    }
    const { at, directions, size } = this.placeAt(row);
    const extra = this.extra?.(row)[0] ?? 0;
    let scale = size.map((x) => Math.max(Math.abs(x), SMALL));
    if (this.file) scale = extra === 1 ? scale : [1, 1, 1];
    else {
      const body = bodyOf(this.what.shape, size, extra);
      if (body.key !== this.key) {
        this.restless ||= this.key !== '';
        this.object.geometry.dispose();
        this.object.geometry = body.make();
        this.key = body.key;
      }
      scale = body.scale;
    }
    if (size[0] < 0) directions[0] = directions[0].map((x) => -x);
    setMatrix(this.object, at, directions, scale);
    this.exists = this.file !== null || size.some((x) => x !== 0);
    this.object.visible = this.shown && this.exists;
    this.paint(row);
    this.look = this.restless
      ? ''
      : `${this.file ? this.what.shape : this.key} ${this.material.roughness}`;
    this.centre = this.file
      ? at
      : new THREE.Vector3(0.5, 0, 0)
          .multiplyScalar(size[0] / (scale[0] || 1))
          .applyMatrix4(this.object.matrix)
          .toArray();
  }
}

class VectorVisual extends Visual {
  constructor(what) {
    super(what);
    this.coordinates = this.read('coordinates');
    this.quantity = this.read('quantity');
    this.flags = ['headAtOrigin', 'twoHeadedArrow'].map(this.read);
    this.shaft = meshOf(bodyOf('cylinder', [1, 1, 1], 0).make(), this.material);
    this.heads = [0, 1].map(() => meshOf(bodyOf('cone', [1, 1, 1], 0).make(), this.material));
    this.object = new THREE.Group();
    this.object.add(this.shaft, ...this.heads);
    this.thickness = 0.01;
    this.scale = 1;
  }

  get complete() {
    return Boolean(this.R && this.r && this.coordinates);
  }

  kind(row) {
    return this.quantity?.(row)[0] ?? RELATIVE_POSITION;
  }

  amount(row) {
    return Math.hypot(...this.coordinates(row));
  }

  centreAt(row) {
    return this.r(row);
  }

  pose(row) {
    const vector = toWorld(rotation(this.R(row)), this.coordinates(row)).map((x) => x * this.scale);
    const length = Math.hypot(...vector);
    const [towards, two] = this.flags.map((read) => read?.(row)[0] === 1);
    const at = towards ? this.r(row).map((x, i) => x - vector[i]) : this.r(row);
    const directions = axes(vector, [0, 1, 0]);
    const d = this.thickness;
    const head = Math.min(length, 4 * d);
    const place = (distance) => at.map((x, i) => x + directions[0][i] * distance);
    const body = Math.max(length - head, SMALL);
    setMatrix(this.shaft, at, directions, [body, d, d]);
    setMatrix(this.heads[0], place(length - head), directions, [head, 2.4 * d, 2.4 * d]);
    setMatrix(this.heads[1], place(Math.max(0, length - 1.8 * head)), directions, [
      head,
      2.4 * d,
      2.4 * d,
    ]);
    this.heads[1].visible = two;
    this.object.visible = this.shown && length > SMALL;
    this.paint(row);
    this.centre = this.r(row);
  }
}

const UNIT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** A grid of points, which the server computes for the times that are asked for. */
class SurfaceVisual extends Visual {
  constructor(what) {
    super(what);
    this.r = this.read('r_0');
    this.transparency = this.read('transparency');
    this.material.side = THREE.DoubleSide;
    this.material.wireframe = this.read('wireframe')?.([])[0] === 1;
    this.object = meshOf(new THREE.BufferGeometry(), this.material);
    this.object.frustumCulled = false;
    this.middle = [0, 0, 0];
  }

  get complete() {
    return Boolean(this.R && this.r && this.what.points);
  }

  /** @param {any} given an element of /api/surfaces */
  setPoints(given) {
    const { geometry } = this.object;
    const positions = positionsOf(given);
    const old = geometry.getAttribute('position');
    const undefinedPoints = positions.some(Number.isNaN);
    if (old?.array.length !== positions.length || undefinedPoints || this.partial) {
      geometry.setIndex(triangles(given.nu, given.nv, positions));
      this.partial = undefinedPoints;
      positions.forEach((x, k) => (positions[k] = Number.isNaN(x) ? 0 : x));
      geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
    } else {
      old.array.set(positions);
      old.needsUpdate = true;
    }
    if (given.c.length) this.setColours(given.c);
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    geometry.computeBoundingSphere();
    this.middle = middleOf(positions);
  }

  setColours(numbers) {
    const colour = new THREE.Color();
    const all = new Float32Array(numbers.length);
    for (let k = 0; k < numbers.length; k += 3) {
      const [r, g, b] = [0, 1, 2].map((i) => (numbers[k + i] ?? 0) / 255);
      colour.setRGB(r, g, b, THREE.SRGBColorSpace).toArray(all, k);
    }
    this.object.geometry.setAttribute('color', new THREE.BufferAttribute(all, 3));
    if (this.coloured) return;
    this.material.needsUpdate = this.coloured = this.material.vertexColors = true;
    this.painted = false;
  }

  centreAt(row) {
    return sum(this.r(row), toWorld(rotation(this.R(row)), this.middle));
  }

  pose(row) {
    const R = rotation(this.R(row));
    const directions = UNIT.map((v) => toWorld(R, v));
    const seen = 1 - Math.min(1, Math.max(0, this.transparency?.(row)[0] ?? 0));
    setMatrix(this.object, this.r(row), directions, [1, 1, 1]);
    this.object.visible = this.shown && seen > 0 && Boolean(this.object.geometry.index);
    if (this.material.transparent !== seen < 1) this.material.needsUpdate = true;
    this.material.transparent = seen < 1;
    this.material.opacity = seen;
    this.paint(row);
    this.centre = this.centreAt(row);
  }
}

/** A body of a file as a geometry. @param {string} uri @param {ArrayBuffer} bytes */
function readBody(uri, bytes) {
  const ending = uri.split('.').at(-1)?.toLowerCase();
  if (ending === 'stl') return { geometry: new STLLoader().parse(bytes), coloured: false };
  const text = new TextDecoder().decode(bytes);
  const geometry = new THREE.BufferGeometry();
  const numbers = [];
  if (ending === 'obj') {
    new OBJLoader().parse(text).traverse((part) => {
      const mesh = /** @type {any} */ (part);
      if (!mesh.isMesh) return;
      const plain = mesh.geometry.index ? mesh.geometry.toNonIndexed() : mesh.geometry;
      for (const x of plain.attributes.position.array) numbers.push(x);
    });
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(numbers, 3));
    geometry.computeVertexNormals();
    return { geometry, coloured: false };
  }
  const { positions, colours } = readDxf(text);
  if (!positions.length) throw new Error('it has no faces');
  const coloured = colours.every((colour) => colour >= 0);
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  if (coloured) {
    const colour = new THREE.Color();
    for (const index of colours)
      for (let k = 0; k < 3; k++) numbers.push(...colour.setHex(index).toArray());
    geometry.setAttribute('color', new THREE.Float32BufferAttribute(numbers, 3));
  }
  geometry.computeVertexNormals();
  return { geometry, coloured };
}

const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);

/** Bodies of one look, which differ in place and colour; three.js draws them by one call. */
class Batch {
  /** @param {ShapeVisual[]} members */
  constructor(members) {
    this.members = members;
    this.material = members[0].material.clone();
    this.material.color.set(0xffffff);
    this.mesh = new THREE.InstancedMesh(
      members[0].object.geometry,
      this.material,
      members.length,
    );
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.colours = members.map(() => new THREE.Color(-1, -1, -1));
  }

  /** Takes places and colours of the members. */
  follow() {
    this.members.forEach(({ object, material }, i) => {
      this.mesh.setMatrixAt(i, object.visible ? object.matrix : HIDDEN);
      if (this.colours[i].equals(material.color)) return;
      this.colours[i].copy(material.color);
      this.mesh.setColorAt(i, material.color);
      /** @type {any} */ (this.mesh.instanceColor).needsUpdate = true;
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.mesh.removeFromParent();
    this.mesh.dispose();
    this.material.dispose();
  }
}

const KINDS = { shape: ShapeVisual, vector: VectorVisual, surface: SurfaceVisual };
const incomplete = (what) =>
  what.kind === 'surface' && !what.points
    ? `${what.name}: the surface has no function for its points.`
    : `${what.name}: the result lacks some of its values.`;

export class Mechanism {
  /** Throws if the browser has no WebGL. @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({
      canvas,
      antialias: true,
      preserveDrawingBuffer: true,
    });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
    this.controls = new OrbitControls(this.camera, canvas);
    this.light = new THREE.DirectionalLight(0xffffff, 2.2);
    this.light.shadow.mapSize.set(2048, 2048);
    this.light.shadow.bias = -0.0005;
    this.light.shadow.normalBias = 0.02;
    this.sky = new THREE.HemisphereLight(0xffffff, 0x8890a0, 1.4);
    this.ground = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new THREE.ShadowMaterial({ opacity: 0.22 }),
    );
    this.ground.receiveShadow = true;
    this.bodies = new THREE.Group();
    this.trails = new THREE.Group();
    this.scene.add(this.light, this.light.target, this.sky, this.ground, this.bodies, this.trails);
    /** @type {(ShapeVisual|VectorVisual|SurfaceVisual)[]} */
    this.visuals = [];
    /** @type {Batch[]} */
    this.batches = [];
    /** looks of all bodies, for which the batches were made */
    this.looks = '';
    /** @type {Map<number, any>} by number of the visual */
    this.trailOf = new Map();
  }

  clear() {
    for (const visual of this.visuals) {
      visual.object.traverse((part) => /** @type {any} */ (part).geometry?.dispose());
      visual.material.dispose();
    }
    for (const batch of this.batches.splice(0)) batch.dispose();
    this.looks = '';
    this.bodies.clear();
    for (const number of [...this.trailOf.keys()]) this.setTrail(number, null);
    this.visuals = [];
  }

  /**
   * Takes the visuals of a run. Returns sentences about those that cannot be drawn.
   * @param {any[]} list @param {(uri: string) => Promise<ArrayBuffer>} fetchFile
   */
  async load(list, fetchFile) {
    this.clear();
    const problems = [];
    const files = new Map();
    for (const what of list) {
      const visual = new KINDS[what.kind](what);
      if (!visual.complete) problems.push(incomplete(what));
      else if (!(visual instanceof ShapeVisual) || isKnown(what.shape)) this.add(visual);
      else if (/^modelica:\/\//.test(what.shape ?? '')) {
        if (!files.has(what.shape)) files.set(what.shape, []);
        files.get(what.shape).push(visual);
      } else problems.push(`${what.name}: there is no shape “${what.shape ?? ''}”.`);
    }
    await Promise.all(
      [...files].map(async ([uri, visuals]) => {
        try {
          const { geometry, coloured } = readBody(uri, await fetchFile(uri));
          for (const visual of visuals) {
            visual.setFile(geometry, coloured);
            this.add(visual);
          }
        } catch (error) {
          problems.push(`${uri}: ${/** @type {Error} */ (error).message}`);
        }
      }),
    );
    return problems;
  }

  add(visual) {
    this.visuals.push(visual);
    if (!(visual instanceof ShapeVisual)) this.bodies.add(visual.object);
  }

  /** Puts bodies of one look together. */
  arrangeBatches() {
    for (const batch of this.batches.splice(0)) batch.dispose();
    const groups = new Map();
    for (const visual of this.visuals)
      if (!(visual instanceof ShapeVisual)) continue;
      else if (!visual.look) this.bodies.add(visual.object);
      else groups.set(visual.look, [...(groups.get(visual.look) ?? []), visual]);
    for (const members of groups.values()) {
      this.batches.push(new Batch(members));
      this.bodies.add(/** @type {any} */ (this.batches.at(-1)).mesh);
    }
  }

  /** The length of arrows, by all rows of the run. @param {import('./frames.js').Frames} frames */
  scaleArrows(frames, size) {
    const most = new Map();
    const arrows = this.visuals.filter((one) => one instanceof VectorVisual);
    for (const arrow of arrows)
      for (let i = 0; i < frames.count; i++) {
        const row = frames.row(i);
        const kind = arrow.kind(row);
        most.set(kind, Math.max(most.get(kind) ?? 0, arrow.amount(row)));
      }
    for (const arrow of arrows) {
      const kind = frames.count ? arrow.kind(frames.row(0)) : RELATIVE_POSITION;
      const greatest = most.get(kind) || 1;
      arrow.scale = kind === RELATIVE_POSITION ? 1 : (ARROW_SHARE * size) / greatest;
      arrow.thickness = 0.008 * size;
    }
  }

  get surfaces() {
    return this.visuals.filter((one) => one instanceof SurfaceVisual);
  }

  /** Takes the points of surfaces. @param {any[]} list of /api/surfaces */
  setSurfaces(list) {
    for (const given of list)
      this.surfaces.find(({ what }) => what.name === given.name)?.setPoints(given);
  }

  /** @param {ArrayLike<number>} row */
  pose(row) {
    let looks = '';
    for (const visual of this.visuals) {
      visual.pose(row);
      if (visual instanceof ShapeVisual) looks += `${visual.look};`;
    }
    if (looks !== this.looks) this.arrangeBatches();
    this.looks = looks;
    for (const batch of this.batches) batch.follow();
  }

  /** The box around everything over the run. @param {import('./frames.js').Frames} frames */
  measure(frames) {
    const box = new THREE.Box3();
    const step = Math.max(1, Math.floor(frames.count / 24));
    for (let i = 0; i < frames.count; i += step) {
      this.pose(frames.row(i));
      for (const { object } of this.visuals) {
        object.updateMatrixWorld(true);
        box.expandByObject(object);
      }
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.box = box;
    this.size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    this.scaleArrows(frames, this.size);
    this.arrangeLight();
  }

  arrangeLight() {
    const centre = this.box.getCenter(new THREE.Vector3());
    const { size } = this;
    this.light.position.copy(centre).add(new THREE.Vector3(0.5, 1.2, 0.8).multiplyScalar(size));
    this.light.target.position.copy(centre);
    Object.assign(this.light.shadow.camera, {
      left: -size,
      right: size,
      top: size,
      bottom: -size,
      near: 0.01 * size,
      far: 4 * size,
    });
    this.light.shadow.camera.updateProjectionMatrix();
    this.ground.position.set(centre.x, this.box.min.y - 0.02 * size, centre.z);
    this.ground.scale.set(6 * size, 1, 6 * size);
  }

  /** Looks at everything from a direction. @param {number[]} from */
  look(from) {
    const centre = this.box.getCenter(new THREE.Vector3());
    const direction = new THREE.Vector3(...from).normalize();
    const right = new THREE.Vector3(0, 1, 0).cross(direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const high = Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0; // from which all corners of the box are seen
    for (const corner of cornersOf(this.box)) {
      corner.sub(centre);
      const [x, y] = [right, up].map((axis) => Math.abs(corner.dot(axis)));
      const far = Math.max(y / high, x / (high * this.camera.aspect));
      distance = Math.max(distance, corner.dot(direction) + far);
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, 1.1 * distance);
    Object.assign(this.camera, { near: 0.005 * this.size, far: 60 * this.size });
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  setShadows(on) {
    this.light.castShadow = this.ground.visible = on;
  }

  setColours(ground) {
    this.scene.background = new THREE.Color(ground);
  }

  show(number, on) {
    this.visuals[number].shown = on;
  }

  /** The path of a visual over the run; null removes it. */
  setTrail(number, frames) {
    const old = this.trailOf.get(number);
    if (old) {
      old.geometry.dispose();
      old.material.dispose();
      this.trails.remove(old);
      this.trailOf.delete(number);
    }
    if (!frames) return;
    const visual = this.visuals[number];
    const points = [];
    for (let i = 0; i < frames.count; i++) points.push(...visual.centreAt(frames.row(i)));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    const line = new THREE.Line(
      geometry,
      new THREE.LineBasicMaterial({ color: visual.material.color.clone() }),
    );
    line.frustumCulled = false;
    this.trails.add(line);
    this.trailOf.set(number, line);
  }

  /** Trails end at this row. @param {number} rows */
  cutTrails(rows) {
    for (const line of this.trailOf.values()) line.geometry.setDrawRange(0, rows);
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  render() {
    this.renderer.render(this.scene, this.camera);
  }

  /** The number of the visual at a place of the canvas, from -1 to 1; -1 if there is none. */
  pick(x, y) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), this.camera);
    const seen = this.visuals.map(({ object }) => object).filter(({ visible }) => visible);
    for (const object of seen) object.updateMatrixWorld(true);
    const hit = ray.intersectObjects(seen, true)[0];
    return hit
      ? this.visuals.findIndex(
          (one) => one.object === hit.object || one.object === hit.object.parent,
        )
      : -1;
  }
}
