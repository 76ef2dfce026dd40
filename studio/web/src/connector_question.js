// Questions about connectors: which element of an array or a bus is meant, which connectors.
import { h, verbatim } from './dom.js';
import { refuse } from './refusal.js';
import { askInSheet } from './sheet.js';

const NAME = /^[A-Za-z_]\w*(\[[\w, :+*-]+\])?$/;

/**
 * The name of the connector that is meant; null if the user leaves.
 * @param {any} connector an element of the drawing
 * @param {string[]} ends of the connections of the class
 * @returns {Promise<string|null>}
 */
export async function askForElement(connector, ends) {
  const name = connector.dataset.connector;
  const { signals } = connector.dataset;
  if (signals !== undefined) return askForSignal(name, signalsOf(name, signals, ends));
  if (connector.dataset.dimensions) return askForSubscript(name, connector.dataset.dimensions);
  return name;
}

function askForSubscript(name, dimensions) {
  const field = h('input', {
    type: 'text',
    'aria-label': 'Element',
    placeholder: 'all',
    autofocus: true,
  });
  return askInSheet(
    `Which element of ${name}${dimensions}?`,
    [
      h('p', { class: 'muted' }, 'A number such as 1, or nothing for the whole array.'),
      field,
    ],
    {
      answer: () => {
        const text = field.value.trim();
        if (text && !/^[\w, :+*-]+$/.test(text))
          return refuse(field, 'An index is a number such as 1, or a range such as 1:3.');
        return text ? `${name}[${text}]` : name;
      },
    },
  );
}

/** The signals that a bus declares, and those that connections of the class made. */
function signalsOf(name, declared, ends) {
  const made = ends
    .filter((end) => end.startsWith(`${name}.`))
    .map((end) => end.slice(name.length + 1))
    .filter((signal) => NAME.test(signal));
  return [...new Set([...declared.split(' ').filter(Boolean), ...made])].sort();
}

/** @param {string} name @param {string[]} signals that it has */
function askForSignal(name, signals) {
  const field = h('input', {
    type: 'text',
    'aria-label': 'Signal',
    autofocus: true,
    autocomplete: 'off',
  });
  const choose = (signal) => {
    field.value = signal;
    field.focus();
  };
  return askInSheet(
    `Which signal of ${name}?`,
    [
      h('p', { class: 'muted' }, 'A name makes a signal on the bus. Nothing means the whole bus.'),
      field,
      signals.length > 0 &&
        h(
          'p',
          { class: 'signals', role: 'group', 'aria-label': 'Signals of the bus' },
          signals.map((one) =>
            h('button', { type: 'button', onclick: () => choose(one) }, verbatim(one)),
          ),
        ),
    ],
    {
      answer: () => {
        const text = field.value.trim();
        if (text && !NAME.test(text))
          return refuse(field, 'A signal has a name such as speed, or speed[1].');
        return text ? `${name}.${text}` : name;
      },
    },
  );
}

/**
 * A connector of each list; null if the user leaves.
 * @param {any[]} one @param {any[]} two
 * @returns {Promise<[any, any]|null>}
 */
export function chooseConnectors(one, two) {
  const list = (title, all) =>
    h(
      'select',
      { 'aria-label': title },
      all.map((part, i) => h('option', { value: String(i) }, part.dataset.connector)),
    );
  const fields = [list('From', one), list('To', two)];
  return askInSheet('Connect', [h('div', { class: 'pair' }, fields[0], ' – ', fields[1])], {
    button: 'Connect',
    answer: () => [one[Number(fields[0].value)], two[Number(fields[1].value)]],
  });
}
