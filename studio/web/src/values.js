// The area below the source: parameters, variables, problems.
import { emit, on } from './bus.js';
import { byId, fill, h } from './dom.js';
import { createParameters } from './parameters.js';
import { createProblems } from './problems.js';
import { session } from './session.js';
import { makeTabs } from './tabs.js';
import { createVariables } from './variables.js';

/** @type {ReturnType<typeof makeTabs>} */
export let valueTabs;

export function createValues() {
  const count = (text, kind) => valueTabs?.setCount('problems', text, kind);
  const items = [
    { id: 'parameters', title: 'Parameters', panel: createParameters() },
    { id: 'variables', title: 'Variables', panel: createVariables() },
    { id: 'problems', title: 'Problems', panel: createProblems(count) },
  ];
  valueTabs = makeTabs('Parameters, variables and problems', items, () => {
    emit('values-shown');
    emit('layout');
  });
  fill(
    byId('values'),
    h('div', { class: 'toolbar' }, valueTabs.element),
    items.map((item) => item.panel),
  );
  on('model', (model) => {
    if (!model && session.diagnostics.length) valueTabs.choose('problems');
    if (model && valueTabs.present() === 'problems') valueTabs.choose('parameters');
  });
  on(
    'ended',
    (run) =>
      run.keep &&
      ['failed', 'crashed', 'limit'].includes(run.status) &&
      valueTabs.choose('problems'),
  );
  on('filter', () => valueTabs.present() === 'problems' && valueTabs.choose('variables'));
}
