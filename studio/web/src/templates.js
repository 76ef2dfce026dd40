// Models to begin with: examples of the project, without the expectations that their tests read.
import bouncingBall from '../../../examples/BouncingBall.mo';
import buckConverter from '../../../examples/BuckConverter.mo';
import rectifier from '../../../examples/HalfWaveRectifier.mo';
import pendulum from '../../../examples/Pendulum.mo';
import sampledController from '../../../examples/SampledController.mo';
import vanDerPol from '../../../examples/VanDerPol.mo';
import { api } from './api.js';
import { createDocument } from './documents.js';
import { emit } from './bus.js';
import { modelText, renamed, withoutExpectations, freeName } from './template_text.js';
import { notify } from './notices.js';

/** Curves of the small pictures, in a square of 48 by 30. */
export const TEMPLATES = [
  {
    title: 'Bouncing ball',
    hint: 'impacts',
    text: bouncingBall,
    picture:
      'M2 4C7 6 11 16 12 28C15 12 20 8 24 28C27 17 31 16 33 28C35 22 38 22 39 28C41 25 43 25 44 28',
  },
  {
    title: 'Pendulum',
    hint: 'a constraint, index 3',
    text: pendulum,
    picture: 'M2 15C6 -2 10 -2 14 15C18 32 22 32 26 15C30 -2 34 -2 38 15C40 24 43 28 46 28',
  },
  {
    title: 'Van der Pol oscillator',
    hint: 'stiff',
    text: vanDerPol,
    picture: 'M2 6C8 8 12 10 14 26C20 24 24 21 26 5C32 7 36 9 38 26C41 26 44 25 46 24',
  },
  {
    title: 'Rectifier',
    hint: 'a circuit with its diagram',
    text: rectifier,
    picture:
      'M2 28C4 12 5 5 7 5C9 5 12 14 17 19C18 9 19 5 21 5C23 5 26 14 31 19' +
      'C32 9 33 5 35 5C37 5 41 13 46 18',
  },
  {
    title: 'Sampled controller',
    hint: 'discrete and continuous',
    text: sampledController,
    picture: 'M2 27H7V17H12V10H17V6H22V7H27V10H32V11H46',
  },
  {
    title: 'Buck converter',
    hint: 'ideal switch and diode',
    text: buckConverter,
    picture: 'M2 27L7 16L10 19L15 9L18 13L23 6L26 11L31 7L34 12L39 8L42 12L46 9',
  },
].map((template) => ({ ...template, text: withoutExpectations(template.text) }));

/**
 * Makes a file of a template, or of an empty model, under a name that is free, and opens it.
 * @param {string|null} [text]
 * @returns {Promise<any>}
 */
export async function newModel(text = null) {
  const source = text ?? modelText('NewModel');
  const taken = new Set((await api.files().catch(() => [])).map((file) => file.path));
  const name = /^\s*(?:partial\s+)?(?:model|block|class)\s+(\w+)/m.exec(source)?.[1] ?? 'NewModel';
  const free = freeName(name, taken);
  try {
    const doc = await createDocument(`${free}.mo`, renamed(source, name, free));
    emit('view', 'source');
    emit('files');
    return doc;
  } catch (error) {
    notify(`${free}.mo could not be made: ${error.message}`, 'error');
    return null;
  }
}
