// The diagram at the time of the cursor: dynamic parts of icons (DynamicSelect) are drawn anew by
// the compiler, active states are coloured, and flows move along lines if the user wants it.
import DOMPurify from 'dompurify';
import { api } from './api.js';
import { stackArrays } from './array_stacks.js';
import { on } from './bus.js';
import { cursorTime } from './cursor.js';
import { shown, valueAt } from './curves.js';
import { unsavedTexts } from './documents.js';
import { h, inFrame } from './dom.js';
import { say } from './language.js';
import { latest } from './latest.js';
import { readable } from './readable_colours.js';
import { presentRun } from './runs.js';
import { session } from './session.js';
import { isDark } from './theme.js';
import { prettyUnit } from './units.js';
import { wireFlows } from './wire_flows.js';

const MOST = 400; // variables
const KEPT = ['tabindex', 'role', 'aria-label', 'class'];

/** A value as a literal of Modelica. @param {any} variable @param {number} value */
export function literalOf(variable, value) {
  if (variable.type === 'Boolean') return value ? 'true' : 'false';
  if (variable.type === 'Integer') return String(Math.round(value));
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Makes a part of the picture like another one; equal parts stay as they are. */
function become(old, next) {
  if (old.tagName !== next.tagName || old.children.length !== next.children.length) {
    old.replaceWith(next);
    return;
  }
  for (const { name } of [...old.attributes])
    if (!KEPT.includes(name) && !next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...next.attributes])
    if (!KEPT.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (!old.children.length && old.textContent !== next.textContent)
    old.textContent = next.textContent;
  const pairs = [...old.children].map((child, i) => [child, next.children[i]]);
  for (const [child, other] of pairs) become(child, other);
}

/** @param {HTMLElement} panel of the diagram */
export function startDiagramAnimation(panel) {
  const place = /** @type {HTMLElement} */ (panel.querySelector('.diagram-place'));
  const flows = h('input', { type: 'checkbox', onchange: () => update() });
  panel
    .querySelector('.diagram-values-bar')
    ?.append(h('label', { title: 'Moves dashes along the lines' }, flows, say(' Flows')));

  const svg = () => place.querySelector('svg');
  const parts = (kind) =>
    /** @type {SVGElement[]} */ ([...place.querySelectorAll(`svg [data-${kind}]`)]);

  /** What the picture depends on: variables of the run by their use. */
  function needs() {
    const run = presentRun();
    const title = panel.querySelector('.diagram-title')?.textContent;
    if (panel.hidden || title || !svg() || !run || run.class !== session.class) return null;
    const known = new Map((session.model?.variables ?? []).map((one) => [one.name, one]));
    const of = (names) => names.map((name) => known.get(name)).filter(Boolean);
    const lines = parts('connection').map((one) => String(one.dataset.connection).split(' '));
    return {
      run,
      dynamic: of((svg()?.dataset.variables ?? '').split(';')),
      active: of(parts('component').map((one) => `${one.dataset.component}.$active`)),
      flow: flows.checked ? flowVariables([...new Set(lines.flat())], known) : new Map(),
    };
  }

  /** The flow variable of each connector that has just one. */
  function flowVariables(connectors, known) {
    const found = new Map();
    for (const variable of known.values()) {
      if (!variable.flow) continue;
      const connector = variable.name.slice(0, variable.name.lastIndexOf('.'));
      found.set(connector, found.has(connector) ? null : variable);
    }
    return new Map(
      connectors.map((one) => [one, found.get(one)]).filter(([, variable]) => variable),
    );
  }

  const redraw = latest(
    async () => {
      const wanted = needs();
      if (!wanted) return null;
      const all = [...wanted.dynamic, ...wanted.active, ...wanted.flow.values()].slice(0, MOST);
      if (!all.length) return { wanted, value: () => null, picture: null };
      const at = cursorTime() ?? Number(wanted.run.columns[0]?.at(-1) ?? 0);
      const names = [...new Set(all.map((one) => one.name))];
      const data = await api.data(wanted.run.id, names, 0, [at, at]);
      const value = (name) => {
        const column = data.columns[data.names.indexOf(name)];
        return column ? valueAt(data.columns[0], column, at) : null;
      };
      return { wanted, value, picture: await pictureWith(wanted.dynamic, value) };
    },
    (answer, _wish, stale) => !stale && answer && show(answer),
  );

  /** The picture with the values of its variables; null: it has none. */
  async function pictureWith(variables, value) {
    const values = {};
    for (const one of variables) {
      const x = value(one.name);
      if (x !== null) values[one.name] = literalOf(one, x);
    }
    if (!Object.keys(values).length) return null;
    const text = await api.diagramWith(session.class, unsavedTexts(), values).catch(() => null);
    return text
      ? DOMPurify.sanitize(text, {
          USE_PROFILES: { svg: true, svgFilters: true },
          ADD_ATTR: ['viewBox'],
          RETURN_DOM_FRAGMENT: true,
        }).querySelector('svg')
      : null;
  }

  function show({ wanted, value, picture }) {
    if (picture && svg()) {
      readable(picture, isDark());
      stackArrays(picture);
      const fresh = new Map(
        [...picture.querySelectorAll('[data-component]')].map((one) => [
          one.dataset.component,
          one,
        ]),
      );
      const gradients = picture.querySelector('defs');
      if (gradients) svg()?.querySelector('defs')?.replaceWith(gradients);
      for (const old of parts('component')) {
        const next = fresh.get(old.dataset.component);
        if (next && old.parentNode === /** @type {any} */ (svg())) become(old, next);
      }
    }
    for (const part of parts('component')) {
      const name = `${part.dataset.component}.$active`;
      const known = wanted.active.some((one) => one.name === name);
      part.classList.toggle('state-active', known && value(name) === 1);
    }
    showFlows(wanted.flow, value);
  }

  function showFlows(variables, value) {
    place.querySelectorAll('.wire-flow').forEach((one) => one.remove());
    if (!variables.size) return;
    const groups = parts('connection');
    const lines = groups.map((one) => String(one.dataset.connection).split(' '));
    const amounts = wireFlows(/** @type {any} */ (lines), (end) =>
      variables.has(end) ? value(variables.get(end).name) : null,
    );
    const most = Math.max(0, ...amounts.map((x) => Math.abs(x ?? 0)));
    groups.forEach((group, i) => {
      const line = group.querySelector('path:not(.target)');
      const amount = amounts[i];
      if (!line || amount === null || !(most > 0)) return;
      const share = Math.abs(amount) / most;
      if (share < 1e-6) return;
      const moving = /** @type {SVGElement} */ (line.cloneNode());
      moving.setAttribute('class', `wire-flow ${amount < 0 ? 'backward' : ''}`);
      moving.style.strokeWidth = String(0.6 + 1.4 * Math.sqrt(share));
      moving.style.animationDuration = `${(0.35 / Math.max(0.05, Math.sqrt(share))).toFixed(2)}s`;
      moving.dataset.flow = String(amount);
      const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
      const variable = lines[i].map((end) => variables.get(end)).find(Boolean);
      title.textContent = `${shown(Math.abs(amount))} ${prettyUnit(variable?.unit)}`;
      moving.append(title);
      line.after(moving);
    });
  }

  const update = () => redraw(undefined);
  const soon = inFrame(update);
  new MutationObserver(soon).observe(place, { childList: true });
  on('cursor runs ended view-shown model', soon);
}
