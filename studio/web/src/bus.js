// Messages between the parts of the page. A part emits a message when its data change; other parts
// listen. The names of all messages:
//   document:opened|closed|active|changed|saved|conflict   (documents.js; the document)
//   checked      (checker.js; the answer to /api/check and its document)
//   class        (session.js; the class that Run takes)
//   model        (session.js; the compiled model, or null)
//   setting      (session.js; a parameter's name, or null for all)
//   runs         (runs.js; the list or a member's status changed)
//   rows         (runs.js; a run got new rows)
//   ended        (runs.js; a run ended)
//   cursor       (cursor.js; the shared time cursor moved)
//   values-shown (values.js; a view of the area below the source is shown)
//   measurement  (measurement.js; measured values were loaded or forgotten)
//   favourites   (favourites.js; a variable was marked)
//   log-shown    (log.js; a view of the area below the plots is shown)
//   panes        (panes.js; what is plotted changed)
//   window       (panes.js; the span of time shown changed)
//   reveal       (an area that a narrow screen should show now)
//   view         (a view of the middle is asked for), view-shown (it is shown)
//   inspect      (a class that documentation and diagram should show)
//   starting     (runs.js; whether a run is being prepared), progress (a run went on), events (its
// event log came)
//   slider       (parameters.js; whether a slider moves)
//   files        (files of the workspace came or went)
//   filter       (values.js is asked to show one component's values)
//   chosen       (drawing_tools.js; what is chosen in the diagram)
//   commands     (shortcuts.js; the list of the palette; the view that is shown adds its own)
//   add-component (a class that the diagram should get a component of)
//   theme        (theme.js)
//   layout       (anything worth keeping over a reload changed)

/** @type {Map<string, Set<(value: any) => void>>} */
const listeners = new Map();

/** @param {string} names separated by spaces @param {(value: any) => void} listener */
export function on(names, listener) {
  for (const name of names.split(' ')) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name)?.add(listener);
  }
}

/**
 * Calls all listeners; the error of one is reported and does not stop the others.
 * @param {string} name
 * @param {any} [value]
 */
export function emit(name, value) {
  for (const listener of listeners.get(name) ?? []) {
    try {
      listener(value);
    } catch (error) {
      reportError(error);
    }
  }
}
