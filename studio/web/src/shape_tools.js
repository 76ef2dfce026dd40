// Drawing graphical items by hand: new shapes and texts, their corners, turns and looks.
import { snap } from './drag.js';
import { preview } from './edits.js';
import { notify } from './notices.js';
import { askForLook, askForWords } from './shape_dialog.js';
import { handlesOf, isDrawnByCorners, turned, withCornerAt, writtenShape } from './shapes.js';

const SIZE = 20; // of a shape that is drawn by the keyboard

/**
 * @param {{place: HTMLElement, name: () => string|null, layer: () => string, overlay: () => any,
 * draw: (tag: string, attributes: any) => any, apply: (...steps: any[]) => Promise<string[]|null>,
 * choose: (keys: string[]) => void, middle: () => [number, number], handleSize: () => number}} page
 */
export function createShapeTools(page) {
  /** The shape that the pointer draws. @type {string|null} */
  let kind = null;
  /** Corners so far. @type {[number, number][]} */
  let corners = [];
  /** The chosen item, as it is written. @type {any} */
  let item = null;

  const snapped = ([x, y]) => /** @type {[number, number]} */ ([snap(x), snap(y)]);
  const path = (points) => `M${points.map(([x, y]) => `${x} ${-y}`).join('L')}`;

  function setKind(next) {
    kind = next;
    corners = [];
    page.overlay()?.replaceChildren();
    page.place.classList.toggle('draws', Boolean(kind));
  }

  /** Begins a shape; by the keyboard it is placed in the middle. */
  function take(next, byKey = false) {
    setKind(next);
    if (!byKey) return page.place.focus();
    const [x, y] = snapped(page.middle());
    return finish([[x - SIZE, y - SIZE / 2], [x + SIZE, y + SIZE / 2]]);
  }

  async function finish(points) {
    const drawn = kind;
    setKind(null);
    const different = points.filter(
      (p, i) => !i || p[0] !== points[i - 1][0] || p[1] !== points[i - 1][1],
    );
    if (!drawn || different.length < (drawn === 'Polygon' ? 3 : 2)) return;
    const words =
      drawn === 'Text' ? await askForWords(page.layer() === 'icon' ? '%name' : '') : '';
    if (words === null) return;
    const text = writtenShape(drawn, different, words);
    const names = await page.apply([{ op: 'draw', text, layer: page.layer() }]);
    if (names) page.choose(names);
  }

  // ---- the pointer ----

  const preview_ = (points, more = {}) => {
    page.overlay()?.replaceChildren();
    if (!isDrawnByCorners(String(kind)) && points.length > 1) {
      const [a, b] = points;
      points = [a, [b[0], a[1]], b, [a[0], b[1]], a];
    }
    page.draw('path', { class: 'wire', d: path(points), ...more });
  };
  /** Whether a shape is being drawn; the pointer is pressed, moved, released at a point. */
  const pointer = {
    press(at) {
      if (!kind) return false;
      corners.push(snapped(at));
      return true;
    },
    move(at) {
      if (kind && corners.length) preview_([...corners, snapped(at)]);
    },
    release(at, moved) {
      if (!kind) return;
      if (moved) corners.push(snapped(at));
      if (!isDrawnByCorners(kind)) {
        if (corners.length > 1) finish(corners);
        else corners = [];
      }
    },
  };
  /** The end of a line or polygon; false if none is drawn. */
  function end() {
    if (!kind || corners.length < 2) return false;
    finish(corners);
    return true;
  }

  // ---- the chosen item ----

  const read = async (numbers) => {
    const { answer } = await preview(String(page.name()), [
      { op: 'items', items: numbers, layer: page.layer() },
    ]);
    if (answer.error) notify(answer.error, 'error');
    return answer.items ?? [];
  };

  /** Handles at the corners of the only chosen item. */
  async function drawHandles(number, isStill) {
    [item] = await read([number]);
    if (!item || !isStill()) return;
    item.number = number;
    const size = page.handleSize();
    handlesOf(item).forEach(([x, y], i) =>
      page.draw('rect', {
        class: 'handle',
        x: x - size / 2,
        y: -y - size / 2,
        width: size,
        height: size,
        'data-item-corner': i,
      }),
    );
  }
  const paint = (number, fields) =>
    page.apply(
      Object.entries(fields).map(([name, value]) => ({
        op: 'paint',
        items: [number],
        name,
        ...(value === null ? {} : { value }),
        layer: page.layer(),
      })),
    );
  function dragCorner(corner, at) {
    const points = handlesOf(item);
    if (points.length === 4 && item.fields.extent) {
      page.overlay()?.replaceChildren();
      const next = { ...item, fields: { ...item.fields } };
      const change = withCornerAt(item, corner, snapped(at));
      if (change) next.fields[change.name] = change.value;
      const all = handlesOf(next);
      page.draw('path', { class: 'wire', d: path([...all, all[0]]) });
    } else {
      points[corner] = snapped(at);
      page.overlay()?.replaceChildren();
      page.draw('path', { class: 'wire', d: path(points) });
    }
  }
  function dropCorner(corner, at) {
    const change = withCornerAt(item, corner, snapped(at));
    return change ? paint(item.number, { [change.name]: change.value }) : Promise.resolve(null);
  }

  /** Operations that turn or mirror items; items with computed places stay. */
  async function turn(numbers, how) {
    const all = await read(numbers);
    const steps = [];
    all.forEach((one, i) => {
      const fields = turned(one, how);
      if (!fields) notify('The place of this item is computed; edit it in the source.');
      for (const [name, value] of Object.entries(fields ?? {}))
        steps.push({ op: 'paint', items: [numbers[i]], name, value, layer: page.layer() });
    });
    return steps;
  }
  async function look(number) {
    const [one] = await read([number]);
    const changes = one && (await askForLook(one));
    if (changes?.length) await paint(number, Object.fromEntries(changes));
  }

  return {
    take,
    pointer,
    end,
    isDrawing: () => Boolean(kind),
    cancel: () => setKind(null),
    drawHandles,
    dragCorner,
    dropCorner,
    turn,
    look,
  };
}
