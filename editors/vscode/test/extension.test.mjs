// The extension's own code in Node, against the server. The module `vscode` is replaced by a small
// one, and the client of VS Code by one on top of vscode-languageserver-protocol.
// KAIROS names the program.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const protocol = require('vscode-languageserver-protocol/node');
const folder = mkdtempSync(join(tmpdir(), 'kairos-vscode-'));
const text = `model Ball "falls"
  parameter Real g=9.81;
  Real h(start=1, fixed=true);
  Real v(start=0, fixed=true);
equation
  der(h) = v;
  der(v) = -g;
  annotation (Icon(graphics={Line(points={{0,0},
    {1,1}})}));
end Ball;
`;
const file = join(folder, 'Ball.mo');
const uri = pathToFileURL(file).toString();

// ---- stand-ins ----

const commands = new Map();
const panels = [];
const shown = [];
const executed = [];

class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { server, options });
  }

  async start() {
    const { command, args } = this.server.run;
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.connection = protocol.createProtocolConnection(
      new protocol.StreamMessageReader(this.process.stdout),
      new protocol.StreamMessageWriter(this.process.stdin),
    );
    this.problems = [];
    this.connection.onNotification(protocol.PublishDiagnosticsNotification.type, (p) => {
      this.problems.push(p);
    });
    this.connection.onRequest(protocol.RegistrationRequest.type, () => undefined);
    this.connection.onRequest(protocol.WorkDoneProgressCreateRequest.type, () => undefined);
    this.connection.listen();
    const workspaceFolders = [{ uri: pathToFileURL(folder).toString(), name: 'w' }];
    const result = await this.connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      workspaceFolders,
      capabilities: {
        general: {
          markdown: {
            parser: 'marked',
            allowedTags: this.options.markdown.supportHtml ? ['img'] : [],
          },
        },
      },
    });
    this.capabilities = result.capabilities;
    await this.connection.sendNotification(protocol.InitializedNotification.type, {});
    for (const name of result.capabilities.executeCommandProvider.commands)
      commands.set(name, (...args) =>
        this.options.middleware.executeCommand(name, args, (command, all) =>
          this.sendRequest('workspace/executeCommand', { command, arguments: all }),
        ),
      );
  }

  sendRequest(method, params) {
    return this.connection.sendRequest(method, params);
  }

  async stop() {
    await this.connection.sendRequest(protocol.ShutdownRequest.type);
    await this.connection.sendNotification(protocol.ExitNotification.type);
  }
}

const editor = {
  document: { languageId: 'modelica', uri: { toString: () => uri } },
  selection: { active: { line: 5 } },
};

const vscode = {
  ViewColumn: { Beside: -2 },
  Uri: { parse: (s) => s },
  env: { openExternal: (u) => shown.push(u) },
  workspace: {
    getConfiguration: () => ({ get: (key) => ({ path: process.env.KAIROS, libraries: [] })[key] }),
    createFileSystemWatcher: () => ({}),
  },
  window: {
    activeTextEditor: editor,
    showErrorMessage: (m) => shown.push(m),
    showInformationMessage: (m) => shown.push(m),
    showOpenDialog: async () => undefined,
    createWebviewPanel: (type, title) => {
      const panel = { title, webview: { html: '' }, onDidDispose() {} };
      panels.push(panel);
      return panel;
    },
  },
  commands: {
    registerCommand: (name, run) => {
      commands.set(name, run);
      return { dispose() {} };
    },
    executeCommand: (name, ...args) => {
      executed.push([name, ...args]);
      return commands.get(name)?.(...args);
    },
  },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name === 'vscode') return vscode;
  if (name === 'vscode-languageclient/node') return { LanguageClient };
  return load.call(this, name, ...rest);
};
const extension = require('../extension.js');

let client;
const position = (mark, offset = 0) => {
  const lines = text.slice(0, text.indexOf(mark) + offset).split('\n');
  return { line: lines.length - 1, character: lines.at(-1).length };
};

