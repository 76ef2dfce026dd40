// The calls of the server, one function each. If an answer reports an error, it is thrown as
// ApiError with the text of the server.

export class ApiError extends Error {
  /** @param {string} message @param {number} status @param {any} body */
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** @param {Record<string, any>} query */
function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, v]) => v !== undefined && v !== null);
  return pairs.length
    ? `${path}?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}`
    : path;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{query?: any, body?: any, text?: boolean}} [what] `text`: the answer is no JSON
 */
async function call(method, path, { query, body, text = false } = {}) {
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError('the studio does not answer; is it still running?', 0, null);
  }
  const answer =
    text && response.ok ? await response.text() : await response.json().catch(() => null);
  if (!response.ok)
    throw new ApiError(
      answer?.error ?? `the studio answered with ${response.status}`,
      response.status,
      answer,
    );
  return answer;
}

/** @param {Response} response @returns {Promise<never>} */
async function refuseAnswer(response) {
  throw new ApiError((await response.json().catch(() => null))?.error ?? 'no answer', 0, null);
}

export const api = {
  state: () => call('GET', '/api/state'),
  saveLayout: (layout) => call('PUT', '/api/layout', { body: layout }),
  files: () => call('GET', '/api/files'),
  file: (path) => call('GET', '/api/file', { query: { path } }),
  saveFile: (path, text, base) => call('PUT', '/api/file', { body: { path, text, base } }),
  check: (request) => call('POST', '/api/check', { body: request }),
  complete: (request) => call('POST', '/api/complete', { body: request }),
  tree: (name) => call('GET', '/api/tree', { query: { class: name } }),
  search: (q) => call('GET', '/api/search', { query: { q } }),
  class: (name, open = []) => call('POST', '/api/class', { query: { name }, body: { open } }),
  edit: (request) => call('POST', '/api/edit', { body: request }),
  component: (request) => call('POST', '/api/component', { body: request }),
  replacements: (request) => call('POST', '/api/replacements', { body: request }),
  icons: (request) => call('POST', '/api/icons', { body: request }),
  rename: (request) => call('POST', '/api/rename', { body: request }),
  deleteFile: (path, base) => call('DELETE', '/api/file', { query: { path, base } }),
  hover: (request) => call('POST', '/api/hover', { body: request }),
  diagram: (name, kind, open) =>
    call('POST', '/api/diagram', { query: { class: name, kind }, body: { open }, text: true }),
  diagramWith: (name, open, values) =>
    call('POST', '/api/diagram', { query: { class: name }, body: { open, values }, text: true }),
  model: (request) => call('POST', '/api/model', { body: request }),
  run: (request) => call('POST', '/api/run', { body: request }),
  watch: (run, names) => call('POST', '/api/watch', { body: { run, names } }),
  stop: (run) => call('POST', '/api/stop', { body: { run } }),
  describeRun: (run, about) => call('PUT', '/api/run', { body: { run, about } }),
  /** A page about a model and its run, as a file. @param {any} request */
  report: async (request) => {
    const body = JSON.stringify({ ...request, kind: 'report' });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch('/api/analysis', { method: 'POST', headers, body });
    return response.ok ? response.blob() : refuseAnswer(response);
  },
  analysis: (request) => call('POST', '/api/analysis', { body: request }),
  removeRun: (run) => call('DELETE', '/api/run', { query: { id: run } }),
  data: (run, names, points, [from, to] = [], minus = undefined) =>
    call('GET', '/api/data', { query: { run, names: names.join(';'), points, from, to, minus } }),
  variables: (run) => call('GET', '/api/variables', { query: { run } }),
  eventLog: (run, from, count) => call('GET', '/api/eventlog', { query: { run, from, count } }),
  eventsFrom: (run, at, count) => call('GET', '/api/eventlog', { query: { run, at, count } }),
  lanes: (run, points, [from, to] = []) =>
    call('GET', '/api/lanes', { query: { run, points, from, to } }),
  marks: (run, points, [from, to] = []) =>
    call('GET', '/api/marks', { query: { run, points, from, to } }),
  measure: (run, names, [from, to]) =>
    call('GET', '/api/measure', { query: { run, names: names.join(';'), from, to } }),
  spectrum: (run, name, times, frequency) =>
    call('GET', '/api/spectrum', {
      query: { run, name, frequency, from: times?.[0], to: times?.[1] },
    }),
  surfaces: (run, at, all) =>
    call('GET', '/api/surfaces', { query: { run, at, all: all ? 1 : undefined } }),
  scene: (run) => call('GET', '/api/scene', { query: { run } }),
  frames: (run, { first, at, points } = /** @type {any} */ ({})) =>
    api.bytes(address('/api/frames', { run, first, at, points })),
  equations: (query) => call('GET', '/api/equations', { query }),
  /** A file with the data of a run, and its name. @param {any} query */
  exportFile: async (query) => {
    const response = await fetch(address('/api/export', query));
    if (!response.ok) await refuseAnswer(response);
    const about = response.headers.get('content-disposition') ?? '';
    return { file: await response.blob(), name: /filename="([^"]+)"/.exec(about)?.[1] };
  },
  /** The bytes of an answer. @param {string} place */
  bytes: async (place) => {
    const response = await fetch(place);
    return response.ok ? response.arrayBuffer() : refuseAnswer(response);
  },
  resourceAddress: (uri) => address('/api/resource', { uri }),
};

const KINDS = ['run', 'rows', 'progress', 'end', 'gone', 'file'];

/**
 * Listens to the server. The browser connects again by itself when the connection breaks.
 * @param {(kind: string, value: any) => void} receive
 * @param {(up: boolean) => void} connected
 */
export function listen(receive, connected) {
  const source = new EventSource('/api/events');
  for (const kind of KINDS)
    source.addEventListener(kind, (event) => receive(kind, JSON.parse(event.data)));
  source.addEventListener('open', () => connected(true));
  source.addEventListener('error', () => connected(false));
}
