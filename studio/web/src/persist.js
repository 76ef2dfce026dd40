// The data that survive a reload: open files with their unsaved texts, the view, panes, values,
// sizes. The server keeps it, so that another browser finds it too.
import { api } from './api.js';
import { on } from './bus.js';
import { viewTabs } from './centre.js';
import {
  activate,
  activeDocument,
  documents,
  findDocument,
  isDirty,
  openDocument,
  restoreDraft,
  textOf,
} from './documents.js';
import { afterPause } from './dom.js';
import { cursorOf, restoreCursor } from './editor.js';
import { layoutState, restoreLayout } from './layout.js';
import { logTabs } from './log.js';
import { favouritesState, restoreFavourites } from './favourites.js';
import { allPages, restorePages } from './panes.js';
import { presentRun, restoreRuns, runs } from './runs.js';
import { chooseClass, session } from './session.js';
import { valueTabs } from './values.js';

const MOST_DRAFTS = 100000; // characters of unsaved text that the layout may carry

function gather(tree) {
  let room = MOST_DRAFTS;
  const files = documents.map((doc) => {
    const text = isDirty(doc) ? textOf(doc) : null;
    const kept = text !== null && text.length < room;
    if (kept) room -= text.length;
    return {
      path: doc.path,
      cursor: cursorOf(doc),
      base: doc.base,
      draft: kept ? text : undefined,
    };
  });
  return {
    version: 1,
    files,
    active: activeDocument()?.path ?? null,
    layout: layoutState(),
    views: { centre: viewTabs.present(), values: valueTabs.present(), log: logTabs.present() },
    plots: allPages(),
    favourites: favouritesState(),
    class: session.class,
    classPath: session.path,
    chosen: session.chosen,
    settings: session.settings,
    experiments: session.experiments,
    tree: tree.expanded().slice(0, 200),
    runs: {
      visible: runs.filter((run) => run.visible).map((run) => run.id),
      present: presentRun()?.id,
    },
  };
}

async function restoreFiles(kept, more) {
  for (const file of kept?.files ?? []) {
    if (findDocument(file.path)) continue;
    const doc =
      file.draft !== undefined
        ? await restoreDraft({ path: file.path, text: file.draft, base: file.base })
        : await openDocument(file.path, { activate: false });
    if (doc && Number.isFinite(file.cursor)) restoreCursor(doc, file.cursor);
  }
  for (const path of more) await openDocument(path, { activate: false });
  const wanted = more[0] ?? kept?.active;
  const doc = (wanted && findDocument(wanted)) ?? documents[0] ?? null;
  if (doc) activate(doc);
}

/**
 * @param {any} state answer of /api/state
 * @param {{setExpanded: (names: string[]) => void, expanded: () => string[]}} tree
 */
export async function restoreAll(state, tree) {
  const kept = state.layout?.version === 1 ? state.layout : null;
  restoreLayout(kept?.layout);
  tree.setExpanded(kept?.tree ?? []);
  Object.assign(session, { settings: kept?.settings ?? {}, experiments: kept?.experiments ?? {} });
  const known = new Set(documents.map((doc) => doc.path));
  await restoreFiles(
    kept,
    (state.open ?? []).filter(
      (path) => !known.has(path) && !kept?.files?.some((file) => file.path === path),
    ),
  );
  if (kept?.class && (kept.chosen || kept.classPath === activeDocument()?.path))
    chooseClass(kept.class, kept.classPath, kept.chosen);
  viewTabs.choose(kept?.views?.centre ?? 'source');
  valueTabs.choose(kept?.views?.values ?? 'parameters');
  logTabs.choose(kept?.views?.log ?? 'events');
  restoreFavourites(kept?.favourites);
  restorePages(kept?.plots, kept?.class ?? null);
  restoreRuns(state.runs ?? [], kept?.runs ?? {});
  startKeeping(tree);
}

function startKeeping(tree) {
  const keep = () => api.saveLayout(gather(tree)).catch(() => {});
  const soon = afterPause(400, keep);
  on('layout document:changed document:saved panes runs', soon);
  window.addEventListener('pagehide', () => {
    fetch('/api/layout', {
      method: 'PUT',
      keepalive: true,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(gather(tree)),
    }).catch(() => {});
  });
}
