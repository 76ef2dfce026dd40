// The diagram of the model, drawn by the compiler from its annotations. It can be zoomed, moved and
// edited (drawing_tools.js). Enter on a component leads to its line in the source and to its
// variables; Alt and a click lead to the diagram of its own class.
import DOMPurify from 'dompurify';
import { api } from './api.js';
import { stackArrays } from './array_stacks.js';
import { emit, on } from './bus.js';
import { findDocument, unsavedTexts } from './documents.js';
import { afterPause, fill, h, tool } from './dom.js';
import { createDrawingTools, PARTS } from './drawing_tools.js';
import { goTo } from './editor.js';
import { stepBack } from './edits.js';
import { ICONS } from './icons.js';
import { duplicateClass } from './class_files.js';
import { say } from './language.js';
import { readable } from './readable_colours.js';
import { session } from './session.js';
import { SHAPES } from './shapes.js';
import { isDark } from './theme.js';
import { CLASS_TYPE } from './tree.js';
import { fitted, panned, parseBox, sensible, zoomed } from './view_box.js';

/** A part of the diagram in words. @param {DOMStringMap} part */
function describe(part) {
  if (part.item) return say(`Graphical item ${Number(part.item) + 1}`);
  if (part.connection) return say(`Connection ${part.connection.replace(' ', ' – ')}`);
  return [
    part.component,
    part.class,
    part.dimensions && say(`array ${part.dimensions}`),
    part.condition && say(`if ${part.condition}`),
    part.inherited && say(`inherited from ${part.inherited}`),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Items of the class itself can be chosen; thin lines get a wide target. @param {any} svg */
function markItems(svg) {
  for (const item of svg.querySelectorAll('.graphics [data-item]')) {
    item.classList.add('item');
    if (item.getAttribute('fill') !== 'none') continue;
    const target = item.cloneNode();
    target.setAttribute('class', 'target');
    for (const [name, value] of Object.entries({
      stroke: 'none',
      'stroke-width': '4',
      'pointer-events': 'stroke',
    }))
      target.setAttribute(name, value);
    const group = document.createElementNS(svg.namespaceURI, 'g');
    group.setAttribute('class', 'item');
    group.dataset.item = item.dataset.item;
    item.classList.remove('item');
    item.replaceWith(group);
    group.append(target, item);
  }
}

const PAUSE = 120; // ms without movement after which the picture is painted
const MARGIN = 1.12; // share of the window that the whole drawing leaves free

export function createDiagram() {
  const place = h('div', {
    class: 'diagram-place',
    tabIndex: 0,
    'aria-label':
      'Diagram; arrows move it, plus and minus zoom, 0 shows all; Tab goes through its parts, ' +
      'Space chooses one, p shows its parameters',
    onkeydown: key,
    ondragover: (event) => {
      if (!event.dataTransfer.types.includes(CLASS_TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    ondrop: (event) => {
      const full = event.dataTransfer.getData(CLASS_TYPE);
      if (!full) return;
      event.preventDefault();
      place.focus();
      tools_.add(full, tools_.pointAt(event));
    },
    ondblclick: (event) => {
      const part = partOf(event.target);
      if (tools_.shapes.end()) return;
      if (part && !part.dataset.connection) tools_.open(part);
    },
  });
  const tools_ = createDrawingTools({
    place,
    box: () => box,
    name: () => shown.class ?? wanted_(),
    layer: () => shown.layer,
    isArranged: () => arranged,
    readOnly: () => readOnly,
    lead: (part) => lead(part),
    redraw: () => {
      shown.svg = '';
      load();
    },
  });
  const title = h('span', { class: 'muted diagram-title' });
  let layer = 'diagram';
  let arranged = false;
  let readOnly = true;
  /** The picture that is seen, and therefore edited. */
  const shown = { class: /** @type {string|null} */ (null), layer, svg: '', look: '' };
  const wanted_ = () => name ?? session.class;
  const switchLayer = h(
    'button',
    {
      class: 'quiet',
      title: 'Diagram or icon of the class',
      onclick: () => {
        layer = layer === 'diagram' ? 'icon' : 'diagram';
        fill(switchLayer, layer === 'diagram' ? 'Icon' : 'Diagram');
        load();
      },
    },
    'Icon',
  );
  const keep = h(
    'div',
    { class: 'diagram-note', hidden: true },
    h('span', { class: 'muted' }, 'This layout is automatic.'),
    h(
      'button',
      {
        class: 'quiet',
        title: 'Writes the automatic layout into the source',
        onclick: () => tools_.arrange(),
      },
      'Keep layout',
    ),
  );
  const duplicate = h(
    'button',
    {
      class: 'quiet',
      hidden: true,
      title: 'Copies the class into the workspace, where it can be edited',
      onclick: () => duplicateClass(String(wanted_())),
    },
    'Read only: duplicate',
  );
  /** The buttons, which the command palette offers too. @type {[string, string, () => any][]} */
  const actions = [
    ['Undo (Ctrl+Z)', ICONS.undo, () => stepBack(String(wanted_()), -1)],
    ['Redo (Ctrl+Y)', ICONS.redo, () => stepBack(String(wanted_()), 1)],
    ['Rotate clockwise (r)', ICONS.rotate, () => tools_.rotate(-90)],
    ['Mirror left and right (h)', ICONS.flip, () => tools_.mirror('horizontal')],
    ['Route the line anew (w)', ICONS.wire, () => tools_.route()],
    ['Parameters (p)', ICONS.settings, () => tools_.properties()],
    ['Extract into a sub-model (e)', ICONS.extract, () => tools_.extract()],
    ['Delete', ICONS.bin, () => tools_.remove()],
  ];
  const editTools = h(
    'span',
    { class: 'edit-tools' },
    actions.map(([title, icon, act]) => tool(title, icon, act)),
    SHAPES.map((kind) =>
      tool(`Draw: ${kind}`, ICONS[kind], (event) => tools_.shapes.take(kind, !event.detail)),
    ),
  );
  const tools = h(
    'div',
    { class: 'diagram-tools', role: 'toolbar', 'aria-label': 'Diagram' },
    title,
    duplicate,
    editTools,
    h(
      'span',
      { class: 'view-tools' },
      switchLayer,
      tool('Closer', ICONS.plus, () => zoom(0.8)),
      tool('Farther', ICONS.minus, () => zoom(1.25)),
      tool('All of it', ICONS.fit, () => show(whole)),
    ),
  );
  const panel = h('div', { class: 'panel view-diagram' }, tools, keep, place);
  /** @type {string|null} */
  let name = null;
  let fresh = false;
  let turn = 0; // of the last picture that was asked for
  let source = { path: null };
  /** @type {import('./view_box.js').Box} */
  let whole = { x: -100, y: -100, w: 200, h: 200 };
  let box = whole;
  let drawn = box; // what the picture was painted for
  let inner = whole; // the drawing and its margin, without the shape of the window

  const drawing = () => place.querySelector('svg');
  function show(next) {
    const good = sensible(next, whole);
    if (!good || !drawing()) return;
    box = drawn = good;
    drawing().setAttribute('viewBox', `${box.x} ${box.y} ${box.w} ${box.h}`);
    drawing().style.transform = '';
  }
  /** Shifts and scales the picture as it is, without painting it; it is painted after a pause. */
  function glide(next) {
    const good = sensible(next, whole);
    if (!good || !drawing()) return;
    // values beside components are placed anew at every step
    if (panel.querySelector('.diagram-value')) return show(good);
    box = good;
    const unit = place.clientWidth / box.w;
    const shift = `${(drawn.x - box.x) * unit}px, ${(drawn.y - box.y) * unit}px`;
    drawing().style.transform = `translate(${shift}) scale(${drawn.w / box.w})`;
    paintSoon();
  }
  const paint = () => box !== drawn && show(box);
  const paintSoon = afterPause(PAUSE, paint);
  const zoom = (factor, px, py) => show(zoomed(box, factor, px, py));

  async function load() {
    const wanted = wanted_();
    const mine = ++turn;
    fresh = true;
    title.textContent = wanted && wanted !== session.class ? wanted : '';
    if (!wanted) return say_('The diagram of a model appears here.');
    const wantedLayer = layer;
    try {
      const [svg, found, item] = await Promise.all([
        api.diagram(wanted, wantedLayer, unsavedTexts()),
        api.class(wanted, unsavedTexts()).catch(() => null),
        tools_.chosenItem().catch(() => null), // handles appear with the picture
      ]);
      if (mine !== turn) return undefined; // a newer picture is on its way
      if (tools_.isBusy()) {
        fresh = false; // drawn when the gesture ends
        return undefined;
      }
      source = found ?? { path: null };
      readOnly = isReadOnly(source.path);
      duplicate.hidden = !readOnly || !source.path;
      editTools.hidden = readOnly;
      return put(svg, wanted, wantedLayer, item);
    } catch (error) {
      return mine === turn ? say_(error.message) : undefined;
    }
  }
  /** Words instead of a picture. @param {string} words */
  function say_(words) {
    Object.assign(shown, { class: null, svg: '' });
    delete place.dataset.shown;
    fill(place, h('p', { class: 'muted pad' }, words));
  }

  /** The part that had the focus before the picture was drawn anew, or the whole picture. */
  function focusOn({ component, connection, item }) {
    const parts = /** @type {any[]} */ ([...place.querySelectorAll('[tabindex]')]);
    const same = parts.find(
      ({ dataset }) =>
        (component && dataset.component === component) ||
        (connection && dataset.connection === connection) ||
        (item && dataset.item === item),
    );
    (same ?? place).focus({ preventScroll: true });
  }

  function isReadOnly(path) {
    if (!path) return true;
    if (findDocument(path)) return Boolean(findDocument(path)?.readOnly);
    return path.startsWith('/'); // a file of a library
  }

  function put(text, class_, layer_, item) {
    const look = `${isDark()} ${readOnly} ${source.text}`;
    const same = class_ === shown.class && layer_ === shown.layer;
    if (same && text === shown.svg && look === shown.look) return tools_.unchanged();
    const svg = DOMPurify.sanitize(text, {
      USE_PROFILES: { svg: true, svgFilters: true },
      ADD_ATTR: ['viewBox'],
      RETURN_DOM_FRAGMENT: true,
    }).querySelector('svg');
    if (!svg) return say_('This class has no diagram.');
    const own = parseBox(svg.getAttribute('viewBox')) ?? whole;
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    readable(svg, isDark());
    if (!readOnly) markItems(svg);
    stackArrays(svg);
    for (const part of /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(PARTS))) {
      part.setAttribute('tabindex', '0');
      part.setAttribute('role', 'button');
      part.setAttribute('aria-pressed', 'false');
      part.setAttribute('aria-label', describe(part.dataset));
    }
    // lines of the automatic layout are not in the text
    arranged =
      svg.hasAttribute('data-arranged') &&
      Boolean(svg.querySelector('[data-component]:not([data-inherited])'));
    keep.hidden = readOnly || !arranged;
    const focused = /** @type {any} */ (document.activeElement);
    const had = place.contains(focused) ? focused.dataset : null;
    fill(place, svg);
    if (had) focusOn(had);
    inner = zoomed(own, MARGIN);
    whole = fitted(inner, place.clientWidth, place.clientHeight);
    if (!svg.querySelector('[data-component], [data-connection], .graphics *'))
      place.prepend(
        h(
          'p',
          { class: 'muted pad diagram-empty' },
          'This class has no graphics, and its components have no placement.',
        ),
      );
    Object.assign(shown, { class: class_, layer: layer_, svg: text, look });
    place.dataset.shown = `${class_} ${layer_} ${isDark() ? 'dark' : 'light'}`;
    if (!same) tools_.clear();
    show(same ? box : whole);
    return tools_.redrawn(item);
  }

  /** The component or connection that an element belongs to. */
  const partOf = (target) => target.closest?.(PARTS);
  function lead(part) {
    if (part.dataset.component) emit('filter', part.dataset.component);
    const path = part.dataset.path ?? source.path;
    if (path && part.dataset.line) goTo(path, Number(part.dataset.line), 1, { focus: false });
  }

  function key(event) {
    const moves = {
      ArrowLeft: [-0.1, 0],
      ArrowRight: [0.1, 0],
      ArrowUp: [0, -0.1],
      ArrowDown: [0, 0.1],
    };
    if (tools_.key(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) show(panned(box, moves[event.key][0], moves[event.key][1]));
    else if (event.key === '+' || event.key === '=') zoom(0.8);
    else if (event.key === '-') zoom(1.25);
    else if (event.key === '0') show(whole);
    else return;
    event.preventDefault();
  }

  gestures();
  function gestures() {
    let grip = null;
    place.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const area = place.getBoundingClientRect();
        const factor = Math.exp(event.deltaY * 0.0015);
        const [x, y] = [event.clientX - area.left, event.clientY - area.top];
        glide(zoomed(box, factor, x / area.width, y / area.height));
      },
      { passive: false },
    );
    place.addEventListener('pointerdown', (event) => {
      if (tools_.begin(event)) return;
      grip = { x: event.clientX, y: event.clientY, box, moved: false };
    });
    place.addEventListener('pointermove', (event) => {
      tools_.drag(event);
      if (!grip || !event.buttons) return;
      const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
      if (!grip.moved && Math.hypot(dx, dy) > 4) {
        grip.moved = true;
        place.setPointerCapture(event.pointerId);
      }
      if (!grip.moved) return;
      glide(panned(grip.box, -dx / place.clientWidth, -dy / place.clientHeight));
    });
    place.addEventListener('pointercancel', () => {
      paint();
      grip = null;
    });
    place.addEventListener('pointerup', (event) => {
      paint();
      const part = partOf(event.target);
      if (event.altKey && part?.dataset.class) emit('inspect', part.dataset.class);
      if (!tools_.end(event) && grip && !grip.moved) tools_.clear();
      grip = null;
      update();
    });
  }

  const update = () => {
    if (!panel.hidden && !fresh) load();
  };
  const stale = () => {
    fresh = false;
    update();
  };
  on('inspect', (wanted) => {
    name = wanted;
    stale();
  });
  on('class', () => {
    name = null;
    stale();
  });
  on('checked document:changed theme', stale);
  on('commands', (list) => {
    if (panel.hidden || readOnly) return;
    list.push(
      ...actions.map(([what, , act]) => ({ what, act })),
      { what: 'Mirror up and down (v)', act: () => tools_.mirror('vertical') },
      { what: 'Rename the component (F2)', act: () => tools_.properties({ rename: true }) },
      { what: 'Align in a column (x)', act: () => tools_.align('x') },
      { what: 'Align in a row (y)', act: () => tools_.align('y') },
      { what: 'Move to the grid (g)', act: () => tools_.align('grid') },
      ...SHAPES.map((kind) => ({
        what: `Draw: ${kind}`,
        act: () => tools_.shapes.take(kind, true),
      })),
    );
  });
  on('add-component', (full) => !panel.hidden && tools_.add(full));
  on('view-shown', update);
  new ResizeObserver(() => {
    if (!drawing() || !place.clientWidth) return;
    const all = box === whole;
    whole = fitted(inner, place.clientWidth, place.clientHeight);
    show(all ? whole : fitted(box, place.clientWidth, place.clientHeight));
  }).observe(place);
  return panel;
}
