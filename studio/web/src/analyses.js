// The panel “Analyse”: sweeps, steady states, linear models, sensitivities, fits. The server
// computes each with the function of the library that the command line uses.
import { api } from './api.js';
import { on } from './bus.js';
import { shown } from './curves.js';
import { fill, h, verbatim } from './dom.js';
import { isFormula } from './formula.js';
import { say } from './language.js';
import { measurement, readMeasurement, setMeasurement } from './measurement.js';
import { numberOf } from './number_text.js';
import { plottedNames } from './panes.js';
import { startRun } from './runs.js';
import { compile, experiment, session, settings, setValue } from './session.js';
import { createSweep } from './sweep.js';
import { prettyUnit } from './units.js';

const VALUES_MOST = 200; // rows of a table

/** Parameters and start values that can vary without a new compilation. */
const settable = () =>
  [...(session.model?.parameters ?? []), ...(session.model?.starts ?? [])].filter(
    (row) => row.type === 'Real' && !row.structural,
  );

const unitOf = (name) =>
  prettyUnit(
    [...(session.model?.variables ?? []), ...settable()].find((one) => one.name === name)?.unit,
  );

/** @param {string[]} titles @param {any[][]} rows */
function table(titles, rows) {
  return h(
    'table',
    { class: 'analysis-table' },
    h('thead', null, h('tr', null, titles.map((title) => h('th', null, title)))),
    h(
      'tbody',
      null,
      rows
        .slice(0, VALUES_MOST)
        .map(([name, ...cells]) =>
          h(
            'tr',
            { dataset: { name } },
            h('th', null, verbatim(name)),
            cells.map((cell) =>
              typeof cell === 'number' || cell === null
                ? h('td', { dataset: { value: cell ?? '' } }, shown(cell))
                : h('td', null, cell),
            ),
          ),
        ),
    ),
    rows.length > VALUES_MOST && h('caption', null, say(`${rows.length - VALUES_MOST} more…`)),
  );
}

/** A picture of the server; as an image it can run no script. */
function picture(svg, title) {
  if (!svg) return null;
  const src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  return h('img', { class: 'analysis-picture', src, alt: say(title), title });
}

const complex = (re, im) =>
  im ? `${shown(re)} ${im < 0 ? '−' : '+'} ${shown(Math.abs(im))}i` : shown(re);

/** A list of names with ticks. @param {() => any[]} rows @param {(row: any) => boolean} ticked */
function namePicker(label, rows, ticked) {
  const box = h('div', { class: 'name-picker', role: 'group', 'aria-label': label });
  /** @type {Set<string>|null} null: nothing was chosen yet */
  let chosen = null;
  const names = () => rows().filter((row) => (chosen ? chosen.has(row.name) : ticked(row)));
  function write() {
    fill(
      box,
      rows()
        .slice(0, VALUES_MOST)
        .map((row) =>
          h(
            'label',
            { title: row.description ?? '' },
            h('input', {
              type: 'checkbox',
              checked: names().includes(row),
              onchange: (event) => {
                chosen = new Set(names().map((one) => one.name));
                if (event.target.checked) chosen.add(row.name);
                else chosen.delete(row.name);
              },
            }),
            row.name,
          ),
        ),
      !rows().length && h('span', { class: 'muted' }, say('none')),
    );
  }
  on('class', () => {
    chosen = null;
  });
  return { element: box, names: () => names().map((row) => row.name), write };
}

const field = (label, more = {}) => h('input', { 'aria-label': label, class: 'short', ...more });

/** A positive number or nothing; throws. */
function optional(input, what) {
  if (!input.value.trim()) return undefined;
  const value = numberOf(input.value);
  if (!(Number.isFinite(value) && value > 0))
    throw new Error(`${say(what)} must be a positive number`);
  return value;
}

