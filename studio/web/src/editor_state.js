// The parts of every editor's state. The listeners are set once by editor.js; they are the same for
// all files.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  foldService,
  indentOnInput,
  indentUnit,
} from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  crosshairCursor,
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { colours, indentation, modelica } from './modelica.js';

/**
 * @type {{update: (update: any) => void, complete: (context: any) => any, hover: (view: any, pos:
 * number) => any}}
 */
export const hooks = { update: () => {}, complete: () => null, hover: () => null };

/**
 * Marks the line of an event or an equation; null removes the mark.
 * @type {import('@codemirror/state').StateEffectType<number|null>}
 */
export const markLine = StateEffect.define();

const marked = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let result = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(markLine))
        result =
          effect.value === null
            ? Decoration.none
            : Decoration.set([Decoration.line({ class: 'cm-marked' }).range(effect.value)]);
    }
    return transaction.docChanged ? Decoration.none : result;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Folds an annotation that spans several lines. */
const foldAnnotation = foldService.of((state, start, end) => {
  const line = state.doc.sliceString(start, end);
  const at = line.search(/\bannotation\s*\(/);
  if (at < 0) return null;
  let depth = 0;
  const rest = state.doc.sliceString(start, Math.min(state.doc.length, start + 200000));
  for (let i = at; i < rest.length; i++) {
    if (rest[i] === '(') depth++;
    else if (rest[i] === ')' && --depth === 0)
      return start + i > end ? { from: start + rest.indexOf('(', at) + 1, to: start + i } : null;
  }
  return null;
});

/** @param {string} text @param {boolean} readOnly */
export function createState(text, readOnly) {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      foldGutter(),
      foldAnnotation,
      drawSelection(),
      EditorState.allowMultipleSelections.of(true),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      closeBrackets(),
      rectangularSelection(),
      crosshairCursor(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      lintGutter(),
      marked,
      autocompletion({
        override: [(context) => hooks.complete(context)],
        icons: false,
        maxRenderedOptions: 60,
      }),
      hoverTooltip((view, pos) => hooks.hover(view, pos), { hoverTime: 450 }),
      modelica,
      indentation,
      colours,
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorState.readOnly.of(readOnly),
      EditorView.contentAttributes.of({ 'aria-label': 'Source', spellcheck: 'false' }),
      EditorView.updateListener.of((update) => hooks.update(update)),
    ],
  });
}
