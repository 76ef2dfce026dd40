// The page while no file is open: models to begin with, and the existing files. A template is
// opened and run at once.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { openDocument } from './documents.js';
import { drawing, fill, h } from './dom.js';
import { startRun } from './runs.js';
import { chooseClass } from './session.js';
import { newModel, TEMPLATES } from './templates.js';

async function begin(template) {
  const doc = await newModel(template.text);
  if (!doc) return;
  chooseClass(doc.path.replace(/\.mo$/, ''), doc.path);
  startRun();
}

const card = (template) =>
  h(
    'button',
    { class: 'card', onclick: () => begin(template) },
    drawing('0 0 48 32', template.picture),
    h('span', { class: 'card-title' }, template.title),
    h('span', { class: 'muted' }, template.hint),
  );

export function createWelcome() {
  const files = h('div', { class: 'welcome-files' });
  const element = h(
    'div',
    { class: 'welcome scroll' },
    h(
      'div',
      { class: 'welcome-inner' },
      h('h1', null, 'Begin with a model'),
      h(
        'p',
        { class: 'muted' },
        'One click opens a copy and runs it.',
      ),
      h('div', { class: 'cards' }, TEMPLATES.map(card)),
      h('p', { class: 'welcome-more' }, h('button', { onclick: () => newModel() }, 'Empty model')),
      files,
    ),
  );
  async function write() {
    const list = await api.files().catch(() => []);
    fill(
      files,
      list.length > 0 && h('h2', null, 'Files in this folder'),
      list
        .slice(0, 30)
        .map((file) =>
          h(
            'button',
            {
              class: 'link',
              onclick: () => openDocument(file.path).then(() => emit('view', 'source')),
            },
            file.path,
          ),
        ),
    );
  }
  on('files document:closed', write);
  write();
  return element;
}
