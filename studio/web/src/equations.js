// The sorted equations of the model, block by block, and its incidence matrix as a picture.
import { api } from './api.js';
import { on } from './bus.js';
import { fill, h } from './dom.js';
import { goTo } from './editor.js';
import { createIncidence } from './incidence.js';
import { say } from './language.js';
import { compile, session } from './session.js';

const MOST = 400; // blocks listed at once

function titleOf(block) {
  if (block.size <= 1 && !/system|loop/i.test(block.kind ?? '')) return null;
  const torn =
    block.torn === undefined || block.torn === null
      ? ''
      : say(`, ${Array.isArray(block.torn) ? block.torn.length : block.torn} after tearing`);
  const kind = say(block.kind ?? 'system');
  const size =
    block.size === 1 ? say(`${kind} of 1 equation`) : say(`${kind} of ${block.size} equations`);
  return size + torn;
}

export function createEquations() {
  const list = h('div', { class: 'equation-list scroll' });
  const picture = createIncidence((row) => reveal(row));
  const panel = h('div', { class: 'panel view-equations' }, list, picture.element);
  let fresh = null;

  async function load() {
    if (panel.hidden || (fresh !== null && fresh === session.model?.model && !session.stale))
      return;
    if (!session.class)
      return fill(
        list,
        h(
          'p',
          { class: 'muted pad' },
          'The sorted equations of a model appear here.',
        ),
      );
    const model = await compile();
    if (!model)
      return fill(
        list,
        h('p', { class: 'muted pad' }, 'The model has errors: see “Problems”.'),
      );
    try {
      const answer = await api.equations({ model: model.model });
      fresh = model.model;
      write(answer);
      picture.show(answer);
    } catch (error) {
      fill(list, h('p', { class: 'muted pad' }, error.message));
    }
  }

  function equationRow(equation, index) {
    const place = equation.path && equation.line;
    return h(
      'button',
      {
        class: 'equation',
        id: `equation-${index}`,
        onclick: place ? () => goTo(equation.path, equation.line) : undefined,
        disabled: !place,
        onpointerenter: () => picture.mark(index),
        onfocus: () => picture.mark(index),
      },
      h('span', { class: 'solves' }, equation.solves ?? ''),
      h('code', null, equation.text),
      place ? h('span', { class: 'muted' }, `:${equation.line}`) : null,
    );
  }

  function write({ blocks, equations, n, capped }) {
    const systems = blocks.filter((block) => titleOf(block));
    const largest = Math.max(0, ...systems.map((block) => block.size));
    fill(
      list,
      h(
        'p',
        { class: 'pad summary' },
        say(`${n ?? equations.length} equations in ${blocks.length} blocks`),
        systems.length
          ? say(`; systems of equations: ${systems.length}, the largest of ${largest}`)
          : '; each is solved by itself',
        capped ? '; the list is not complete' : '',
      ),
      blocks.slice(0, MOST).map((block) => {
        const title = titleOf(block);
        const rows = (block.equations ?? []).map(
          (index) => equations[index] && equationRow(equations[index], index),
        );
        return title
          ? h(
              'section',
              { class: 'block' },
              h('h4', null, title),
              rows,
              Array.isArray(block.unknowns) &&
                h('p', { class: 'muted' }, say(`for ${block.unknowns.join(', ')}`)),
            )
          : rows;
      }),
      blocks.length > MOST &&
        h('p', { class: 'muted pad' }, say(`${blocks.length - MOST} more blocks`)),
    );
  }

  function reveal(row) {
    const element = list.querySelector(`#equation-${row}`);
    element?.scrollIntoView({ block: 'center' });
    element?.focus();
  }

  on('view-shown model', load);
  return panel;
}
