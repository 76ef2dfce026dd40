// The spectrum of a variable between the cursors: harmonics as bars and as numbers, and the total
// harmonic distortion. The server integrates the curve exactly (kairos spectrum).
import { api } from './api.js';
import { shown } from './curves.js';
import { drawing, fill, h } from './dom.js';
import { say } from './language.js';
import { numberOf } from './number_text.js';

/** Bars of amplitudes as a path, w wide and t high. */
function bars(lines, w, t) {
  const most = Math.max(...lines.map((line) => line.amplitude), 1e-300);
  const step = w / lines.length;
  return lines
    .map((line, i) => `M${(i + 0.5) * step} ${t}V${t - (t - 2) * (line.amplitude / most)}`)
    .join('');
}

export function createSpectrum() {
  const choice = h('select', { 'aria-label': 'Variable of the spectrum' });
  const fundamental = h('input', {
    class: 'measure-time',
    placeholder: 'found',
    'aria-label': 'Fundamental frequency',
  });
  const result = h('div', { class: 'spectrum-result' });
  const button = h('button', { onclick: () => compute() }, 'Spectrum');
  const element = h(
    'div',
    { class: 'spectrum' },
    h(
      'div',
      { class: 'measure-bar' },
      button,
      choice,
      h('label', null, say('fundamental'), ' ', fundamental, ' Hz'),
    ),
    result,
  );
  /** @type {{run: any, times: [number, number]|null}} */
  let about = { run: null, times: null };

  async function compute() {
    const { run, times } = about;
    const frequency = fundamental.value.trim() ? numberOf(fundamental.value) : 0;
    if (!run || !choice.value) return;
    if (!(frequency >= 0)) {
      fill(result, h('p', { class: 'muted pad' }, 'The fundamental must be a positive number.'));
      return;
    }
    try {
      write(choice.value, await api.spectrum(run.id, choice.value, times, frequency));
    } catch (error) {
      fill(result, h('p', { class: 'muted pad' }, error.message));
    }
  }

  function write(name, answer) {
    const of = answer.variables[name];
    const lines = of.harmonics ?? of.lines ?? [];
    const head = [
      say(`mean ${shown(of.mean)}`),
      `RMS ${shown(of.rms)}`,
      of.thd === null || of.thd === undefined ? null : `THD ${shown(100 * of.thd)} %`,
      of.harmonics
        ? say(`fundamental ${shown(answer.fundamental)} Hz over ${shown(answer.periods)} periods`)
        : say('no period was found: a Hann window is used'),
    ];
    const picture = h('div', { class: 'spectrum-bars' });
    const width = Math.max(1.2, 300 / Math.max(lines.length, 1) / 2);
    if (lines.length)
      picture.append(
        drawing('0 0 600 80', bars(lines, 600, 78), { 'stroke-width': String(width) }),
      );
    fill(
      result,
      h(
        'p',
        { dataset: { thd: of.thd ?? '', fundamental: answer.fundamental ?? '' } },
        head.filter(Boolean).join(', '),
      ),
      picture,
      h(
        'table',
        null,
        h(
          'tr',
          null,
          ['', 'frequency [Hz]', 'amplitude', 'phase [°]'].map((t) => h('th', null, t)),
        ),
        lines.slice(0, 50).map((line, i) =>
          h(
            'tr',
            { dataset: { order: line.order ?? i, amplitude: line.amplitude } },
            h('th', null, String(line.order ?? i + 1)),
            [line.frequency, line.amplitude, line.phase].map((x) => h('td', null, shown(x))),
          ),
        ),
      ),
    );
  }

  return {
    element,
    /** What the spectrum would be of. */
    update(run, times, names) {
      about = { run, times };
      button.disabled = !run || !names.length;
      const kept = choice.value;
      if ([...choice.options].map((one) => one.value).join() === names.join()) return;
      fill(
        choice,
        names.map((name) => h('option', { value: name, selected: name === kept }, name)),
      );
    },
  };
}
