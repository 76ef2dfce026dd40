// The studio's page. Order: first the parts that need nothing from the server, then its state, then
// the files and views that were open.
import '../styles/studio.css';
import 'uplot/dist/uPlot.min.css';
import { api, listen } from './api.js';
import { createBar } from './bar.js';
import { emit } from './bus.js';
import { createCentre } from './centre.js';
import { startChecking } from './checker.js';
import { startDiagramAnimation } from './diagram_animation.js';
import { startDiagramValues } from './diagram_values.js';
import { changedOnDisk } from './documents.js';
import { byId, fill, h } from './dom.js';
import { createExplorer } from './explorer.js';
import { startLayout, toggleExplorer } from './layout.js';
import { createLog } from './log.js';
import { setWorkspace } from './edits.js';
import { restoreAll } from './persist.js';
import { createPlots } from './plots.js';
import { catchUp, receive, startRuns } from './runs.js';
import { startSession } from './session.js';
import { startShortcuts } from './shortcuts.js';
import { startTheme } from './theme.js';
import { createValues } from './values.js';

function hear(kind, value) {
  if (kind !== 'file') return receive(kind, value);
  changedOnDisk(value);
  return emit('files');
}

let broken = false;

async function connected(up) {
  const mark = document.getElementById('connection');
  if (mark) mark.hidden = up;
  if (up && broken) catchUp((await api.state().catch(() => ({ runs: [] }))).runs);
  broken = !up;
}

async function start() {
  startTheme();
  startLayout();
  history.replaceState(null, '', location.pathname); // the token is in the cookie now
  const asked = api.state();
  startSession();
  startRuns();
  createCentre();
  const diagram = /** @type {HTMLElement} */ (document.querySelector('.view-diagram'));
  startDiagramValues(diagram);
  startDiagramAnimation(diagram);
  createValues();
  createPlots();
  createLog();
  startChecking();
  startShortcuts();
  const tree = createExplorer();
  try {
    const state = await asked;
    setWorkspace(state.workspace);
    createBar(state, toggleExplorer);
    listen(hear, connected);
    await restoreAll(state, tree);
    document.body.dataset.ready = 'true';
    performance.mark('ready');
  } catch (error) {
    fill(
      byId('bar'),
      h('span', { class: 'brand' }, 'Kairos'),
      h('span', { class: 'connection' }, error.message),
    );
    throw error;
  }
}

start();
