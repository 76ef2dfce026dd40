// The diagram of the model, drawn by the compiler from its annotations. It can be zoomed and moved;
// a click on a component leads to its line in the source and to its variables, with Shift to the
// diagram of its own class.
import DOMPurify from 'dompurify';
import { api } from './api.js';
import { emit, on } from './bus.js';
import { unsavedTexts } from './documents.js';
import { fill, h, tool } from './dom.js';
import { goTo } from './editor.js';
import { ICONS } from './icons.js';
import { session } from './session.js';
import { fitted, panned, parseBox, sensible, zoomed } from './view_box.js';

const MARGIN = 1.12; // share of the window that the whole drawing leaves free

export function createDiagram() {
  const place = h('div', {
    class: 'diagram-place',
    tabIndex: 0,
    'aria-label': 'Diagram; arrows move it, plus and minus zoom, 0 shows all',
    onkeydown: key,
  });
  const title = h('span', { class: 'muted diagram-title' });
  const tools = h(
    'div',
    { class: 'diagram-tools' },
    title,
    tool('Closer', ICONS.plus, () => zoom(0.8)),
    tool('Farther', ICONS.minus, () => zoom(1.25)),
    tool('All of it', ICONS.fit, () => show(whole)),
  );
  const panel = h('div', { class: 'panel view-diagram' }, tools, place);
  /** @type {string|null} */
  let name = null;
  let fresh = false;
  let source = { path: null };
  /** @type {import('./view_box.js').Box} */
  let whole = { x: -100, y: -100, w: 200, h: 200 };
  let box = whole;

  const drawing = () => place.querySelector('svg');
  function show(next) {
    const good = sensible(next, whole);
    if (!good || !drawing()) return;
    box = good;
    drawing().setAttribute('viewBox', `${box.x} ${box.y} ${box.w} ${box.h}`);
  }
  const zoom = (factor, px, py) => show(zoomed(box, factor, px, py));

  async function load() {
    const wanted = name ?? session.class;
    fresh = true;
    title.textContent = wanted && wanted !== session.class ? wanted : '';
    if (!wanted)
      return fill(place, h('p', { class: 'muted pad' }, 'The diagram of a model appears here.'));
    try {
      const [svg, found] = await Promise.all([
        api.diagram(wanted, 'diagram', unsavedTexts()),
        api.class(wanted).catch(() => null),
      ]);
      source = found ?? { path: null };
      return wanted === (name ?? session.class) && put(svg);
    } catch (error) {
      return fill(place, h('p', { class: 'muted pad' }, error.message));
    }
  }

  function put(text) {
    const svg = DOMPurify.sanitize(text, {
      USE_PROFILES: { svg: true, svgFilters: true },
      ADD_ATTR: ['viewBox'],
      RETURN_DOM_FRAGMENT: true,
    }).querySelector('svg');
    if (!svg) return fill(place, h('p', { class: 'muted pad' }, 'This class has no diagram.'));
    const own = parseBox(svg.getAttribute('viewBox')) ?? whole;
    svg.removeAttribute('width');
    svg.removeAttribute('height');
    for (const part of /** @type {NodeListOf<SVGElement>} */ (
      svg.querySelectorAll('[data-component]')
    )) {
      part.setAttribute('tabindex', '0');
      part.setAttribute('role', 'button');
      part.setAttribute('aria-label', `${part.dataset.component}, ${part.dataset.class}`);
    }
    fill(place, svg);
    whole = fitted(zoomed(own, MARGIN), place.clientWidth, place.clientHeight);
    if (!svg.querySelector('[data-component], [data-connection], .graphics *'))
      place.prepend(
        h(
          'p',
          { class: 'muted pad diagram-empty' },
          'This class has no graphics, and its components have no placement.',
        ),
      );
    return show(whole);
  }

  /** The component or connection that an element belongs to. */
  const partOf = (target) => target.closest?.('[data-component], [data-connection]');
  function lead(part) {
    for (const other of place.querySelectorAll('.chosen')) other.classList.remove('chosen');
    part.classList.add('chosen');
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
    const part = partOf(event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[event.key]) show(panned(box, moves[event.key][0], moves[event.key][1]));
    else if (event.key === '+' || event.key === '=') zoom(0.8);
    else if (event.key === '-') zoom(1.25);
    else if (event.key === '0') show(whole);
    else if ((event.key === 'Enter' || event.key === ' ') && part) lead(part);
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
        zoom(
          Math.exp(event.deltaY * 0.0015),
          (event.clientX - area.left) / area.width,
          (event.clientY - area.top) / area.height,
        );
      },
      { passive: false },
    );
    place.addEventListener('pointerdown', (event) => {
      grip = { x: event.clientX, y: event.clientY, box, moved: false };
    });
    place.addEventListener('pointermove', (event) => {
      if (!grip || !event.buttons) return;
      const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
      if (!grip.moved && Math.hypot(dx, dy) > 4) {
        grip.moved = true;
        place.setPointerCapture(event.pointerId);
      }
      if (grip.moved) show(panned(grip.box, -dx / place.clientWidth, -dy / place.clientHeight));
    });
    place.addEventListener('pointerup', (event) => {
      const part = partOf(event.target);
      if (grip && !grip.moved && part && event.shiftKey && part.dataset.class)
        emit('inspect', part.dataset.class);
      else if (grip && !grip.moved && part) lead(part);
      grip = null;
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
  on('checked', stale);
  on('view-shown', update);
  new ResizeObserver(() => {
    if (!drawing() || !place.clientWidth) return;
    whole = fitted(whole, place.clientWidth, place.clientHeight);
    show(fitted(box, place.clientWidth, place.clientHeight));
  }).observe(place);
  return panel;
}
