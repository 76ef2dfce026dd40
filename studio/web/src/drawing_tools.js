// Drawing by hand: select, move, turn, mirror, size, connect, bend, copy and delete parts of a
// diagram. The picture shows a gesture at once; at its end the server changes the text, and the
// picture is drawn anew from it.
import { emit } from './bus.js';
import { askForElement, chooseConnectors } from './connector_question.js';
import { showComponent } from './component_dialog.js';
import { bend, cornersOf, elbow, GRID, nearestPiece, snap } from './drag.js';
import { connectionError, edit, preview, stepBack } from './edits.js';
import { extractParts } from './extract.js';
import { latest } from './latest.js';
import { notify } from './notices.js';
import { createShapeTools } from './shape_tools.js';

const SVG = 'http://www.w3.org/2000/svg';
export const PARTS = '[data-component], [data-connection], .item'; // what can be chosen
const PARTS_AND_CONNECTORS = `${PARTS}, [data-connector]`;
const CLICK = 4; // pixels: a smaller movement is a click

/** Copied components, also for other diagrams. @type {Promise<any>|null} */
let clip = null;

/**
 * @param {{place: HTMLElement, box: () => import('./view_box.js').Box, name: () => string|null,
 * layer: () => string, isArranged: () => boolean, readOnly: () => boolean, lead: (part: any) =>
 * void, redraw: () => void}} canvas
 */
