// The middle area: the open files as tabs, and the views of the model: source, diagram,
// documentation, equations, animation.
import { createAnimation } from './animation.js';
import { emit, on } from './bus.js';
import { createDiagram } from './diagram.js';
import { createConflictBar } from './conflict.js';
import { activate, activeDocument, closeDocument, documents, isDirty } from './documents.js';
import { createDocumentation } from './documentation.js';
import { byId, fill, h, icon, tool } from './dom.js';
import { createEditor } from './editor.js';
import { createEquations } from './equations.js';
import { ICONS } from './icons.js';
import { toggleAlone } from './layout.js';
import { makeTabs } from './tabs.js';
import { createWelcome } from './welcome.js';

/** @type {ReturnType<typeof makeTabs>} */
export let viewTabs;

const fileTabs = h('div', { class: 'file-tabs', role: 'toolbar', 'aria-label': 'Open files' });

function fileTab(doc) {
  const name = doc.path
    .split('/')
    .slice(doc.path.endsWith('/package.mo') ? -2 : -1)
    .join('/');
  const on = doc === activeDocument();
  return h(
    'span',
    { class: `file-tab ${on ? 'active' : ''} ${isDirty(doc) ? 'dirty' : ''}` },
    h(
      'button',
      {
        class: 'file-name',
        title: doc.path + (doc.readOnly ? ' (read only)' : ''),
        'aria-current': on ? 'true' : undefined,
        onclick: () => {
          activate(doc);
          emit('view', 'source');
        },
        onauxclick: (event) => event.button === 1 && closeDocument(doc),
      },
      name,
      doc.readOnly && h('span', { class: 'muted' }, ' read only'),
    ),
    h(
      'button',
      {
        class: 'quiet file-close',
        title: isDirty(doc) ? 'Not saved; close' : 'Close',
        'aria-label': `Close ${name}`,
        onclick: () => closeDocument(doc),
      },
      icon(ICONS.close),
    ),
  );
}

function writeFileTabs() {
  fileTabs.hidden = !documents.length;
  fill(fileTabs, documents.map(fileTab));
  fileTabs.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

export function createCentre() {
  const editor = h('div', { class: 'editor' });
  const source = h('div', { class: 'panel view-source' }, editor);
  const items = [
    { id: 'source', title: 'Source', panel: source },
    { id: 'diagram', title: 'Diagram', panel: createDiagram() },
    { id: 'documentation', title: 'Documentation', panel: createDocumentation() },
    { id: 'equations', title: 'Equations', panel: createEquations() },
    { id: 'animation', title: 'Animation', panel: createAnimation() },
  ];
  viewTabs = makeTabs('Views of the model', items, (id) => {
    emit('view-shown', id);
    emit('layout');
  });
  const views = h(
    'div',
    { class: 'views' },
    items.map((item) => item.panel),
  );
  const welcome = createWelcome();
  fill(
    byId('centre'),
    fileTabs,
    h(
      'div',
      { class: 'toolbar' },
      viewTabs.element,
      h('span', { class: 'grow' }),
      tool('This area alone, or all (Alt+0)', ICONS.enlarge, () => toggleAlone('centre')),
    ),
    createConflictBar(), // above all views: pictures are edited too
    views,
    welcome,
  );
  createEditor(editor);
  const arrange = () => {
    const empty = !activeDocument() && viewTabs.present() === 'source';
    views.hidden = empty;
    welcome.hidden = !empty;
    writeFileTabs();
  };
  on(
    'document:opened document:closed document:active document:changed document:saved view-shown',
    arrange,
  );
  on('view', (id) => viewTabs.present() !== id && viewTabs.choose(id));
  arrange();
}
