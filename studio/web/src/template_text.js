// Texts of new models.

/**
 * The text up to the end of its last class: comments after it are for tests.
 * @param {string} text
 */
export function withoutExpectations(text) {
  const ends = [...text.matchAll(/^end \w+;[^\n]*\n?/gm)];
  const last = ends.at(-1);
  return last ? text.slice(0, last.index + last[0].length) : text;
}

/** @param {string} text @param {string} from @param {string} to */
export function renamed(text, from, to) {
  return from === to ? text : text.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
}

/**
 * `name`, or the first of name2, name3 … whose file is not taken.
 * @param {string} name
 * @param {Set<string>} taken paths
 */
export function freeName(name, taken) {
  let free = name;
  for (let i = 2; taken.has(`${free}.mo`); i++) free = `${name}${i}`;
  return free;
}

/** A model to fill in. @param {string} name */
export function modelText(name) {
  return `model ${name} "a short description"
  parameter Real k(unit = "1/s") = 1 "rate";
  Real x(start = 1, fixed = true) "state";
equation
  der(x) = -k*x;
  annotation(experiment(StopTime = 5));
end ${name};
`;
}
