// The documentation of a class: its kind, its contents, and its text without scripts and other
// active parts.
import DOMPurify from 'dompurify';
import { api } from './api.js';
import { emit, on } from './bus.js';
import { unsavedTexts } from './documents.js';
import { fill, h } from './dom.js';
import { goTo } from './editor.js';
import { chooseClass, session } from './session.js';

const CLEAN = {
  ALLOWED_TAGS: [
    'p',
    'br',
    'hr',
    'b',
    'strong',
    'i',
    'em',
    'u',
    'sub',
    'sup',
    'code',
    'pre',
    'tt',
    'kbd',
    'blockquote',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'caption',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'a',
    'img',
    'span',
    'div',
    'small',
  ],
  ALLOWED_ATTR: [
    'href',
    'src',
    'alt',
    'title',
    'colspan',
    'rowspan',
    'align',
    'valign',
    'id',
    'name',
  ],
  ALLOWED_URI_REGEXP: /^(?:modelica:|#|https?:|data:image\/(?:png|jpeg|gif);)/i,
  FORBID_ATTR: ['style'],
};

/**
 * Markup of a model as a fragment without scripts, styles, or anything loaded from elsewhere.
 * @param {string} html
 * @param {(name: string) => void} lead
 */
function cleaned(html, lead) {
  const fragment = DOMPurify.sanitize(html, { ...CLEAN, RETURN_DOM_FRAGMENT: true });
  for (const image of fragment.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    if (/^modelica:/i.test(source)) image.setAttribute('src', api.resourceAddress(source));
    else if (!source.startsWith('data:')) image.remove();
  }
  for (const link of fragment.querySelectorAll('a[href]')) {
    const target = link.getAttribute('href') ?? '';
    const name = /^modelica:\/\/([\w.']+)/i.exec(target)?.[1];
    if (name)
      link.addEventListener('click', (event) => {
        event.preventDefault();
        lead(name);
      });
    else if (/^https?:/i.test(target))
      Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
  }
  return fragment;
}

function componentTable(components) {
  if (!components?.length) return null;
  return h(
    'table',
    { class: 'doc-table' },
    h(
      'thead',
      null,
      h('tr', null, h('th', null, 'Name'), h('th', null, 'Type'), h('th', null, 'Description')),
    ),
    h(
      'tbody',
      null,
      components.map((one) =>
        h(
          'tr',
          null,
          h('td', null, h('code', null, one.name)),
          h('td', null, one.kind === 'parameter' ? `parameter ${one.type}` : one.type),
          h('td', null, one.description),
        ),
      ),
    ),
  );
}

function classTable(classes, lead) {
  if (!classes?.length) return null;
  return h(
    'table',
    { class: 'doc-table' },
    h(
      'thead',
      null,
      h('tr', null, h('th', null, 'Class'), h('th', null, 'Kind'), h('th', null, 'Description')),
    ),
    h(
      'tbody',
      null,
      classes.map((one) =>
        h(
          'tr',
          null,
          h('td', null, h('button', { class: 'link', onclick: () => lead(one.full) }, one.name)),
          h('td', null, one.kind),
          h('td', null, one.description),
        ),
      ),
    ),
  );
}

export function createDocumentation() {
  const body = h('article', { class: 'documentation' });
  const panel = h('div', { class: 'panel scroll' }, body);
  /** @type {string|null} */
  let present = null;
  let scrolled = null; // the class that is on the page
  let fresh = false;

  async function show(name) {
    present = name;
    fresh = true;
    if (!name)
      return fill(
        body,
        h(
          'p',
          { class: 'muted' },
          'Choose a class on the left to read its documentation.',
        ),
      );
    try {
      const found = await api.class(name, unsavedTexts());
      if (present !== name) return undefined;
      if (scrolled !== name) panel.scrollTop = 0;
      scrolled = name;
      return write(found);
    } catch (error) {
      return fill(body, h('p', { class: 'muted' }, error.message));
    }
  }

  function write(found) {
    const runs = ['model', 'block', 'class'].includes(found.kind) && !found.partial;
    const html = (found.documentation ?? '').replace(/^\s*<html>|<\/html>\s*$/gi, '');
    fill(
      body,
      h('p', { class: 'muted doc-kind' }, `${found.partial ? 'partial ' : ''}${found.kind}`),
      h('h1', null, found.name),
      found.description && h('p', { class: 'doc-lead' }, found.description),
      h(
        'p',
        { class: 'doc-actions' },
        found.path &&
          h('button', { onclick: () => goTo(found.path, found.line, found.column) }, 'Source'),
        runs &&
          h(
            'button',
            {
              onclick: () => {
                emit('inspect', found.name);
                emit('view', 'diagram');
              },
            },
            'Diagram',
          ),
        runs &&
          h(
            'button',
            { onclick: () => chooseClass(found.name, found.path, true) },
            'Choose for Run',
          ),
      ),
      found.extends?.length > 0 &&
        h(
          'p',
          null,
          'extends ',
          found.extends.map((base, i) => [
            i ? ', ' : '',
            h(
              'button',
              { class: 'link', onclick: () => lead(typeof base === 'string' ? base : base.name) },
              typeof base === 'string' ? base : base.name,
            ),
          ]),
        ),
      html && h('div', { class: 'doc-text' }, cleaned(html, lead)),
      classTable(found.classes, lead),
      componentTable(found.components),
    );
  }

  function lead(name) {
    emit('inspect', name);
  }

  const update = () => {
    if (!panel.hidden && !fresh) show(present ?? session.class);
  };
  on('inspect', (name) => {
    present = name;
    fresh = false;
    update();
  });
  on('class', (name) => {
    present = name;
    fresh = false;
    update();
  });
  on('document:saved checked', () => {
    fresh = false;
    update();
  });
  on('view-shown', update);
  show(null);
  fresh = false;
  return panel;
}
