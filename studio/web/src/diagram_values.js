// Values beside the components of the diagram, at the time of the cursor: discrete variables of a
// component, so that one sees which diode conducts and which mode is active, or the variables whose
// names are typed in, such as “v i” or “p.v”.
import { api } from './api.js';
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown, valueAt } from './curves.js';
import { fill, h, inFrame } from './dom.js';
import { latest } from './latest.js';
import { presentRun } from './runs.js';
import { session } from './session.js';
import { prettyUnit } from './units.js';

const MOST = 400; // variables
const DISCRETE = 2; // discrete variables of a component

/**
 * The variables that label a component. @param {any[]} variables of the model
 * @param {string} component @param {string} asked names within it; empty: discrete ones
 */
export function labelsOf(variables, component, asked) {
  const start = `${component}.`;
  const within = variables.filter((one) => one.name.startsWith(start) && !one.constant);
  const parts = asked.trim().split(/[\s,]+/);
  if (asked.trim()) return within.filter((one) => parts.includes(one.name.slice(start.length)));
  return within
    .filter((one) => one.kind === 'discrete' && !/[.(]/.test(one.name.slice(start.length)))
    .filter((one) => one.type !== 'Real')
    .slice(0, DISCRETE);
}

/** @param {any} variable @param {number|null} value */
export function valueText(variable, value) {
  if (value === null) return '–';
  if (variable.type === 'Boolean') return value ? 'true' : 'false';
  const unit = prettyUnit(variable.unit);
  return `${shown(value)}${unit ? ` ${unit}` : ''}`;
}

/** @param {HTMLElement} panel of the diagram */
export function startDiagramValues(panel) {
  const place = /** @type {HTMLElement} */ (panel.querySelector('.diagram-place'));
  const box = h('input', { type: 'checkbox', onchange: () => update() });
  const field = h('input', {
    class: 'diagram-asked',
    placeholder: 'discrete, or: v i',
    'aria-label': 'Variables of components',
    onchange: () => update(),
  });
  const layer = h('div', { class: 'diagram-values', 'aria-live': 'off' });
  panel.append(
    h(
      'div',
      { class: 'diagram-values-bar' },
      h('label', null, box, ' Values at the cursor'),
      field,
    ),
    layer,
  );
  /** @type {{component: string, variables: any[]}[]} */
  let wanted = [];

  /** The components of the picture, if it is that of the run. */
  function components() {
    const inspected = panel.querySelector('.diagram-title')?.textContent;
    if (inspected || presentRun()?.class !== session.class) return [];
    return /** @type {SVGElement[]} */ ([...place.querySelectorAll('svg [data-component]')]);
  }

  function choose() {
    const variables = session.model?.variables ?? [];
    wanted = components()
      .map((part) => String(part.dataset.component))
      .map((component) => ({ component, variables: labelsOf(variables, component, field.value) }))
      .filter((one) => one.variables.length);
  }

  const fetchValues = latest(
    async () => {
      const [run, time] = [presentRun(), cursorTime()];
      const names = wanted.flatMap((one) => one.variables.map((v) => v.name)).slice(0, MOST);
      if (!run || !names.length) return null;
      const at = time ?? Number(run.columns[0]?.at(-1) ?? 0);
      return { at, data: await api.data(run.id, names, 0, [at, at]) };
    },
    (answer) => write(answer),
    () => fill(layer),
  );

  function write(answer) {
    if (!answer || !box.checked) return fill(layer);
    const { at, data } = answer;
    const value = (name) => {
      const column = data.columns[data.names.indexOf(name)];
      return column ? valueAt(data.columns[0], column, at) : null;
    };
    fill(
      layer,
      wanted.map(({ component, variables }) =>
        h(
          'div',
          { class: 'diagram-value', dataset: { component } },
          variables.map((variable) => {
            const number = value(variable.name);
            const name = variable.name.slice(component.length + 1);
            return h(
              'span',
              { dataset: { state: variable.type === 'Boolean' ? String(Boolean(number)) : '' } },
              `${name} ${valueText(variable, number)}`,
            );
          }),
        ),
      ),
    );
    return arrange();
  }

  /** Puts the labels below their components. */
  function arrange() {
    if (!layer.childElementCount) return; // measuring would lay the page out in every frame
    const outer = panel.getBoundingClientRect();
    const view = place.getBoundingClientRect();
    for (const label of layer.children) {
      const name = CSS.escape(label.dataset.component);
      const part = place.querySelector(`svg [data-component="${name}"]`);
      const at = part?.getBoundingClientRect();
      const seen = at && at.bottom < view.bottom && at.left > view.left - 40;
      label.hidden = !seen;
      if (!seen) continue;
      const middle = at.left + at.width / 2 - outer.left;
      label.style.transform = `translate(${middle}px, ${at.bottom - outer.top}px) translateX(-50%)`;
    }
  }

  function update() {
    field.hidden = !box.checked;
    if (!box.checked || panel.hidden) return fill(layer);
    choose();
    return fetchValues();
  }

  const soon = inFrame(update);
  const move = inFrame(arrange);
  field.hidden = true;
  new MutationObserver(soon).observe(place, { childList: true });
  new MutationObserver(move).observe(place, { subtree: true, attributeFilter: ['viewBox'] });
  on('cursor runs ended view-shown model', soon);
}
