// The parameters of a component: tabs and groups of its class, values with their units and origins.
// Changes are collected and become one change of the text. While they are collected, the server
// evaluates which fields are enabled.
import { api } from './api.js';
import { emit } from './bus.js';
import { unsavedTexts, textOf } from './documents.js';
import { fill, h } from './dom.js';
import { goTo } from './editor.js';
import { applyEverywhere, askRename, documentOf, edit, editError, preview } from './edits.js';
import { say } from './language.js';
import { numberOf } from './number_text.js';
import { notify } from './notices.js';
import { refuse } from './refusal.js';
import { askInSheet } from './sheet.js';
import { fromUnit, toUnit, unitsFor } from './display_units.js';
import { prettyUnit } from './units.js';

/** A typed text as an expression of Modelica: SI prefixes become numbers. */
function expressionOf(text, row, unit) {
  const trimmed = text.trim();
  const value = numberOf(trimmed);
  const plain = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed);
  if (unit !== row.unit && Number.isFinite(value))
    return String(Number(fromUnit(value, row.unit, unit).toPrecision(12)));
  if (!plain && /^[-+]?[\d.]+\s*[fpnuµμmkMGT]$/u.test(trimmed) && Number.isFinite(value))
    return String(Number(value.toPrecision(12)));
  return trimmed;
}

/**
 * @param {string} name of the class @param {string} component
 * @param {{readOnly?: boolean, rename?: boolean}} how `rename`: the name has the focus
 */