function steadyKind() {
  const period = field('Period', { placeholder: 'found' });
  return {
    title: 'Steady state',
    form: () => [h('label', null, say('Period'), ' ', period, ' s')],
    read: () => ({ period: optional(period, 'the period') }),
    show: ({ result }) => [
      h(
        'p',
        { class: 'analysis-head' },
        result.converged === false ? 'It did not converge. The last values: ' : '',
        result.kind === 'periodic'
          ? say(`Periodic, T = ${shown(result.period)} s`)
          : 'An equilibrium',
        result.stable === true ? ', stable' : result.stable === false ? ', unstable' : '',
      ),
      result.multipliers?.length > 0 &&
        h(
          'p',
          { class: 'muted' },
          say('Multipliers: '),
          result.multipliers.map(({ re, im }) => complex(re, im)).join(', '),
        ),
      Object.keys(result.figures ?? {}).length > 0
        ? table(
            ['', 'mean', 'RMS', 'min', 'max', ''],
            Object.entries(result.figures).map(([name, one]) => [
              name,
              one.mean,
              one.rms,
              one.min,
              one.max,
              unitOf(name),
            ]),
          )
        : table(
            ['', 'value', ''],
            Object.entries(result.values ?? {}).map(([name, value]) => [name, value, unitOf(name)]),
          ),
    ],
  };
}

function linearKind() {
  const at = field('Point', { placeholder: 'start', value: '' });
  return {
    title: 'Linear model, Bode',
    form: () => [
      h('label', { title: 'a time, end, steady, or nothing for the start' }, say('At'), ' ', at),
      h('span', { class: 'muted' }, 'a time, end or steady'),
    ],
    read: () => {
      const text = at.value.trim();
      if (text && text !== 'end' && text !== 'steady' && !Number.isFinite(numberOf(text)))
        throw new Error('the point must be a time, “end” or “steady”');
      return { at: Number.isFinite(numberOf(text)) ? String(numberOf(text)) : text || undefined };
    },
    show: ({ result, bode, poles }) => [
      h(
        'p',
        { class: 'analysis-head' },
        say(
          `${result.states.length} states, ${result.inputs.length} inputs, ` +
            `${result.outputs.length} outputs at t = ${shown(result.time)} s`,
        ),
        result.period ? say(`, sampled with ${shown(result.period)} s`) : '',
      ),
      result.poles.length > 0 &&
        table(
          ['Pole', 'real', 'imaginary', 'frequency [Hz]', 'damping'],
          result.poles.map((one, i) => [
            String(i + 1),
            one.re,
            one.im,
            one.frequency ?? null,
            one.damping ?? null,
          ]),
        ),
      h(
        'div',
        { class: 'analysis-pictures' },
        picture(bode, 'Bode'),
        result.poles.length > 0 && picture(poles, 'Poles'),
      ),
      !bode &&
        h(
          'p',
          { class: 'muted' },
          'A Bode plot needs a Real input without an equation and a Real output at the top level.',
        ),
    ],
  };
}

function sensitivityKind() {
  const to = namePicker('Parameters', settable, (row) => row.name in settings());
  return {
    title: 'Sensitivities',
    form: () => [
      h('span', null, 'of the plotted variables with respect to'),
      to.element,
      to.write(),
    ],
    read: () => {
      const of = plottedNames().filter((name) => !isFormula(name) && name !== 'time');
      if (!of.length) throw new Error('plot a variable first');
      if (!to.names().length) throw new Error('choose a parameter');
      return { of, to: to.names() };
    },
    show: ({ result }) => {
      const parameters = [...new Set(Object.values(result.d).flatMap((one) => Object.keys(one)))];
      return [
        result.flaw && h('p', { class: 'analysis-remark' }, String(result.flaw)),
        table(
          ['', 'value', ...parameters.map((name) => `∂/∂${name}`)],
          Object.entries(result.scalars).map(([name, one]) => [
            name,
            one.value,
            ...parameters.map((parameter) => one[parameter] ?? null),
          ]),
        ),
      ];
    },
  };
}

