// Parameters and start values in a table. A change runs the model again without compiling it; a
// slider does so while it moves. Values that follow from others are shown as the last run had them.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { fill, h, icon, verbatim } from './dom.js';
import { goTo } from './editor.js';
import { matches } from './filter.js';
import { ICONS } from './icons.js';
import { say } from './language.js';
import { latest } from './latest.js';
import { refuse } from './refusal.js';
import { followSlider, isRunning, presentRun } from './runs.js';
import { resetValues, session, settings, setValue } from './session.js';
import { prettyUnit } from './units.js';
import { plainNumber } from './number_text.js';
import { parseValue, sliderRange } from './slider_range.js';

const MOST = 200; // rows drawn at once; the filter finds the rest
const BLOCK = 20; // rows

/** @param {any} value */
const written = (value) => (typeof value === 'number' ? plainNumber(value) : String(value ?? ''));

const FITTING = 8; // letters of a value in a field of the usual width

/** The server has numbers also for Booleans and enumerations. @param {any} parameter */
function meant({ type, literals }, value) {
  if (type === 'Boolean') return value === true || value === 1 || value === 'true';
  if (type === 'Enumeration' && literals && typeof value === 'number')
    return literals[value - 1] ?? value;
  return value;
}

/** Values that the last run computed, by name. @type {Map<string, number>} */
let computed = new Map();

/** Asks for the values of a run's parameters; one question at a time. @param {() => void} done */
const follow = (done) =>
  latest(
    async (run) => {
      const names = (session.model?.parameters ?? [])
        .filter((one) => typeof one.value === 'number' || one.type === 'Boolean')
        .map((one) => one.name)
        .slice(0, MOST);
      if (!names.length) return null;
      return { run, data: await api.data(run.id, names, 0, [-1e300, -1e300]) };
    },
    (answer, run) => {
      if (!answer || run !== presentRun() || run.class !== session.model?.class) return;
      const { names, columns } = answer.data;
      computed = new Map(names.map((name, i) => [name, columns[i]?.[0]]));
      done();
    },
  );

/** What to type instead. @param {string} type */
const refusal = (type) =>
  type === 'Integer'
    ? 'Not a whole number'
    : 'Not a number; write 0.5, 1e-6, 200u, 1/2 or 2*pi*50, without the unit';

export function createParameters() {
  const body = h('div', { class: 'values' });
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter parameters',
    oninput: () => write(),
  });
  const reset = h(
    'button',
    {
      class: 'quiet',
      title: 'Reset to the values of the model',
      onclick: () => {
        resetValues();
        write();
        followSlider();
      },
    },
    'Reset all',
  );
  const panel = h(
    'div',
    { class: 'panel' },
    h('div', { class: 'filter' }, filter, reset),
    h('div', { class: 'scroll' }, body),
  );

  function write() {
    const model = session.model;
    reset.hidden = !Object.keys(settings()).length;
    if (!model) {
      return fill(
        body,
        h(
          'p',
          { class: 'muted pad' },
          session.class
            ? 'Parameters and start values appear here after the first run.'
            : 'Parameters and start values of a model appear here.',
        ),
      );
    }
    // names with $ belong to the compiler: the filter finds them
    const wanted = (row) =>
      matches(filter.value, `${row.name} ${row.description}`) &&
      (filter.value.includes('$') || !row.name.includes('$'));
    return fill(
      body,
      group('Parameters', model.parameters.filter(wanted)),
      group('Start values', model.starts.filter(wanted)),
    );
  }

  function group(title, rows) {
    if (!rows.length) return null;
    return h(
      'section',
      { class: 'value-group' },
      h('h3', null, title),
      blocks(rows.slice(0, MOST).map(valueRow)),
      rows.length > MOST &&
        h('p', { class: 'muted pad' }, say(`${rows.length - MOST} more; the filter finds them.`)),
    );
  }

  on('class', () => {
    filter.value = '';
  });
  /** @type {any} */
  let asked = null;
  on('class model', () => {
    computed = new Map();
    asked = null;
  });
  on('model class', write);
  const compute = follow(() => {
    for (const row of /** @type {any} */ (body.querySelectorAll('.value'))) row.follow();
  });
  on('ended runs', () => {
    const run = presentRun(); // a short run has ended before it is shown
    if (!run || run === asked || isRunning(run)) return;
    asked = run;
    compute(run);
  });
  on('setting', (name) => {
    reset.hidden = !Object.keys(settings()).length;
    if (name === null) write();
  });
  on('filter', (component) => {
    filter.value = component;
    write();
  });
  write();
  return panel;
}