async function problemsOf(version) {
  for (;;) {
    const found = client.problems.find((p) => p.uri === uri && p.version === version);
    if (found) return found.diagnostics;
    await new Promise((done) => setTimeout(done, 10));
  }
}

before(async () => {
  writeFileSync(file, text);
  ({ client } = await extension.activate({ subscriptions: [] }));
  await client.connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: protocol.TextDocumentItem.create(uri, 'modelica', 1, text),
  });
});

after(async () => {
  await extension.deactivate();
  rmSync(folder, { recursive: true });
});

test('the model has no problems', async () => {
  assert.deepStrictEqual(await problemsOf(1), []);
});

test('a mistake is reported and mended by its quick fix', async () => {
  const at = position('-g;', 1);
  const end = { line: at.line, character: at.character + 1 };
  await client.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: at, end }, text: 'gg' }],
  });
  const [problem] = await problemsOf(2);
  assert.strictEqual(problem.code, 'I001');
  const actions = await client.connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri },
    range: problem.range,
    context: { diagnostics: [problem] },
  });
  const [edit] = actions[0].edit.changes[uri];
  assert.strictEqual(edit.newText, 'g');
  await client.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 3 },
    contentChanges: [{ range: edit.range, text: edit.newText }],
  });
  assert.deepStrictEqual(await problemsOf(3), []);
});

test('a hover has the picture of the icon', async () => {
  const hover = await client.connection.sendRequest(protocol.HoverRequest.type, {
    textDocument: { uri },
    position: position('Ball "falls"', 1),
  });
  assert.match(hover.contents.value, /<img [^>]*src="data:image\/svg\+xml;base64,/);
});

test('names are completed and renamed', async () => {
  const items = await client.connection.sendRequest(protocol.CompletionRequest.type, {
    textDocument: { uri },
    position: position('-g;', 2),
  });
  assert.ok(items.items.some((i) => i.label === 'g'));
  const edit = await client.connection.sendRequest(protocol.RenameRequest.type, {
    textDocument: { uri },
    position: position('-g;', 1),
    newName: 'gravity',
  });
  assert.strictEqual(edit.documentChanges[0].edits.length, 2);
});

test('plots, results and diagrams open in panels', async () => {
  await commands.get('kairos.plotModel')();
  await commands.get('kairos.runModel')();
  await commands.get('kairos.showDiagram')();
  const titles = panels.map((p) => p.title);
  assert.deepStrictEqual(titles, ['Plot of Ball', 'Result of Ball', 'Diagram of Ball']);
  assert.ok(panels[0].webview.html.includes('<svg'));
  assert.ok(panels[1].webview.html.includes('<td>h</td>'));
  assert.ok(panels[2].webview.html.includes('<svg'));
  assert.deepStrictEqual(shown, []);
});

test('annotations are folded on request', async () => {
  await commands.get('kairos.foldAnnotations')();
  assert.deepStrictEqual(executed.at(-1), ['editor.fold', { selectionLines: [7] }]);
});

test('codes are explained, and errors of commands are shown', async () => {
  await vscode.commands.executeCommand('kairos.explain', 'I001');
  assert.ok(panels.at(-1).webview.html.includes('unknown name'));
  await vscode.commands.executeCommand('kairos.plot', { uri, class: 'Missing' });
  assert.ok(shown.at(-1).includes('Missing'));
});

test('the grammar knows all keywords', () => {
  const grammar = JSON.parse(
    readFileSync(new URL('../syntaxes/modelica.tmLanguage.json', import.meta.url), 'utf8'),
  );
  const words = grammar.repository.words.patterns.map((p) => new RegExp(`^(?:${p.match})`));
  for (const word of ['equation', 'parameter', 'stream', 'Real', 'true', 'and', 'time', 'model'])
    assert.ok(words.some((w) => w.test(word)), word);
  assert.ok(words.every((w) => !w.test('equations')));
});
