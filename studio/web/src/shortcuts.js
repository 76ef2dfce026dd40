// The keys: one table for the handlers and for the sheet of keys.
import { activeDocument, closeDocument, documents, activate, saveDocument } from './documents.js';
import { emit } from './bus.js';
import { byId } from './dom.js';
import { focusEditor, goToDeclaration } from './editor.js';
import { settled } from './edits.js';
import { viewTabs } from './centre.js';
import { showHelp } from './help.js';
import { chooseLanguage, language, LANGUAGES, say } from './language.js';
import { focusArea, nextArea, toggleAlone, toggleExplorer } from './layout.js';
import { startRun, stopRun } from './runs.js';
import { newModel } from './templates.js';
import {
  duplicateClass,
  newPackage,
  newPackagedModel,
  renameClass,
  renameFile,
  saveAs,
} from './class_files.js';
import { showPalette } from './command_palette.js';
import { session } from './session.js';

const mod = (event) => event.ctrlKey || event.metaKey;
/** Saves the document with the edits of its diagram that are under way. */
async function save() {
  const doc = activeDocument();
  await settled();
  if (doc) await saveDocument(doc);
}
const view = (id) => () => {
  focusArea('centre');
  viewTabs.choose(id);
  if (id === 'source') focusEditor();
  else
    /** @type {HTMLElement|null} */ (
      document.querySelector(`#panel-${id} [tabindex="0"]`)
    )?.focus();
};

function nextFile() {
  const index = documents.indexOf(/** @type {any} */ (activeDocument()));
  if (documents.length) activate(documents[(index + 1) % documents.length]);
}

/**
 * @type {{keys: string, what: string, test: (event: KeyboardEvent) => boolean, act: () => any,
 * plain?: boolean}[]} `plain`: not while text is typed
 */
export const SHORTCUTS = [
  { keys: 'Ctrl Enter', what: 'Run', test: (e) => mod(e) && e.key === 'Enter', act: startRun },
  { keys: 'Ctrl .', what: 'Stop', test: (e) => mod(e) && e.key === '.', act: stopRun },
  {
    keys: 'Ctrl S',
    what: 'Save',
    test: (e) => mod(e) && e.key.toLowerCase() === 's',
    act: save,
  },
  {
    keys: 'Alt N',
    what: 'New model',
    test: (e) => e.altKey && e.code === 'KeyN',
    act: () => newModel().then((doc) => doc && focusEditor()),
  },
  {
    keys: 'Ctrl P',
    what: 'Search classes',
    test: (e) => mod(e) && e.key.toLowerCase() === 'p',
    act: () => {
      focusArea('explorer');
      byId('search').focus();
    },
  },
  {
    keys: 'Ctrl B',
    what: 'Show or hide the classes',
    test: (e) => mod(e) && e.key.toLowerCase() === 'b',
    act: toggleExplorer,
  },
  {
    keys: 'F12',
    what: 'Go to the declaration of the name at the cursor',
    test: (e) => e.key === 'F12',
    act: goToDeclaration,
  },
  {
    keys: 'Alt 1 … 4',
    what: 'Source, diagram, documentation, equations',
    test: (e) => e.altKey && /^Digit[1-4]$/.test(e.code),
    act: () => {},
  },
  {
    keys: 'Alt 0',
    what: 'Show the area of the focus alone, or all',
    test: (e) => e.altKey && e.code === 'Digit0',
    act: () => toggleAlone(),
  },
  { keys: 'F6, Shift F6', what: 'Next, former area', test: (e) => e.key === 'F6', act: () => {} },
  {
    keys: 'Alt W',
    what: 'Close the file',
    test: (e) => e.altKey && e.code === 'KeyW',
    act: () => activeDocument() && closeDocument(/** @type {any} */ (activeDocument())),
  },
  {
    keys: 'Alt PageDown',
    what: 'Next file',
    test: (e) => e.altKey && e.key === 'PageDown',
    act: nextFile,
  },
  {
    keys: 'F1',
    what: 'All commands',
    test: (e) => e.key === 'F1',
    act: () => showPalette(commands()),
  },
  { keys: '?', what: 'These keys', test: (e) => e.key === '?', act: showHelp, plain: true },
];

