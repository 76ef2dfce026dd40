// Arrays of components in diagrams.

/**
 * The shapes of an array get a group of their own: they look like a stack, its texts do not.
 * @param {any} svg
 */
export function stackArrays(svg) {
  for (const part of svg.querySelectorAll('[data-component][data-dimensions]')) {
    const stack = document.createElementNS(svg.namespaceURI, 'g');
    stack.setAttribute('class', 'stack');
    const shapes = [...part.children].filter((one) => !one.matches('text, title, .target'));
    if (!shapes.length) continue;
    shapes[0].before(stack);
    stack.append(...shapes);
  }
}