/** Rows by the dozen: the browser leaves out blocks that are not seen. @param {any[]} rows */
function blocks(rows) {
  const list = [];
  for (let i = 0; i < rows.length; i += BLOCK)
    list.push(h('div', { class: 'value-block' }, rows.slice(i, i + BLOCK)));
  return list;
}

/** One parameter: name, field, unit, slider, description. */
function valueRow(parameter) {
  const present = () => settings()[parameter.name] ?? value();
  const declared = meant(parameter, parameter.value);
  /** The value without a setting. */
  const value = () => {
    const last = computed.get(parameter.name);
    return typeof last === 'number' && Number.isFinite(last) ? meant(parameter, last) : declared;
  };
  const fixed = Boolean(parameter.protected); // only the class itself sets it
  const range = parameter.structural || fixed ? null : sliderRange(parameter);
  const id = `value-${parameter.name}`;
  const field =
    parameter.type === 'Boolean'
      ? h('input', {
          type: 'checkbox',
          id,
          checked: meant(parameter, present()),
          disabled: fixed,
          onchange: () => take(field.checked),
        })
      : parameter.type === 'Enumeration' && parameter.literals
      ? h(
          'select',
          { class: 'value-field', id, disabled: fixed, onchange: () => take(field.value) },
          parameter.literals.map((one) =>
            h('option', { value: one, selected: one === present() }, verbatim(one)),
          ),
        )
      : h('input', {
          class: 'value-field',
          id,
          value: written(present()),
          disabled: fixed,
          spellcheck: false,
          autocomplete: 'off',
          inputMode: parameter.type === 'String' ? 'text' : 'decimal',
          onchange: () => take(parseValue(field.value, parameter.type)),
          onkeydown: (event) => {
            if (event.key === 'Escape') show();
          },
        });
  const slider =
    range &&
    h('input', {
      type: 'range',
      ...range,
      value: present(),
      'aria-label': `${parameter.name}, slider`,
      oninput: () => slide(Number(slider.value)),
      onchange: () => emit('slider', false),
      onpointerup: () => emit('slider', false),
      onblur: () => emit('slider', false),
    });
  const back = h(
    'button',
    {
      class: 'quiet value-back',
      title: say(`Value of the model: ${written(declared)}`),
      'aria-label': `Value of the model for ${parameter.name}`,
      onclick: () => {
        setValue(parameter.name);
        show();
        followSlider();
      },
    },
    icon(ICONS.undo),
  );
  const row = h(
    'div',
    { class: 'value', dataset: { name: parameter.name } },
    nameOf(parameter, id),
    h(
      'span',
      { class: 'value-edit' },
      field,
      h('span', { class: 'unit' }, prettyUnit(parameter.unit)),
      back,
    ),
    h('span', { class: 'value-slide' }, slider),
    h(
      'span',
      { class: 'description', title: parameter.description ?? '' },
      parameter.description ?? '',
      parameter.structural && h('em', { class: 'muted' }, ' compiles anew'),
    ),
  );

  function show() {
    if (field.type === 'checkbox') field.checked = meant(parameter, present());
    else field.value = written(present());
    if (slider) slider.value = String(present());
    fit();
    mark();
  }
  /** Long values get a wider field; the title has all digits. */
  function fit() {
    if (field.type === 'checkbox') return;
    row.classList.toggle('long', String(field.value).length > FITTING);
    field.title = [fixed ? say('Protected: only the class itself sets it') : '', String(present())]
      .filter(Boolean)
      .join('\n');
  }
  function mark() {
    const set = settings()[parameter.name] !== undefined;
    row.classList.toggle('set', set);
    back.style.visibility = set ? '' : 'hidden';
    refuse(field, null);
  }
  function take(value) {
    if (value === undefined) return refuse(field, refusal(parameter.type), row);
    setValue(parameter.name, value === declared ? undefined : value);
    show();
    return followSlider();
  }
  function slide(value) {
    emit('slider', true);
    setValue(parameter.name, value);
    field.value = plainNumber(value);
    mark();
    followSlider();
  }
  fit();
  mark();
  row.follow = () => {
    const held = document.activeElement === field || document.activeElement === slider;
    if (!held && settings()[parameter.name] === undefined) show();
  };
  return row;
}

/** The name leads to the declaration if that is known. */
function nameOf(parameter, id) {
  const text = parameter.name.replace(/\.start$/, '');
  if (!parameter.path || !parameter.line)
    return h('label', { class: 'value-name', for: id, title: text }, text);
  return h(
    'label',
    {
      class: 'value-name',
      for: id,
      title: say(`${text}: double click goes to its declaration`),
      ondblclick: () => goTo(parameter.path, parameter.line),
    },
    text,
  );
}
