// Problems: the compiler's messages about the texts and, if a run failed, the block, its equations
// and its values.
import { on } from './bus.js';
import { activeDocument } from './documents.js';
import { shown } from './curves.js';
import { fill, h, verbatim } from './dom.js';
import { goTo } from './editor.js';
import { say } from './language.js';
import { presentRun } from './runs.js';
import { session } from './session.js';

const lead = (place) =>
  place.path && place.line ? () => goTo(place.path, place.line, place.column ?? 1) : undefined;
const placeText = (place) =>
  place.path && place.line
    ? `${place.path.split('/').at(-1)}:${place.line}${place.column ? `:${place.column}` : ''}`
    : '';

function note(one) {
  const act = lead(one);
  return h(
    'div',
    { class: 'problem-note' },
    act ? h('button', { class: 'link', onclick: act }, one.message) : one.message,
  );
}

function problem(message) {
  const act = lead(message);
  return h(
    'div',
    { class: `problem problem-${message.severity}` },
    h(
      'button',
      { class: 'problem-main', onclick: act, disabled: !act },
      h('span', { class: 'badge' }, say(message.severity)),
      h('span', { class: 'problem-text' }, message.message),
      h('span', { class: 'muted' }, [message.code, placeText(message)].filter(Boolean).join('  ')),
    ),
    (message.notes ?? []).map(note),
  );
}

/** @type {Record<string, string>} how a run ended, by its status */
const ENDS = { crashed: 'crashed', limit: 'was ended' };

/** Why a run failed. @param {import('./runs.js').Run} run */
function whyOf(run) {
  const { why } = run;
  const rest = why?.equations?.length
    ? run.diagnostics.filter((message) => message.message !== run.message)
    : run.diagnostics; // not said twice
  return h(
    'section',
    { class: 'why' },
    h('h3', null, `Why the run ${ENDS[run.status] ?? 'failed'}`),
    !rest.some((message) => message.message === run.message) &&
      h('p', { class: 'why-message' }, run.message || 'No reason was given.'),
    why &&
      h(
        'div',
        { class: 'why-block' },
        why.block !== undefined &&
          why.block !== null &&
          h(
            'h4',
            null,
            typeof why.block === 'number' ? say(`Block ${why.block}`) : String(why.block),
          ),
        (why.equations ?? []).map((equation) =>
          h(
            'button',
            { class: 'equation', onclick: lead(equation), disabled: !lead(equation) },
            h('code', null, equation.text),
            equation.residual != null &&
              h('span', { class: 'muted' }, ` ${say('residual')} ${shown(equation.residual)}`),
            h('span', { class: 'muted' }, placeText(equation)),
          ),
        ),
        why.variables?.length > 0 &&
          h(
            'table',
            { class: 'why-values' },
            h(
              'tbody',
              null,
              why.variables.map((variable) =>
                h(
                  'tr',
                  null,
                  h('th', { scope: 'row' }, verbatim(variable.name)),
                  h('td', null, shown(variable.value)),
                  h(
                    'td',
                    { class: 'muted' },
                    variable.start == null ? '' : say(`start ${shown(variable.start)}`),
                  ),
                ),
              ),
            ),
          ),
      ),
    rest.map(problem),
  );
}

/** @param {(text: string, kind: string) => void} count */
export function createProblems(count) {
  const body = h('div', { class: 'rows' });
  const panel = h('div', { class: 'panel scroll' }, body);

  function write() {
    const doc = activeDocument();
    const checked = doc?.answer?.diagnostics ?? [];
    const key = (message) => `${message.path}:${message.line}:${message.column}:${message.message}`;
    const seen = new Set(checked.map(key));
    const run = presentRun();
    const warned = run?.status === 'done' && run.class === session.class ? run.diagnostics : [];
    const all = [
      ...checked,
      ...[...session.diagnostics, ...warned].filter((message) => !seen.has(key(message))),
    ];
    const failed = run && ['failed', 'crashed', 'limit'].includes(run.status) ? run : null;
    const errors = all.filter((message) => message.severity === 'error').length + (failed ? 1 : 0);
    count(
      all.length || failed ? String(all.length + (failed ? 1 : 0)) : '',
      errors ? 'error' : 'warning',
    );
    fill(
      body,
      failed && whyOf(failed),
      all.map(problem),
      !failed &&
        !all.length &&
        h('p', { class: 'muted pad' }, doc ? 'No problems.' : 'Errors and warnings appear here.'),
    );
  }
  on('checked model runs ended document:active document:closed', write);
  write();
  return panel;
}