function fitKind(again) {
  const parameters = namePicker('Parameters', settable, (row) => row.name in settings());
  const file = h('input', {
    type: 'file',
    accept: '.csv,.txt,text/csv',
    'aria-label': 'Measured values',
    onchange: async () => {
      const [chosen] = file.files;
      if (!chosen) return;
      const text = await chosen.text();
      file.value = ''; // so that the same file can be loaded again
      try {
        setMeasurement(readMeasurement(chosen.name, text, session.model?.variables ?? []));
        again();
      } catch (error) {
        setMeasurement(null);
        again(error.message);
      }
    },
  });
  const about = () => {
    const loaded = measurement();
    if (!loaded)
      return h('span', { class: 'muted' }, 'CSV: time, then columns named after variables');
    const names = [...loaded.columns.keys()].join(', ');
    return [
      h(
        'span',
        { class: 'measured' },
        say(`${loaded.file}: ${loaded.times.length} rows of ${names || '–'}`),
      ),
      loaded.remarks.map((text) => h('span', { class: 'analysis-remark' }, say(text))),
      h(
        'button',
        {
          class: 'link',
          onclick: () => {
            setMeasurement(null);
            again();
          },
        },
        'forget',
      ),
    ];
  };
  return {
    title: 'Fit to a measurement',
    form: () => [
      h('label', null, 'Measured values ', file),
      about(),
      parameters.element,
      parameters.write(),
    ],
    read: () => {
      const loaded = measurement();
      if (!loaded) throw new Error('load measured values first');
      if (!parameters.names().length) throw new Error('choose a parameter to fit');
      return { data: loaded.text, parameters: parameters.names() };
    },
    show: ({ result }) => [
      h(
        'p',
        { class: 'analysis-head' },
        say(`${result.status}; residual ${shown(result.residual)} after ${result.runs} runs`),
      ),
      table(
        ['Parameter', 'value', 'σ', 'low', 'high', ''],
        Object.entries(result.parameters).map(([name, one]) => [
          name,
          one.value,
          one.sigma,
          one.low,
          one.high,
          unitOf(name),
        ]),
      ),
      result.not_identifiable?.length > 0 &&
        h(
          'p',
          { class: 'analysis-remark' },
          say(`The data do not determine ${result.not_identifiable.flat().join(', ')}.`),
        ),
      h(
        'button',
        {
          onclick: () => {
            for (const [name, one] of Object.entries(result.parameters)) setValue(name, one.value);
            startRun();
          },
        },
        'Use these values and run',
      ),
    ],
  };
}

export function createAnalyses() {
  const form = h('div', { class: 'analysis-form' });
  const said = h('p', { class: 'analysis-said', role: 'status' });
  const results = h('div', { class: 'analysis-results' });
  const kinds = {
    sweep: createSweep(settable, results, (text) => tell(text)),
    steady: steadyKind(),
    linearize: linearKind(),
    sensitivities: sensitivityKind(),
    fit: fitKind((/** @type {string} */ wrong = '') => {
      write();
      tell(wrong);
    }),
  };
  const choice = h(
    'select',
    { 'aria-label': 'Analysis', onchange: () => write(true) },
    Object.entries(kinds).map(([value, { title }]) => h('option', { value }, say(title))),
  );
  const button = h('button', { class: 'compute', onclick: () => compute() }, 'Compute');
  const panel = h(
    'div',
    { class: 'panel scroll analyses' },
    h('div', { class: 'analysis-bar' }, choice, form, button),
    said,
    results,
  );
  let number = 0;

  function tell(text) {
    said.textContent = say(text);
  }

  function write(anew = false) {
    fill(form, kinds[choice.value].form());
    if (!anew) return;
    fill(results);
    tell('');
  }

  async function compute() {
    const kind = choice.value;
    const mine = ++number;
    try {
      const model = await compile();
      if (!model) return tell('The model has errors; see Problems.');
      if (kinds[kind].run) return await kinds[kind].run();
      const asked = kinds[kind].read();
      fill(results);
      tell('It is computed …');
      const { start, stop, tolerance, solver } = experiment();
      const common = { model: model.model, settings: settings(), start, stop, tolerance, solver };
      const answer = await api.analysis({ ...common, kind, ...asked });
      if (mine !== number) return undefined;
      const messages = (answer.diagnostics ?? []).map((one) => one.message);
      tell(messages.join(' ') || (answer.ok ? '' : 'There is no result.'));
      if (answer.result) fill(results, kinds[kind].show(answer));
      return undefined;
    } catch (error) {
      return mine === number ? tell(error.message) : undefined;
    }
  }

  on('model', () => write());
  on('class', () => {
    number++;
    fill(results);
    tell('');
  });
  write();
  return panel;
}