export async function showComponent(name, component, { readOnly = false, rename = false } = {}) {
  const doc = await documentOf(name);
  if (!doc) return;
  const ask = (text) =>
    api.component({
      path: doc.path,
      text,
      class: name,
      component,
      open: unsavedTexts().filter((other) => other.path !== doc.path),
    });
  let about;
  try {
    about = await ask(textOf(doc));
  } catch (error) {
    notify(error.message, 'error');
    return;
  }
  /** Values that were changed here; null: back to the default. @type {Map<string, string|null>} */
  const changes = new Map();
  let description = about.description ?? '';
  let tab = about.parameters[0]?.tab ?? 'General';
  const body = h('div', { class: 'parameter-sheet' });
  const operationOf = ([row, value]) => ({
    op: isPart(row) ? 'redeclare' : 'modify',
    component,
    name: row,
    ...(value === null ? {} : { value }),
  });
  const operations = () => [
    ...[...changes].map(operationOf),
    ...(description === (about.description ?? '')
      ? []
      : [{ op: 'describe', component, value: description }]),
  ];

  /** Whether a row is a replaceable part, whose value is a class. */
  function isPart(name_) {
    const kind = about.parameters.find((row) => row.name === name_)?.kind;
    return kind === 'class' || kind === 'component';
  }

  /** Evaluates the page with the changes so far. */
  async function refresh() {
    const steps = operations().slice(0, changes.size);
    const { answer } = await preview(name, ...steps.map((one) => [one]));
    if (answer.error) return;
    const next = await ask(answer.text).catch(() => null);
    if (!next) return;
    for (const row of about.parameters) {
      const fresh = next.parameters.find((one) => one.name === row.name);
      if (fresh) Object.assign(row, { enabled: fresh.enabled, now: fresh.now });
    }
    for (const line of body.querySelectorAll('[data-parameter]')) {
      const row = about.parameters.find((one) => one.name === line.dataset.parameter);
      for (const field of line.querySelectorAll('input, select'))
        field.disabled = readOnly || !row?.enabled;
    }
  }
  /** What is wrong with values that were changed here, by parameter. @type {Map<string, any>} */
  const errors = new Map();
  /** The judgement of the last change of each parameter. @type {Map<string, Promise<void>>} */
  const judged = new Map();
  function set(row, text, unit) {
    const value = text.trim() === '' ? null : expressionOf(text, row, unit);
    if (value === (changes.has(row.name) ? changes.get(row.name) : (row.value ?? null))) return;
    if (value === (row.value ?? null)) changes.delete(row.name);
    else changes.set(row.name, value);
    judged.set(row.name, judge(row.name));
    refresh();
  }
  async function judge(row) {
    const value = changes.get(row);
    const error =
      value === undefined || value === null
        ? null
        : await editError(name, operationOf([row, value])).catch(() => null);
    if (changes.get(row) !== value) return; // changed again
    if (error) errors.set(row, error);
    else errors.delete(row);
    for (const line of body.querySelectorAll('[data-parameter]'))
      if (line.dataset.parameter === row) showError(line);
  }
  function showError(line) {
    const error = errors.get(line.dataset.parameter);
    refuse(line.querySelector('input, select'), error?.message ?? null, line);
  }
  const nameField = h('input', {
    type: 'text',
    'aria-label': 'Name',
    value: component,
    autofocus: rename,
    spellcheck: false,
    disabled: readOnly || Boolean(about.inherited),
  });
  /** Edits of all files for a new name; null if the component keeps its own. */
  async function askName() {
    const wanted = nameField.value.trim();
    if (wanted === component) return null;
    const { line, column } = await ask(textOf(doc));
    return askRename(doc, name, { line: line - 1, character: column - 1 }, wanted);
  }

  /** The operations, or nothing while a value is refused; then its field has the focus. */
  async function answer() {
    const renamed = await askName();
    refuse(nameField, renamed?.error ?? null);
    if (renamed?.error) {
      nameField.focus();
      return undefined;
    }
    // a field that still has the focus has not reported its change
    /** @type {any} */ (document.activeElement)?.dispatchEvent?.(new Event('change'));
    await Promise.all(judged.values());
    const bad = about.parameters.find((row) => errors.get(row.name)?.refused);
    if (!bad) return operations();
    if (bad.tab !== tab) {
      tab = bad.tab;
      write();
    }
    for (const line of body.querySelectorAll('[data-parameter]'))
      if (line.dataset.parameter === bad.name) line.querySelector('input, select').focus();
    return undefined;
  }

  function field(row) {
    const label = `${row.name}${row.description ? `, ${row.description}` : ''}`;
    const given = changes.has(row.name) ? changes.get(row.name) : row.value;
    const common = { 'aria-label': label, disabled: readOnly || !row.enabled };
    const choices =
      row.kind === 'Boolean' && !row.array
        ? [
            { value: 'true', title: 'true' },
            { value: 'false', title: 'false' },
          ]
        : row.choices;
    if (isPart(row.name)) return partField(row, given, common);
    if (choices) {
      const known = !given || choices.some((one) => one.value === given);
      return h(
        'select',
        { ...common, onchange: (event) => set(row, event.target.value, row.unit) },
        h('option', { value: '' }, say(`default${row.default ? ` (${row.default})` : ''}`)),
        !known && h('option', { value: given, selected: true }, given),
        choices.map((one) =>
          h('option', { value: one.value, selected: one.value === given }, one.title),
        ),
      );
    }
    const units = row.kind === 'Real' ? unitsFor(row.unit) : [];
    const inUnit = (text, unit) => {
      const value = Number(text);
      return text && Number.isFinite(value) && unit !== row.unit
        ? String(Number(toUnit(value, row.unit, unit).toPrecision(12)))
        : (text ?? '');
    };
    let unit = units.includes(row.displayUnit) && (!given || Number.isFinite(Number(given)))
      ? row.displayUnit
      : row.unit;
    const input = h('input', {
      ...common,
      type: 'text',
      value: inUnit(given, unit),
      placeholder: inUnit(row.default, unit),
      spellcheck: false,
      onchange: () => set(row, input.value, unit),
    });
    const choose = (event) => {
      const old = input.value;
      const value = Number(old);
      if (old && Number.isFinite(value))
        input.value = inUnit(String(fromUnit(value, row.unit, unit)), event.target.value);
      unit = event.target.value;
      input.placeholder = inUnit(row.default, unit);
    };
    return [
      input,
      units.length > 1
        ? h(
            'select',
            { class: 'unit', 'aria-label': `Unit of ${row.name}`, onchange: choose },
            units.map((one) =>
              h('option', { value: one, selected: one === unit }, prettyUnit(one)),
            ),
          )
        : h('span', { class: 'unit muted' }, prettyUnit(row.unit)),
    ];
  }

  /** A replaceable part: its class, and those that may replace it, asked when they are needed. */
  function partField(row, given, common) {
    const options = (list) => [
      h('option', { value: '' }, given ? 'as declared' : row.type),
      given && !list.some((one) => one.value === given) && h('option', { value: given }, given),
      list.map((one) => h('option', { value: one.value, title: one.title ?? '' }, one.value)),
    ];
    const list = h('select', {
      ...common,
      onchange: (event) => set(row, event.target.value, row.unit),
    });
    const write_ = (rows) => {
      const value = list.value || given || '';
      fill(list, options(rows));
      list.value = value;
    };
    write_(row.choices ?? []);
    if (row.matching && !row.choices) list.append(h('option', { disabled: true }, '…'));
    if (row.matching && !row.choices)
      (row.asked ??= api
        .replacements({
          path: doc.path,
          text: textOf(doc),
          class: name,
          component,
          element: row.name,
          open: unsavedTexts().filter((other) => other.path !== doc.path),
        })
        .catch(() => ({ classes: [] }))).then((answer) => write_(answer.classes));
    return list;
  }

  /** Where the value in force comes from. */
  function origin(row) {
    if (row.value !== undefined)
      return h('span', { class: 'muted' }, row.final ? 'set here, final' : 'set here');
    if (!row.from || !row.place?.path) return null;
    const lead = () => {
      body.closest('dialog')?.close();
      goTo(row.place.path, row.place.line, row.place.column);
    };
    return h('button', { type: 'button', class: 'link', onclick: lead }, say(`from ${row.from}`));
  }

  function rowOf(row) {
    const line = h(
      'div',
      { class: 'parameter-row', dataset: { parameter: row.name } },
      h('span', { class: 'parameter-name', title: row.type }, row.name),
      h('span', { class: 'parameter-field' }, field(row)),
      h('span', { class: 'parameter-about' }, row.description ?? ''),
      h('span', { class: 'parameter-origin' }, origin(row)),
    );
    if (errors.has(row.name)) showError(line);
    return line;
  }
  function write() {
    const tabs = [...new Set(about.parameters.map((row) => row.tab))];
    const shown = about.parameters.filter((row) => row.tab === tab);
    const groups = [...new Set(shown.map((row) => row.group))];
    fill(
      body,
      h('p', { class: 'muted' }, `${about.class}${about.about ? `: ${about.about}` : ''}`),
      about.inherited &&
        h('p', { class: 'muted' }, say(`Inherited from ${about.inherited}; values are set here.`)),
      about.condition && h('p', { class: 'muted' }, say(`Exists if ${about.condition}.`)),
      tabs.length > 1 &&
        h(
          'div',
          { class: 'tabs', role: 'tablist', 'aria-label': 'Tabs' },
          tabs.map((one) =>
            h(
              'button',
              {
                type: 'button',
                class: 'tab',
                role: 'tab',
                'aria-selected': String(one === tab),
                onclick: () => {
                  tab = one;
                  write();
                },
              },
              one,
            ),
          ),
        ),
      groups.map((group) =>
        h(
          'fieldset',
          null,
          h('legend', null, group),
          shown.filter((row) => row.group === group).map(rowOf),
        ),
      ),
      !about.parameters.length && h('p', null, 'This component has no parameters.'),
      h('label', { class: 'parameter-description' }, say('Name '), nameField),
      h(
        'label',
        { class: 'parameter-description' },
        say('Description '),
        h('input', {
          type: 'text',
          value: description,
          disabled: readOnly || Boolean(about.inherited),
          oninput: (event) => {
            description = event.target.value;
          },
        }),
      ),
    );
  }
  write();
  const done = await askInSheet(`${component}`, [body], {
    wide: true,
    answer,
    more: h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        onclick: () => {
          body.closest('dialog')?.close();
          emit('inspect', about.class);
          emit('view', 'documentation');
        },
      },
      'Documentation',
    ),
  });
  if (!done || readOnly) return;
  if (done.length && !(await edit(name, ...done.map((one) => [one])))) return;
  const renamed = await askName(); // for the text as it is now
  if (renamed?.error) notify(renamed.error, 'error');
  else if (renamed) await applyEverywhere(renamed);
}
