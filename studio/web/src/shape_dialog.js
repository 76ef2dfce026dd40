// The look of a graphical item: colours, patterns, words, place.
import { h } from './dom.js';
import { say } from './language.js';
import { colourOf, quoted, writtenColour } from './shapes.js';
import { askInSheet } from './sheet.js';

const LINES = ['None', 'Solid', 'Dash', 'Dot', 'DashDot', 'DashDotDot'];
const FILLS = [
  'None',
  'Solid',
  'Horizontal',
  'Vertical',
  'Cross',
  'Forward',
  'Backward',
  'CrossDiag',
  'HorizontalCylinder',
  'VerticalCylinder',
  'Sphere',
];
const word = (type, words, first) => ({ type, words, first });
const COLOUR = { colour: true };
/**
 * Fields by name: their labels, and how they are written.
 * @typedef {Record<string, [string, any]>} Fields
 */

/** @type {Fields} */
const FILLED = {
  lineColor: ['Line colour', COLOUR],
  pattern: ['Line pattern', word('LinePattern', LINES, 'Solid')],
  lineThickness: ['Line thickness', { first: '0.25' }],
  fillColor: ['Fill colour', COLOUR],
  fillPattern: ['Fill pattern', word('FillPattern', FILLS, 'None')],
};
/** @type {Fields} */
const SMOOTH = { smooth: ['Smooth', word('Smooth', ['None', 'Bezier'], 'None')] };
/** @type {Fields} */
const EXTENT = { extent: ['Extent', {}] };
/** @type {Fields} */
const POINTS = { points: ['Points', {}] };

/** The fields of each kind of item. @type {Record<string, Fields>} */
const FIELDS = {
  Line: {
    color: ['Colour', COLOUR],
    pattern: FILLED.pattern,
    thickness: ['Thickness', { first: '0.25' }],
    arrow: ['Arrows', { first: '{Arrow.None,Arrow.None}' }],
    arrowSize: ['Arrow size', { first: '3' }],
    ...SMOOTH,
    ...POINTS,
  },
  Polygon: { ...FILLED, ...SMOOTH, ...POINTS },
  Rectangle: { ...FILLED, radius: ['Corner radius', { first: '0' }], ...EXTENT },
  Ellipse: {
    ...FILLED,
    startAngle: ['Start angle', { first: '0' }],
    endAngle: ['End angle', { first: '360' }],
    ...EXTENT,
  },
  Text: {
    textString: ['Text', { words: null, string: true }],
    textColor: ['Colour', COLOUR],
    fontSize: ['Font size', { first: '0' }],
    horizontalAlignment: [
      'Alignment',
      word('TextAlignment', ['Left', 'Center', 'Right'], 'Center'),
    ],
    ...EXTENT,
  },
  Bitmap: { fileName: ['File', { string: true }], ...EXTENT },
};
/** @type {Fields} */
const PLACE = {
  origin: ['Origin', { first: '{0,0}' }],
  rotation: ['Rotation', { first: '0' }],
};

/** A field, and what it would write: undefined if it has not changed. */
function fieldOf(label, how, text) {
  const common = { 'aria-label': label };
  if (how.colour && colourOf(text) !== null) {
    const old = String(colourOf(text));
    const field = h('input', { ...common, type: 'color', value: old });
    return { field, read: () => (field.value === old ? undefined : writtenColour(field.value)) };
  }
  if (how.words && (!text || text.startsWith(`${how.type}.`))) {
    const old = text?.slice(how.type.length + 1) ?? how.first;
    const field = h(
      'select',
      common,
      how.words.map((one) => h('option', { value: one, selected: one === old }, say(one))),
    );
    return {
      field,
      read: () => (field.value === old ? undefined : `${how.type}.${field.value}`),
    };
  }
  const plain = how.string && (!text || /^"(?:[^"\\]|\\["\\])*"$/.test(text));
  const old = plain ? (text ?? '""').slice(1, -1).replace(/\\(["\\])/g, '$1') : (text ?? '');
  const field = h('input', {
    ...common,
    type: 'text',
    value: old,
    placeholder: how.first ?? '',
    spellcheck: false,
  });
  const read = () => {
    if (field.value === old) return undefined;
    if (plain) return quoted(field.value);
    return field.value.trim() || null;
  };
  return { field, read };
}

/**
 * Asks for the look of an item: fields with their new texts, null for those that go.
 * @param {{kind: string, fields: Record<string, string>}} item
 * @returns {Promise<[string, string|null][]|null>}
 */
export function askForLook(item) {
  const known = { ...(FIELDS[item.kind] ?? {}), ...PLACE };
  // older texts have lineColor where textColor is meant
  const nameOf = (name) =>
    name === 'textColor' && item.fields.lineColor && !item.fields.textColor ? 'lineColor' : name;
  const rows = Object.entries(known).map(([name, [label, how]]) => ({
    name: nameOf(name),
    label,
    ...fieldOf(label, how, item.fields[nameOf(name)]),
  }));
  return askInSheet(
    item.kind,
    [
      h(
        'div',
        { class: 'look' },
        rows.map((row) => h('label', null, h('span', null, say(row.label)), row.field)),
      ),
    ],
    {
      answer: () =>
        rows
          .map((row) => /** @type {[string, any]} */ ([row.name, row.read()]))
          .filter(([, value]) => value !== undefined),
    },
  );
}

/** Asks for the words of a new text. @param {string} first @returns {Promise<string|null>} */
export function askForWords(first) {
  const field = h('input', { type: 'text', 'aria-label': 'Text', value: first, autofocus: true });
  return askInSheet('Text', [field], { answer: () => field.value || undefined });
}