/** Panels that commands show: the area of each, and the name of the command. */
const PANELS = {
  parameters: ['values', 'Show the parameters'],
  variables: ['values', 'Show the variables'],
  problems: ['values', 'Show the problems'],
  events: ['log', 'Show the events'],
  modes: ['log', 'Show the modes'],
  runs: ['log', 'Show the runs'],
  measure: ['log', 'Show the measurements'],
  analyse: ['log', 'Show the analyses'],
};
function showPanel(id) {
  focusArea(PANELS[id][0]);
  byId(`tab-${id}`).click();
  byId(`tab-${id}`).focus();
}

/** What the palette offers: the keys above, and commands without keys. */
function commands() {
  const shown = (title, id) => ({ what: `Show ${title}`, keys: '', act: view(id) });
  const ofClass = (what, act) => ({
    what: `${what} ${session.class ?? ''}`,
    act: () => act(String(session.class)),
  });
  const all = [
    ...SHORTCUTS.filter((one) => !/^(F1|F6|Alt 1)/.test(one.keys)),
    shown('the source', 'source'),
    shown('the diagram', 'diagram'),
    shown('the documentation', 'documentation'),
    shown('the equations', 'equations'),
    shown('the animation', 'animation'),
    ...Object.entries(PANELS).map(([id, [, what]]) => ({ what, act: () => showPanel(id) })),
    { what: 'New package', act: newPackage },
    { what: 'New model in the package of this file', act: newPackagedModel },
    ...(activeDocument() ? [{ what: 'Save as', act: saveAs }] : []),
    ...(session.class
      ? [ofClass('Rename', renameClass), ofClass('Duplicate', duplicateClass)]
      : []),
    ...(activeDocument() ? [{ what: 'Rename the file', act: renameFile }] : []),
  ];
  emit('commands', all); // those of the view that is shown
  const languages = Object.entries(LANGUAGES).filter(([code]) => code !== language);
  return [
    ...all.map((one) => ({ ...one, what: say(one.what) })),
    ...languages.map(([code, name]) => ({
      what: `${name} (language, Sprache)`,
      act: () => chooseLanguage(code),
    })),
  ];
}

/** Keys that parts of the page handle themselves. @type {[string, string[][]][]} */
export const LOCAL_KEYS = [
  [
    'Editor',
    [
      ['Ctrl Space', 'Completion'],
      ['F8', 'Next problem'],
      ['Ctrl F', 'Find'],
      ['Escape, Tab', 'Leave the editor'],
    ],
  ],
  [
    'Plots',
    [
      ['← →', 'Move the cursor'],
      ['Shift ← →', 'Move the view'],
      ['+ − 0', 'Zoom, show all'],
      ['Drag', 'Zoom into a span'],
      ['Double click', 'Show all'],
    ],
  ],
  [
    'Diagram',
    [
      ['Arrows', 'Move the chosen parts, or the view'],
      ['+ − 0', 'Zoom, show all'],
      ['Tab, Space', 'Next part, choose it'],
      ['p, double click', 'Parameters'],
      ['F2', 'Rename the component'],
      ['r, h, v', 'Rotate, mirror'],
      ['x, y, g', 'Align in a column, in a row, on the grid'],
      ['c', 'Connect two chosen components'],
      ['w', 'Route the chosen lines anew'],
      ['e', 'Move the chosen components into a sub-model'],
      ['Delete', 'Delete'],
      ['Ctrl C, X, V, D', 'Copy, cut, paste, duplicate'],
      ['Ctrl Z, Y', 'Undo, redo'],
      ['Enter', 'Component’s source and variables'],
      ['Alt click', 'Diagram of its class'],
      ['Insert', 'In the tree: place a component'],
    ],
  ],
  ['Events', [['↑ ↓', 'Go from event to event, with source and cursor']]],
];

const VIEWS = ['source', 'diagram', 'documentation', 'equations'];
const typed = (element) =>
  element?.closest?.('input:not([type=checkbox], [type=range]), textarea, select, .cm-content');

/** @param {KeyboardEvent} event */
function handle(event) {
  const found = SHORTCUTS.find((shortcut) => shortcut.test(event));
  if (!found || (found.plain && typed(event.target)) || document.querySelector('dialog[open]'))
    return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'F6') nextArea(event.shiftKey ? -1 : 1);
  else if (event.altKey && /^Digit[1-4]$/.test(event.code))
    view(VIEWS[Number(event.code.at(-1)) - 1])();
  else found.act();
}

export function startShortcuts() {
  document.addEventListener('keydown', handle, { capture: true });
}
