// Sweeps: one run for each value of a parameter, drawn as a family of curves; one number of each
// run over the parameter, or its distribution.
import { api } from './api.js';
import { shown } from './curves.js';
import { fill, h } from './dom.js';
import { isFormula } from './formula.js';
import { say } from './language.js';
import { numberOf } from './number_text.js';
import { chooseDefaultPanes, plottedNames } from './panes.js';
import { runs, setVisible, showRun, stopRun, sweepRun } from './runs.js';
import { session, settings } from './session.js';
import { histogram, smallChart } from './small_chart.js';
import { familyColour, SPACINGS, sweepValues } from './sweep_values.js';

const FIGURES = { last: 'at the end', mean: 'mean', rms: 'RMS', min: 'minimum', max: 'maximum' };
let sweeps = 0;

/**
 * @param {() => any[]} settable parameters @param {HTMLElement} results
 * @param {(text: string) => void} tell
 */
export function createSweep(settable, results, tell) {
  const input = (label, value) => h('input', { 'aria-label': label, class: 'short', value });
  const name = h('select', { 'aria-label': 'Swept parameter', onchange: () => suggest() });
  const from = input('From', '');
  const to = input('To', '');
  const count = input('Number of runs', '7');
  const [fromText, toText] = [h('span'), h('span')];
  const spacing = h(
    'select',
    { 'aria-label': 'Spacing', onchange: () => label() },
    Object.entries(SPACINGS).map(([value, title]) => h('option', { value }, say(title))),
  );
  const stop = h('button', { hidden: true, onclick: () => (stopped = true) && stopRun() }, 'Stop');
  const bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Sweep' });
  let stopped = false;
  label();

  function label() {
    const normal = spacing.value === 'normal';
    fromText.textContent = `${say(normal ? 'mean' : 'from')} `;
    toText.textContent = `${say(normal ? 'deviation' : 'to')} `;
  }

  function suggest() {
    const row = settable().find((one) => one.name === name.value);
    const value = Number(settings()[name.value] ?? row?.value);
    if (!Number.isFinite(value)) return;
    from.value = String(Number((value === 0 ? -1 : value * 0.5).toPrecision(6)));
    to.value = String(Number((value === 0 ? 1 : value * 1.5).toPrecision(6)));
  }

  function form() {
    const rows = settable();
    const before = name.value;
    fill(
      name,
      rows.map((row) => h('option', { value: row.name, selected: row.name === before }, row.name)),
    );
    if (name.value !== before || !from.value) suggest();
    if (!rows.length)
      return h('span', { class: 'muted' }, 'The parameters appear when the model is compiled.');
    return [
      name,
      h('label', null, fromText, from),
      h('label', null, toText, to),
      h('label', null, count, ` ${say('runs')}, `),
      spacing,
      stop,
      bar,
    ];
  }

  async function run() {
    const parameter = name.value;
    if (!parameter) return tell('Choose a parameter.');
    const values = sweepValues(
      spacing.value,
      numberOf(from.value),
      numberOf(to.value),
      Number(count.value),
    );
    if (!plottedNames().length) chooseDefaultPanes(session.model);
    stopped = false;
    const sweep = Date.now() + ++sweeps;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const old of runs.filter((one) => one.visible)) setVisible(old, false);
    stop.hidden = bar.hidden = false;
    fill(results);
    /** @type {{value: number, run: any}[]} */
    const done = [];
    let failed = 0;
    try {
      for (const value of values) {
        if (stopped) break;
        tell(`Run ${done.length + failed + 1} of ${values.length}: ${parameter} = ${shown(value)}`);
        const colour = familyColour(high > low ? (value - low) / (high - low) : 0.5);
        const one = await sweepRun(
          { [parameter]: value },
          { sweep, colour, name: `${parameter} = ${shown(value)}` },
        );
        if (one.status === 'done') done.push({ value, run: one });
        else failed++;
        bar.value = (done.length + failed) / values.length;
      }
    } finally {
      stop.hidden = bar.hidden = true;
    }
    if (done.length) showRun(done[done.length - 1].run, false);
    tell(
      [
        say(`${done.length} runs`),
        failed ? say(`${failed} failed; see Runs`) : '',
        stopped ? say('stopped') : '',
      ]
        .filter(Boolean)
        .join(', '),
    );
    return show(parameter, done);
  }

  /** One figure of a variable of all runs. */
  function show(parameter, done) {
    const names = plottedNames().filter((one) => !isFormula(one) && one !== 'time');
    if (!done.length || !names.length) return;
    const variable = h(
      'select',
      { 'aria-label': 'Variable', onchange: () => draw() },
      names.map((one) => h('option', { value: one }, one)),
    );
    const figure = h(
      'select',
      { 'aria-label': 'Figure', onchange: () => draw() },
      Object.entries(FIGURES).map(([value, title]) => h('option', { value }, say(title))),
    );
    const chart = h('div', { class: 'sweep-chart' });
    const random = spacing.value === 'uniform' || spacing.value === 'normal';
    async function draw() {
      const asked = [variable.value, figure.value].join();
      const values = await Promise.all(done.map(({ run: one }) => figureOf(one, variable.value)));
      if (asked !== [variable.value, figure.value].join()) return;
      const ys = values.map((one) => one?.[figure.value] ?? null);
      fill(chart, random ? distribution(ys) : overParameter(ys));
    }
    const title = () => `${variable.value}, ${say(FIGURES[figure.value])}`;
    function overParameter(ys) {
      const order = done.map((_one, i) => i).sort((a, b) => done[a].value - done[b].value);
      return [
        smallChart({
          x: parameter,
          y: title(),
          label: `${title()} ${say('over')} ${parameter}`,
          series: [
            {
              xs: order.map((i) => done[i].value),
              ys: order.map((i) => ys[i]),
              colour: 'var(--accent)',
              points: true,
            },
          ],
        }),
        h(
          'table',
          { class: 'analysis-table' },
          order.map((i) =>
            h(
              'tr',
              null,
              h('th', null, shown(done[i].value)),
              h('td', { dataset: { value: ys[i] ?? '' } }, shown(ys[i])),
            ),
          ),
        ),
      ];
    }
    function distribution(ys) {
      const known = ys.filter((y) => y !== null);
      const mean = known.reduce((sum, y) => sum + y, 0) / known.length;
      const square = known.reduce((sum, y) => sum + (y - mean) ** 2, 0);
      const deviation = known.length > 1 ? Math.sqrt(square / (known.length - 1)) : 0;
      return [
        smallChart({
          x: title(),
          y: say('runs'),
          bars: true,
          label: say(`Distribution of ${title()}`),
          series: [{ ...histogram(known), colour: 'var(--accent)' }],
        }),
        h(
          'p',
          { class: 'sweep-figures', dataset: { mean, deviation } },
          say(`mean ${shown(mean)}, deviation ${shown(deviation)}`),
        ),
      ];
    }
    fill(results, h('div', { class: 'analysis-bar' }, variable, figure), chart);
    draw();
  }

  return { title: 'Sweep', form, run };
}

async function figureOf(run, name) {
  const times = run.columns[0] ?? [];
  const span = /** @type {[number, number]} */ ([times[0], times[times.length - 1]]);
  const answer = await api.measure(run.id, [name], span).catch(() => null);
  return answer?.variables?.[0] ?? null;
}