export function createDrawingTools(canvas) {
  /** Names of components, "a b" of connections, "#n" of graphical items. @type {Set<string>} */
  const chosen = new Set();
  const { place } = canvas;
  const svg = () => /** @type {any} */ (place.querySelector('svg'));
  /** What can be chosen in the picture, listed once for each picture. */
  const listed = { of: null, parts: /** @type {any[]} */ ([]) };
  function parts() {
    if (listed.of !== svg())
      Object.assign(listed, { of: svg(), parts: [...place.querySelectorAll(PARTS)] });
    return listed.parts;
  }
  const keyOf = (part) =>
    part.getAttribute('data-component') ??
    part.getAttribute('data-connection') ??
    `#${part.getAttribute('data-item')}`;
  const find = (key) => parts().find((part) => keyOf(part) === key);
  const isOwn = (part) => part && !part.dataset.inherited;
  const components = () => [...chosen].filter((key) => find(key)?.dataset.component);
  const connections = () =>
    [...chosen].filter((key) => find(key)?.dataset.connection).map((key) => key.split(' '));
  const items = () =>
    [...chosen].filter((key) => key.startsWith('#')).map((key) => Number(key.slice(1)));

  /** @returns {[number, number]} a point of the class */
  function pointAt(event) {
    const area = place.getBoundingClientRect();
    const box = canvas.box();
    return [
      box.x + ((event.clientX - area.left) / area.width) * box.w,
      -(box.y + ((event.clientY - area.top) / area.height) * box.h),
    ];
  }

  // ---- what is chosen ----

  function show(known = undefined) {
    for (const part of parts()) {
      const on = chosen.has(keyOf(part));
      if (part.getAttribute('aria-pressed') === String(on)) continue; // styles stay as they are
      part.classList.toggle('chosen', on);
      part.setAttribute('aria-pressed', String(on));
    }
    drawHandles(known);
    emit('chosen', [...chosen]);
  }
  let choices = 0; // of the user
  function choose(keys) {
    choices++;
    mark(keys);
  }
  function mark(keys) {
    chosen.clear();
    for (const key of keys) chosen.add(key);
    show();
  }
  /** Chooses what an edit made, unless the user has chosen something meanwhile. */
  async function chooseNew(names) {
    const before = choices;
    const fresh = await names;
    if (fresh && before === choices) mark(fresh);
  }

  function overlay() {
    let layer = svg()?.querySelector('.overlay');
    if (!layer && svg()) {
      layer = document.createElementNS(SVG, 'g');
      layer.setAttribute('class', 'overlay');
      svg().append(layer);
    }
    return layer;
  }
  function draw(tag, attributes) {
    const one = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
    overlay()?.append(one);
    return one;
  }

  /** The box of a component on the page. */
  const boxOf = (part) => part.querySelector('.target')?.getBBox() ?? part.getBBox();

  const handleSize = () => canvas.box().w / 130;
  /** @param {any} [known] the chosen graphical item, as it is written */
  function drawHandles(known) {
    overlay()?.replaceChildren();
    const [only, more] = [...chosen];
    const part = only && !more && find(only);
    if (!part || !isOwn(part) || canvas.readOnly() || part.dataset.connection) return;
    if (only.startsWith('#')) {
      const still = () => !gesture && find(only) === part && chosen.size === 1 && chosen.has(only);
      shapes.drawHandles(items()[0], still, known);
      return;
    }
    const { x, y, width, height } = boxOf(part);
    const size = handleSize();
    for (const [h, v] of [[0, 0], [1, 0], [1, 1], [0, 1]])
      draw('rect', {
        class: 'handle',
        x: x + h * width - size / 2,
        y: y + v * height - size / 2,
        width: size,
        height: size,
        'data-corner': `${h}${v}`,
      });
  }

  // ---- edits ----

  const layer = () => canvas.layer();
  /** The automatic layout becomes the text first: a single placement would hide the others. */
  const kept = () => (canvas.isArranged() ? [{ op: 'arrange' }] : []);
  function apply(...steps) {
    const name = canvas.name();
    if (!name) return Promise.resolve(null);
    if (canvas.readOnly()) {
      notify('This class belongs to a library and is read only. Duplicate it to edit it.');
      return Promise.resolve(null);
    }
    return edit(name, kept(), ...steps);
  }
  /** Components of this class itself among the chosen ones; says why others stay. */
  function own() {
    const all = components();
    const mine = all.filter((key) => isOwn(find(key)));
    if (mine.length < all.length)
      notify('Inherited components are edited in the class that declares them.');
    return mine;
  }
  /** An operation on the chosen components, and a step for the chosen items, as one edit. */
  const onOwn = (make, ofItems) => {
    const names = own();
    const numbers = items();
    const steps = [
      ...(names.length ? [[make(names)]] : []),
      ...(numbers.length ? [ofItems(numbers)] : []),
    ];
    return steps.length ? apply(...steps) : Promise.resolve(null);
  };
  const move = (by) =>
    onOwn(
      (names) => ({ op: 'move', components: names, by, layer: layer() }),
      (numbers) => [{ op: 'shift', items: numbers, by, layer: layer() }],
    );
  const rotate = (by) =>
    onOwn(
      (names) => ({ op: 'rotate', components: names, by, layer: layer() }),
      (numbers) => shapes.turn(numbers, { quarters: by / 90 }),
    );
  const mirror = (axis) =>
    onOwn(
      (names) => ({ op: 'mirror', components: names, axis, layer: layer() }),
      (numbers) => shapes.turn(numbers, { axis }),
    );

  async function remove() {
    const names = own();
    const lines = connections().filter(([a, b]) => isOwn(find(`${a} ${b}`)));
    const numbers = items();
    if (!names.length && !lines.length && !numbers.length) return;
    const all = { components: names, connections: lines, items: numbers, layer: layer() };
    if (canvas.readOnly()) return void apply();
    takeAway([...names, ...lines.map((line) => line.join(' ')), ...numbers.map((n) => `#${n}`)]);
    if (!(await apply([{ op: 'delete', ...all }]))) canvas.redraw();
  }
  /** Deleted parts go from the picture at once; items after them get the numbers of the text. */
  function takeAway(keys) {
    for (const key of keys) for (const part of parts()) if (keyOf(part) === key) part.remove();
    listed.of = null;
    const gone = keys.filter((key) => key.startsWith('#')).map((key) => Number(key.slice(1)));
    for (const part of /** @type {any[]} */ ([...place.querySelectorAll('[data-item]')])) {
      const number = Number(part.dataset.item);
      part.dataset.item = String(number - gone.filter((one) => one < number).length);
    }
    choose([]);
    place.focus({ preventScroll: true });
  }
  /** The chosen parts, as text that can be pasted; kept when all earlier edits are in the text. */
  async function copy() {
    const names = own();
    const numbers = items();
    if (!names.length && !numbers.length) return;
    const copied = preview(String(canvas.name()), [
      { op: 'copy', components: names, items: numbers, layer: layer() },
    ]).then(({ answer }) => answer.clip, () => null);
    clip = copied;
    if (!(await copied) && clip === copied) clip = null;
  }
  function paste() {
    if (!clip) return;
    const [by, copied] = [[10, -10], clip];
    const pasted = async () => {
      const text = await copied;
      return text ? [{ op: 'paste', clip: text, layer: layer() }] : [];
    };
    const names = apply(pasted, (fresh) => {
      const shapes_ = fresh.filter((key) => key.startsWith('#')).map((key) => Number(key.slice(1)));
      const parts_ = fresh.filter((key) => !key.startsWith('#'));
      return [
        ...(parts_.length ? [{ op: 'move', components: parts_, by }] : []),
        ...(shapes_.length ? [{ op: 'shift', items: shapes_, by, layer: layer() }] : []),
      ];
    });
    chooseNew(names);
  }
  function add(full, at) {
    const [x, y] = at ?? middleOfView();
    chooseNew(apply([{ op: 'add', class: full, at: [snap(x), snap(y)] }]));
  }
  /** @returns {[number, number]} */
  function middleOfView() {
    const box = canvas.box();
    return [box.x + box.w / 2, -(box.y + box.h / 2)];
  }
  const route = () =>
    connections().length
      ? apply(connections().map(([a, b]) => ({ op: 'route', a, b })))
      : Promise.resolve(null);

  /** The chosen components become a sub-model. */
  async function extract() {
    const names = own();
    if (!names.length) return notify('Choose the components that go into the sub-model.');
    if (canvas.readOnly() || (kept().length && !(await apply()))) return undefined;
    return chooseNew(extractParts(String(canvas.name()), names));
  }

  /** @param {'x'|'y'|'grid'} to */
  function align(to) {
    const names = own();
    if (names.length < (to === 'grid' ? 1 : 2)) {
      notify('Choose the components to align; the first one keeps its place.');
      return Promise.resolve(null);
    }
    return apply([{ op: 'align', components: names, to, layer: layer() }]);
  }

  const shapes = createShapeTools({
    place,
    name: canvas.name,
    layer: canvas.layer,
    overlay,
    draw,
    apply,
    chooseNew,
    middle: middleOfView,
    handleSize,
  });

  // ---- connections ----

  /** The connector at a point of the screen, also below the end of a line. */
  const connectorAt = (event) =>
    document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((element) => /** @type {any} */ (element.closest(PARTS_AND_CONNECTORS)))
      .find((part) => part && !part.dataset.connection)
      ?.closest('[data-connector]');
  const middleOf = (connector) => {
    const { x, y, width, height } = boxOf(connector);
    return /** @type {[number, number]} */ ([x + width / 2, -(y + height / 2)]);
  };
  const hint = document.createElement('div');
  hint.className = 'connection-hint';
  hint.setAttribute('role', 'status');

  /** The answer for a pair of connectors, asked while the pointer is over the second one. */
  const judge = latest(
    ({ from, to }) => connectionError(String(canvas.name()), from, to),
    (error, pair, stale) => {
      if (stale || !gesture?.wire || gesture.to !== pair.to) return;
      gesture.error = error;
      gesture.judged = true;
      gesture.wire.classList.toggle('refused', Boolean(error));
      hint.textContent = error ?? `${pair.from} – ${pair.to}`;
      hint.classList.toggle('refused', Boolean(error));
    },
    () => {},
  );

  async function connect(from, to) {
    const ends = parts().flatMap((part) => part.dataset.connection?.split(' ') ?? []);
    const a = await askForElement(from, ends);
    const b = a === null ? null : await askForElement(to, ends);
    if (a === null || b === null) return undefined;
    const error = await connectionError(String(canvas.name()), a, b).catch(() => null);
    if (error) return notify(`${a} and ${b} are not connected: ${error}`, 'error');
    const made = apply([{ op: 'connect', a, b }]).then((done) => done && [`${a} ${b}`]);
    return chooseNew(made);
  }

  // ---- the pointer ----

  /** @type {any} */
  let gesture = null;

  /** Whether the gesture begins here; otherwise the view is moved. */
  function begin(event) {
    if (event.button !== 0) return false;
    const part = event.target.closest?.(PARTS);
    const { corner, itemCorner } = event.target.dataset ?? {};
    const connector = connectorAt(event);
    const start = { x: event.clientX, y: event.clientY, at: pointAt(event), moved: false };
    if (!canvas.readOnly() && shapes.pointer.press(start.at)) gesture = { ...start, kind: 'shape' };
    else if (itemCorner) gesture = { ...start, kind: 'corner', corner: Number(itemCorner) };
    else if (corner) gesture = { ...start, kind: 'size', corner, part: find(components()[0]) };
    else if (event.shiftKey && (!part || part.dataset.item)) gesture = { ...start, kind: 'frame' };
    else if (connector && !chosen.has(connector.dataset.component ?? ''))
      gesture = { ...start, kind: 'connect', connector, part };
    else if (part && !part.dataset.connection) gesture = { ...start, kind: 'move', part };
    else if (part) gesture = { ...start, kind: 'bend', part };
    else return false;
    return true;
  }

  function drag(event) {
    if (shapes.isDrawing() && !event.buttons) shapes.pointer.move(pointAt(event));
    if (!gesture || !event.buttons) return;
    if (!gesture.moved) {
      if (Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y) <= CLICK) return;
      gesture.moved = true;
      place.setPointerCapture(event.pointerId);
      const key_ = gesture.part && keyOf(gesture.part);
      if (gesture.kind === 'move' && !chosen.has(key_)) choose([key_]);
      if (gesture.kind === 'connect' && (canvas.readOnly() || layer() === 'icon'))
        gesture.kind = 'none';
    }
    const at = pointAt(event);
    const by = [snap(at[0] - gesture.at[0]), snap(at[1] - gesture.at[1])];
    Object.assign(gesture, { by, at_now: at });
    if (gesture.kind === 'shape') shapes.pointer.move(at);
    if (gesture.kind === 'corner') shapes.dragCorner(gesture.corner, at);
    ({ move: dragParts, size: dragCorner, frame: dragFrame, connect: dragWire, bend: dragBend })[
      gesture.kind
    ]?.(event, at, by);
  }

  /** Copies of the moved parts in a layer of their own: the picture is not painted again. */
  function liftParts() {
    const layer = svg().cloneNode();
    layer.setAttribute('class', 'lifted');
    for (const part of parts()) {
      if (part.dataset.connection || !chosen.has(keyOf(part)) || !isOwn(part)) continue;
      layer.append(part.cloneNode(true));
      part.classList.add('moving');
    }
    Object.assign(layer.style, {
      left: `${place.offsetLeft}px`,
      top: `${place.offsetTop}px`,
      width: `${place.clientWidth}px`,
      height: `${place.clientHeight}px`,
    });
    place.after(layer);
    overlay()?.replaceChildren();
    return layer;
  }
  function dropParts() {
    for (const layer of place.parentElement?.querySelectorAll('.lifted') ?? []) layer.remove();
    for (const part of place.querySelectorAll('.moving')) part.classList.remove('moving');
  }
  function dragParts(_event, _at, by) {
    gesture.lifted ??= liftParts();
    const unit = place.clientWidth / canvas.box().w;
    gesture.lifted.style.transform = `translate(${by[0] * unit}px, ${-by[1] * unit}px)`;
  }

  /** The new box of a component, snapped, with the opposite corner fixed. */
  function sized(at) {
    const { x, y, width, height } = boxOf(gesture.part);
    const [h, v] = [...gesture.corner].map(Number);
    const fixed = [h ? x : x + width, -(v ? y : y + height)];
    return [fixed[0], fixed[1], snap(at[0]), snap(at[1])];
  }
  function dragCorner(_event, at) {
    const [x1, y1, x2, y2] = sized(at);
    overlay()?.replaceChildren();
    frame(x1, y1, x2, y2);
  }
  const frame = (x1, y1, x2, y2) =>
    draw('rect', {
      class: 'frame',
      x: Math.min(x1, x2),
      y: -Math.max(y1, y2),
      width: Math.abs(x2 - x1),
      height: Math.abs(y2 - y1),
    });
  function dragFrame(_event, at) {
    overlay()?.replaceChildren();
    frame(gesture.at[0], gesture.at[1], at[0], at[1]);
  }

  const pathOf = (points) => `M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`;
  function dragWire(event, at) {
    if (!gesture.wire) {
      overlay()?.replaceChildren();
      gesture.wire = draw('path', { class: 'wire' });
      place.append(hint);
    }
    const under = connectorAt(event);
    const other = under && under !== gesture.connector ? under : null;
    const to = other?.dataset.connector ?? null;
    const end = other ? middleOf(other) : at;
    gesture.wire.setAttribute('d', pathOf(elbow(middleOf(gesture.connector), end)));
    const area = place.getBoundingClientRect();
    hint.style.left = `${event.clientX - area.left + 14}px`;
    hint.style.top = `${event.clientY - area.top + 10}px`;
    if (to === gesture.to) return;
    for (const old of place.querySelectorAll('.met')) old.classList.remove('met');
    other?.classList.add('met');
    Object.assign(gesture, { to, other, error: null, judged: false });
    gesture.wire.classList.remove('refused');
    hint.classList.remove('refused');
    hint.textContent = to ?? '';
    const plain = (one) => !one.dataset.dimensions && one.dataset.signals === undefined;
    if (other && plain(other) && plain(gesture.connector))
      judge({ from: gesture.connector.dataset.connector, to });
  }

  const lineOf = (part) => cornersOf(part.querySelector('path:not(.target)')?.getAttribute('d'));
  function dragBend(_event, _at, by) {
    if (!isOwn(gesture.part)) return;
    const line = (gesture.line ??= lineOf(gesture.part));
    gesture.piece ??= nearestPiece(line, gesture.at);
    gesture.bent = bend(line, gesture.piece, by);
    for (const path of gesture.part.querySelectorAll('path'))
      path.setAttribute('d', pathOf(gesture.bent));
  }

  /** The end of a gesture; false if there was none. */
  function end(event) {
    const done = gesture;
    gesture = null;
    hint.remove();
    for (const old of place.querySelectorAll('.met')) old.classList.remove('met');
    if (!done) return false;
    if (done.kind === 'shape') shapes.pointer.release(pointAt(event), done.moved);
    else if (done.moved) finish(done);
    else if (done.part) click(done.part, event);
    return true;
  }

  function finish(done) {
    const by = done.by;
    if (done.kind === 'move' && (by[0] || by[1])) move(by).then((names) => names ?? restore());
    else if (done.kind === 'corner')
      shapes.dropCorner(done.corner, done.at_now).then((names) => names ?? drawHandles());
    else if (done.kind === 'size')
      apply([
        {
          op: 'resize',
          component: keyOf(done.part),
          extent: sizedOf(done),
          layer: layer(),
        },
      ]).then((names) => names ?? drawHandles());
    else if (done.kind === 'bend' && done.bent) {
      const [a, b] = done.part.dataset.connection.split(' ');
      const routed = apply([{ op: 'route', a, b, points: done.bent }]);
      routed.then((names) => names ?? canvas.redraw());
    } else if (done.kind === 'connect') {
      overlay()?.replaceChildren();
      if (done.other && done.judged && done.error)
        notify(`${done.connector.dataset.connector} and ${done.to} do not fit: ${done.error}`);
      else if (done.other) connect(done.connector, done.other);
    } else if (done.kind === 'frame') {
      const [x1, y1] = done.at;
      const [x2, y2] = done.at_now;
      overlay()?.replaceChildren();
      choose(parts().filter((part) => isInside(part, x1, y1, x2, y2)).map(keyOf));
    } else restore();
  }
  function sizedOf(done) {
    gesture = done;
    const extent = sized(done.at_now);
    gesture = null;
    return extent;
  }
  function isInside(part, x1, y1, x2, y2) {
    const { x, y, width, height } = boxOf(part);
    return (
      x >= Math.min(x1, x2) &&
      x + width <= Math.max(x1, x2) &&
      -y <= Math.max(y1, y2) &&
      -(y + height) >= Math.min(y1, y2)
    );
  }
  function restore() {
    dropParts();
    drawHandles();
  }
  function click(part, event) {
    const key = keyOf(part);
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      choose(chosen.has(key) ? [...chosen].filter((one) => one !== key) : [...chosen, key]);
    } else choose([key]);
    if (part.dataset.component) emit('filter', part.dataset.component);
  }

  // ---- keys ----

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  function connectByKey() {
    const [a, b] = components().map(find);
    const connectors = (part) => [
      ...(part?.dataset.connector ? [part] : []),
      ...(part?.querySelectorAll('[data-connector]') ?? []),
    ];
    if (!a || !b) return notify('Choose two components, then press c.');
    return askForPair(connectors(a), connectors(b));
  }
  async function askForPair(one, two) {
    const pair = await chooseConnectors(one, two);
    if (pair) connect(pair[0], pair[1]);
  }

  /** Whether the key was used. */
  function key(event) {
    const part = event.target.closest?.(PARTS);
    const ctrl = event.ctrlKey || event.metaKey;
    const lower = event.key.toLowerCase();
    if (part && event.key === ' ') {
      click(part, { ctrlKey: ctrl || event.shiftKey });
      return true;
    }
    if (ctrl) {
      const acts = {
        z: () => stepBack(String(canvas.name()), event.shiftKey ? 1 : -1),
        y: () => stepBack(String(canvas.name()), 1),
        c: copy,
        v: paste,
        x: () => {
          copy();
          remove();
        },
        d: () => {
          copy();
          paste();
        },
        a: () => choose(parts().map(keyOf)),
      };
      if (!acts[lower] || event.altKey) return false;
      acts[lower]();
      return true;
    }
    if (event.altKey) return false;
    if (part && event.key === 'Enter' && !part.dataset.item) {
      canvas.lead(part);
      return true;
    }
    if (shapes.isDrawing() && event.key === 'Enter') return shapes.end();
    if (shapes.isDrawing() && event.key === 'Escape') {
      shapes.cancel();
      return true;
    }
    if (STEPS[event.key] && (components().length || items().length)) {
      const size = event.shiftKey ? 10 : GRID;
      move(STEPS[event.key].map((x) => x * size));
      return true;
    }
    const acts = {
      delete: remove,
      backspace: remove,
      escape: () => choose([]),
      r: () => rotate(event.shiftKey ? 90 : -90),
      h: () => mirror('horizontal'),
      v: () => mirror('vertical'),
      c: connectByKey,
      p: () => properties(part ? keyOf(part) : [...chosen][0]),
      f2: () => properties(part ? keyOf(part) : [...chosen][0], { rename: true }),
      x: () => align('x'),
      y: () => align('y'),
      g: () => align('grid'),
      w: route,
      e: extract,
    };
    if (!acts[lower] || (lower === 'escape' && !chosen.size)) return false;
    acts[lower]();
    return true;
  }

  function properties(key_, how = {}) {
    const name = canvas.name();
    if (key_?.startsWith('#')) shapes.look(Number(key_.slice(1)));
    else if (key_ && name && find(key_)?.dataset.component)
      showComponent(name, key_, { readOnly: canvas.readOnly(), ...how });
  }

  return {
    begin,
    drag,
    end,
    key,
    add,
    pointAt,
    rotate,
    mirror,
    remove,
    route,
    align,
    extract,
    properties: (how) => properties([...chosen][0], how),
    shapes,
    arrange: () => apply(),
    chosen: () => [...chosen],
    isBusy: () => Boolean(gesture),
    open: (part) => properties(keyOf(part)),
    /** The only chosen graphical item, as it is written, or null. */
    chosenItem: async () => {
      const [only] = items();
      return only !== undefined && chosen.size === 1 ? shapes.readOne(only) : null;
    },
    /** After the picture was drawn anew; `known`: the chosen graphical item. */
    redrawn: (known) => {
      dropParts();
      for (const key_ of [...chosen]) if (!find(key_)) chosen.delete(key_);
      show(known);
    },
    /** The picture is already as it should be. */
    unchanged: dropParts,
    clear: () => choose([]),
  };
}
