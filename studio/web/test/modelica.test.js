import assert from 'node:assert/strict';
import test from 'node:test';
import { getIndentation, IndentContext, StringStream } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { indentAfter, indentation, modelica, token } from '../src/modelica.js';

/** Tokens of a text as [kind, text] without spaces. */
function tokens(text) {
  const state = { comment: false, string: false, named: '', depth: 0 };
  const found = [];
  for (const line of text.split('\n')) {
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = token(stream, state);
      assert.ok(stream.pos > stream.start, `no progress at ${line.slice(stream.start)}`);
      if (kind) found.push([kind, stream.current()]);
    }
  }
  return found;
}
const kindOf = (text, word) => tokens(text).find(([, t]) => t === word)?.[0];

test('words by their role', () => {
  const text =
    'model Ball "a ball"\n  parameter Real e = 0.7;\nequation\n  der(h) = v; // fall\nend Ball;';
  assert.equal(kindOf(text, 'model'), 'definitionKeyword');
  assert.equal(kindOf(text, 'Ball'), 'className');
  assert.equal(kindOf(text, '"a ball"'), 'string');
  assert.equal(kindOf(text, 'parameter'), 'modifier');
  assert.equal(kindOf(text, 'Real'), 'typeName');
  assert.equal(kindOf(text, '0.7'), 'number');
  assert.equal(kindOf(text, 'der'), 'known');
  assert.equal(kindOf(text, 'h'), 'variableName');
  assert.equal(kindOf(text, '// fall'), 'lineComment');
  assert.deepEqual(tokens(text).at(-2), ['className', 'Ball']);
});

test('strings and comments go on over lines', () => {
  assert.deepEqual(
    tokens('"a\nb\\" c" x').map(([kind]) => kind),
    ['string', 'string', 'variableName'],
  );
  assert.deepEqual(
    tokens('/* a\n b */ x').map(([kind]) => kind),
    ['blockComment', 'blockComment', 'variableName'],
  );
});

test('a text that is cut off anywhere gives tokens', () => {
  const text =
    'model \'a b\' "x\\"" parameter Real x[3](each start = {1e-3, .5, 2.}) = a .* b <> c; ' +
    '/* no end';
  for (let i = 0; i <= text.length; i++) tokens(text.slice(0, i));
});

test('indentation', () => {
  assert.equal(indentAfter('model A', '', 2), 2);
  assert.equal(indentAfter('  Real x;', 'equation', 2), 0);
  assert.equal(indentAfter('equation', '', 2), 2);
  assert.equal(indentAfter('  when x > 0 then', '', 2), 4);
  assert.equal(indentAfter('    y = 1;', 'end when;', 2), 2);
  assert.equal(indentAfter('  type T = Real;', '', 2), 2);
});

test('a line break gets the indentation of what it is in', () => {
  const after = (doc, pos) =>
    getIndentation(
      new IndentContext(EditorState.create({ doc, extensions: [modelica, indentation] }), {
        simulateBreak: pos,
      }),
      pos,
    );
  const text = 'model A\n  Real x;\nequation\n  when x > 0 then\nend A;';
  assert.equal(after(text, 'model A'.length), 2);
  assert.equal(after(text, text.indexOf(';') + 1), 2);
  assert.equal(after(text, text.indexOf('equation') + 8), 2);
  assert.equal(after(text, text.indexOf('then') + 4), 4);
});
