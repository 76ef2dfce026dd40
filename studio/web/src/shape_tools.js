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
 * chooseNew: (names: Promise<string[]|null>) => void, middle: () => [number, number], handleSize:
 * () => number}} page
 */
export function createShapeTools(page) {
  /** The shape that the pointer draws. @type {string|null} */
  let kind = null;
  /** Corners so far. @type {[number, number][]} */
  let corners = [];
  /** The item that has handles, as it is written. @type {any} */
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
    page.chooseNew(page.apply([{ op: 'draw', text, layer: page.layer() }]));
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

  const question = (numbers) => [{ op: 'items', items: numbers, layer: page.layer() }];
  /** Items as they are written after all edits that were asked for. */
  const read = async (numbers) => {
    const { answer } = await preview(String(page.name()), question(numbers));
    if (answer.error) notify(answer.error, 'error');
    return answer.items ?? [];
  };
  /** One item with its number, or null. @param {number} number */
  const readOne = async (number) => {
    const [one] = await read([number]);
    return one ? { ...one, number } : null;
  };

  /** Handles at the corners of the only chosen item, at once if it is `known`. */
  async function drawHandles(number, isStill, known) {
    const found = known?.number === number ? known : await readOne(number);
    if (!found || (found !== known && !isStill())) return;
    item = found;
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
  const painted = (number, fields) =>
    Object.entries(fields).map(([name, value]) => ({
      op: 'paint',
      items: [number],
      name,
      ...(value === null ? {} : { value }),
      layer: page.layer(),
    }));
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
    const { number } = item;
    return page.apply(
      onItems([number], (one) => {
        const change = withCornerAt(one, corner, snapped(at));
        return change && { [change.name]: change.value };
      }),
    );
  }

  /**
   * A step that paints items by the fields that `make` computes from the items as they are then.
   * Items with computed places stay.
   */
  const onItems = (numbers, make) => async (_names, ask) => {
    const { items = [], error } = await ask(question(numbers));
    if (error) throw new Error(error);
    return items.flatMap((one, i) => {
      const fields = make(one);
      if (!fields) notify('The place of this item is computed; edit it in the source.');
      return painted(numbers[i], fields ?? {});
    });
  };
  /** A step that turns or mirrors items. */
  const turn = (numbers, how) => onItems(numbers, (one) => turned(one, how));
  async function look(number) {
    const one = await readOne(number);
    const changes = one && (await askForLook(one));
    if (changes?.length) await page.apply(painted(number, Object.fromEntries(changes)));
  }

  return {
    take,
    pointer,
    end,
    isDrawing: () => Boolean(kind),
    cancel: () => setKind(null),
    readOne,
    drawHandles,
    dragCorner,
    dropCorner,
    turn,
    look,
  };
}
