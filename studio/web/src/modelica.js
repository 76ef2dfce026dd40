// Modelica for CodeMirror: a tokenizer by lines and the indentation that follows from it. It
// colours unfinished text, so it accepts anything. The compiler reports errors.
import {
  HighlightStyle,
  indentService,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { tags as t } from '@lezer/highlight';

const words = (text) => new Set(text.split(' '));
const CLASSES = words('model block class connector function package record type operator');
const MODIFIERS = words(
  'parameter constant discrete input output flow stream partial final inner outer protected ' +
    'public encapsulated replaceable redeclare constrainedby pure impure expandable external ' +
    'extends import each enumeration within',
);
const CONTROL = words(
  'if then else elseif elsewhen end for in loop when while return break and or not equation ' +
    'algorithm initial connect annotation',
);
const TYPES = words('Real Integer Boolean String Clock StateSelect AssertionLevel ExternalObject');
const OPERATORS = words(
  'der pre edge change reinit sample initial terminal noEvent smooth assert terminate ' +
    'homotopy delay cardinality inStream actualStream spatialDistribution time abs sign sqrt ' +
    'div mod rem ceil floor integer sin cos tan asin acos atan atan2 sinh cosh tanh exp log ' +
    'log10 ndims size scalar vector matrix identity diagonal zeros ones fill linspace min max ' +
    'sum product transpose cross skew cat hold previous subSample superSample shiftSample ' +
    'backSample noClock interval firstTick ticksInState timeInState transition initialState ' +
    'activeState getInstanceName',
);
const CONSTANTS = words('true false');

/** @typedef {{comment: boolean, string: boolean, named: ''|'def'|'end', depth: number}} State */

/** The rest of a string or comment that an earlier line opened. */
function continued(stream, state) {
  if (state.comment) {
    state.comment = !stream.match(/^.*?\*\//) && (stream.skipToEnd(), true);
    return 'blockComment';
  }
  state.string = !stream.match(/^(?:[^"\\]|\\.)*"/) && (stream.skipToEnd(), true);
  return 'string';
}

/** @param {string} word @param {State} state */
function wordToken(word, state) {
  const named = state.named;
  state.named = '';
  if (CLASSES.has(word)) {
    state.named = word === 'operator' ? '' : 'def';
    return 'definitionKeyword';
  }
  if (word === 'end') state.named = 'end';
  if (CONTROL.has(word) && !(word === 'initial' && named)) return 'controlKeyword';
  if (MODIFIERS.has(word)) return 'modifier';
  if (named) return 'className';
  if (TYPES.has(word)) return 'typeName';
  if (CONSTANTS.has(word)) return 'bool';
  if (OPERATORS.has(word)) return 'known';
  return 'variableName';
}

/** One token; the names are those of TOKENS. */
export function token(stream, /** @type {State} */ state) {
  if (state.comment || state.string) return continued(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match('//')) {
    stream.skipToEnd();
    return 'lineComment';
  }
  if (stream.match('/*')) {
    state.comment = true;
    return continued(stream, state);
  }
  if (stream.eat('"')) {
    state.string = true;
    return continued(stream, state);
  }
  if (stream.match(/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|^\.\d+(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^'(?:[^'\\]|\\.)*'/)) return 'variableName';
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word) return wordToken(word[0], state);
  if (stream.match(/^(?::=|==|<>|<=|>=|\.[*/^+-]|[=<>+\-*/^])/)) return 'operator';
  const c = stream.next();
  if ('([{'.includes(c)) state.depth++;
  else if (')]}'.includes(c)) state.depth = Math.max(0, state.depth - 1);
  return 'punctuation';
}

const TOKENS = {
  lineComment: t.lineComment,
  blockComment: t.blockComment,
  string: t.string,
  number: t.number,
  bool: t.bool,
  operator: t.operator,
  punctuation: t.punctuation,
  definitionKeyword: t.definitionKeyword,
  controlKeyword: t.controlKeyword,
  modifier: t.modifier,
  className: t.className,
  typeName: t.typeName,
  known: t.standard(t.function(t.variableName)),
  variableName: t.variableName,
};

const PREFIXES =
  '(?:(?:partial|encapsulated|final|replaceable|redeclare|expandable|pure|impure|operator)\\s+)*';
const OPENS_CLASS = new RegExp(
  `^\\s*${PREFIXES}(?:model|block|class|connector|function|package|record)\\b(?!.*;\\s*$)`,
);
const OPENS_BLOCK = /\b(?:then|loop)\s*(?:\/\/.*)?$|^\s*(?:elseif|elsewhen|else)\b/;
const SECTION = /^\s*(?:equation|algorithm|initial\s+(?:equation|algorithm)|protected|public)\b/;
const CLOSES = /^\s*(?:end\b|else\b|elseif\b|elsewhen\b)/;

/**
 * Spaces in front of a line, from the line before it that is not empty.
 * @param {string} before
 * @param {string} text
 * @param {number} unit
 */
export function indentAfter(before, text, unit) {
  const base = before.search(/\S/) < 0 ? 0 : before.search(/\S/);
  let indent = base;
  if (OPENS_CLASS.test(before) || OPENS_BLOCK.test(before) || SECTION.test(before)) indent += unit;
  if (CLOSES.test(text) || SECTION.test(text)) indent -= unit;
  return Math.max(0, indent);
}

export const modelica = StreamLanguage.define({
  name: 'modelica',
  startState: () => ({ comment: false, string: false, named: '', depth: 0 }),
  copyState: (state) => ({ ...state }),
  token,
  tokenTable: TOKENS,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*(?:end\b|else|elseif|elsewhen|equation|algorithm|protected|public)$/,
  },
});

/**
 * The line before a place that is not empty; a line break that is about to be made counts.
 * @param {import('@codemirror/language').IndentContext} context
 * @param {number} pos
 */
function lineBefore(context, pos) {
  const broken = context.lineAt(pos, -1);
  if (context.lineAt(pos, 1).from !== broken.from && broken.text.trim()) return broken.text;
  let { number } = context.state.doc.lineAt(pos);
  while (number > 1) {
    const { text } = context.state.doc.line(--number);
    if (text.trim()) return text;
  }
  return '';
}

export const indentation = indentService.of((context, pos) =>
  indentAfter(lineBefore(context, pos), context.textAfterPos(pos), context.unit),
);

/** Colours by the page's own variables, so that light and dark need no second style. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [t.lineComment, t.blockComment], color: 'var(--code-comment)', fontStyle: 'italic' },
    { tag: t.string, color: 'var(--code-string)' },
    { tag: [t.number, t.bool], color: 'var(--code-number)' },
    {
      tag: [t.definitionKeyword, t.controlKeyword],
      color: 'var(--code-keyword)',
      fontWeight: '600',
    },
    { tag: t.modifier, color: 'var(--code-keyword)' },
    { tag: t.className, color: 'var(--code-class)', fontWeight: '600' },
    { tag: t.typeName, color: 'var(--code-class)' },
    { tag: t.standard(t.function(t.variableName)), color: 'var(--code-builtin)' },
    { tag: [t.operator, t.punctuation], color: 'var(--code-operator)' },
  ]),
);
