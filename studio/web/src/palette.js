// Colours of curves: those of Okabe and Ito, which people with any common colour vision can
// distinguish. Dark ones are lightened on a dark ground, light ones darkened on a light one. Dashes
// ensure that colour is never the only difference.
const LIGHT = ['#0072b2', '#d55e00', '#007a5a', '#b2558b', '#a87000', '#2b8cc4', '#4d4d4d'];
const DARK = ['#56b4e9', '#ff9248', '#2cc79c', '#e3a0c8', '#f0c048', '#8fd0ff', '#c8c8c8'];
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2]];

/**
 * @param {number} index of the variable among all that are plotted
 * @param {number} place among those of its pane
 * @param {boolean} dark
 */
export function curveStyle(index, place, dark) {
  const colours = dark ? DARK : LIGHT;
  return { colour: colours[index % colours.length], dash: DASHES[place % DASHES.length] };
}
