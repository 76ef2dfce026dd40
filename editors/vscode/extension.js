// The extension of VS Code: starts `kairos lsp`, and shows what its commands return.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;
const panels = new Map(); // by title

// ---- the server ----

function settings() {
  const all = vscode.workspace.getConfiguration('kairos');
  const args = ['lsp'];
  for (const folder of all.get('libraries') ?? []) args.push('--library', folder);
  if (all.get('allowExternal')) args.push('--allow-external');
  return { command: all.get('path') || 'kairos', args };
}

function makeClient() {
  return new LanguageClient(
    'kairos',
    'Kairos',
    { run: settings(), debug: settings() },
    {
      documentSelector: [{ language: 'modelica' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.mo') },
      markdown: { supportHtml: true }, // pictures of icons
      middleware: { executeCommand: execute },
    },
  );
}

// ---- panels ----

function escape(text) {
  return text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);
}

// A page without scripts. Pictures of the server are drawn on white.
function page(body) {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!DOCTYPE html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>.picture { background: white; } .picture svg { width: 100%; height: auto; }
table { border-collapse: collapse; } td { padding: 0 1em 0 0; }</style></head>
<body>${body}</body></html>`;
}

function show(title, body) {
  let panel = panels.get(title);
  if (!panel) {
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    panel = vscode.window.createWebviewPanel('kairos', title, beside, { enableScripts: false });
    panel.onDidDispose(() => panels.delete(title));
    panels.set(title, panel);
  }
  panel.webview.html = page(body);
  return panel;
}

function values(result) {
  const rows = Object.entries(result.final ?? {}).map(
    ([name, value]) => `<tr><td>${escape(name)}</td><td>${value}</td></tr>`,
  );
  return `<h3>Values at the end</h3><table>${rows.join('')}</table>`;
}

function messages(result) {
  return result.messages ? `<pre>${escape(result.messages)}</pre>` : '';
}

// ---- commands of the server ----

const views = {
  'kairos.simulate': (r) => show(`Result of ${r.class}`, messages(r) + values(r)),
  'kairos.plot': (r) =>
    show(`Plot of ${r.class}`, `<div class="picture">${r.svg}</div>` + messages(r)),
  'kairos.diagram': (r, arg) =>
    show(`Diagram of ${arg.class}`, `<div class="picture">${r.svg}</div>`),
  'kairos.equations': (r, arg) => show(`Equations of ${arg.class}`, `<pre>${escape(r.text)}</pre>`),
  'kairos.explain': (r, arg) => show(`Explanation of ${arg}`, `<pre>${escape(r.text)}</pre>`),
  'kairos.studio': (r) => vscode.env.openExternal(vscode.Uri.parse(r.url)),
  'kairos.addLibrary': (r) => vscode.window.showInformationMessage(r.text),
};

// A library is given by its folder or archive; the quick fix knows only its name.
async function chooseLibrary(name) {
  const chosen = await vscode.window.showOpenDialog({
    title: `The library ${name}: its folder or its .zip file`,
    canSelectFiles: true,
    canSelectFolders: true,
  });
  return chosen?.[0]?.fsPath;
}

async function execute(command, args, next) {
  if (command === 'kairos.addLibrary') {
    const path = await chooseLibrary(args[0]);
    if (!path) return undefined;
    args = [path];
  }
  try {
    const result = await next(command, args);
    if (result && views[command]) views[command](result, args[0]);
    return result;
  } catch (error) {
    vscode.window.showErrorMessage(`Kairos: ${error.message}`);
    return undefined;
  }
}

// ---- commands of the palette ----

// The model that contains the cursor, or the last one before it.
async function modelAtCursor() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== 'modelica') return undefined;
  const uri = editor.document.uri.toString();
  const lenses = await client.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  const line = editor.selection.active.line;
  const before = (lenses ?? []).filter((l) => l.range.start.line <= line);
  return (before.pop() ?? lenses?.[0])?.command.arguments[0];
}

function onModel(command) {
  return async () => {
    const model = await modelAtCursor();
    if (!model) {
      vscode.window.showInformationMessage('Kairos: there is no model in this file');
      return undefined;
    }
    return vscode.commands.executeCommand(command, model);
  };
}

async function foldAnnotations() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const uri = editor.document.uri.toString();
  const folds = await client.sendRequest('textDocument/foldingRange', { textDocument: { uri } });
  const selectionLines = (folds ?? []).filter((f) => f.kind === 'region').map((f) => f.startLine);
  if (!selectionLines.length) return;
  await vscode.commands.executeCommand('editor.fold', { selectionLines });
}

async function activate(context) {
  client = makeClient();
  const register = (name, run) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  register('kairos.runModel', onModel('kairos.simulate'));
  register('kairos.plotModel', onModel('kairos.plot'));
  register('kairos.showDiagram', onModel('kairos.diagram'));
  register('kairos.foldAnnotations', foldAnnotations);
  register('kairos.restart', () => client.restart());
  await client.start();
  return { client };
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
