// The area below the plots: events, modes, runs, measurements, analyses.
import { createAnalyses } from './analyses.js';
import { emit } from './bus.js';
import { byId, fill, h } from './dom.js';
import { createEvents } from './events.js';
import { createMeasure } from './measure.js';
import { createRunList } from './run_list.js';
import { makeTabs } from './tabs.js';
import { createTimeline } from './timeline.js';

/** @type {ReturnType<typeof makeTabs>} */
export let logTabs;

export function createLog() {
  const count = (id) => (text) => logTabs?.setCount(id, text);
  const items = [
    { id: 'events', title: 'Events', panel: createEvents(count('events')) },
    { id: 'modes', title: 'Modes', panel: createTimeline() },
    { id: 'runs', title: 'Runs', panel: createRunList(count('runs')) },
    { id: 'measure', title: 'Measure', panel: createMeasure() },
    { id: 'analyse', title: 'Analyse', panel: createAnalyses() },
  ];
  logTabs = makeTabs('Events, modes, runs, measurements and analyses', items, (id) => {
    emit('log-shown', id);
    emit('layout');
  });
  fill(
    byId('log'),
    h('div', { class: 'toolbar' }, logTabs.element),
    items.map((item) => item.panel),
  );
}
