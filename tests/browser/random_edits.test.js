// Random edits of a diagram by mouse and keyboard. A table beside the page knows which components
// and connections the model has, and where; at the end the text must parse to just that.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { closeBrowser, eventually, startStudio, until } from './studio.js';

after(closeBrowser);
const STEPS = Number(process.env.KAIROS_EDIT_STEPS ?? 40);
const FIRST = Number(process.env.KAIROS_EDIT_SEED ?? 11);

const PARTS = `package Parts
  connector Pin
    Real v;
    flow Real i;
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}));
  end Pin;
  model Part
    Pin a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Pin b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    a.i + b.i = 0;
    a.v - b.v = a.i;
    annotation (Icon(graphics={Rectangle(extent={{-70,-70},{70,70}})}));
  end Part;
end Parts;
`;
const NAMES = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const START = NAMES.map((name, i) => ({ name, x: 40 * (i % 3) - 40, y: i > 2 ? -30 : 30 }));
const HEAD = 'model Net "kept" // a comment\n';
const MODEL =
  HEAD +
  START.map(
    ({ name, x, y }) =>
      `  Parts.Part ${name} annotation (Placement(transformation(extent={{${x - 10},${y - 10}},` +
      `{${x + 10},${y + 10}}})));\n`,
  ).join('') +
  'equation\n  // none yet\nend Net;\n';

/** Numbers from 0 to 1, the same in every run. @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** The components, their middles and turns, and the connections of a text. @param {string} text */
function read(text) {
  const components = {};
  const found = /Parts\.Part (\w+)\s*annotation \(Placement\(transformation\((.*?)\)\)\);/gs;
  for (const [, name, body] of text.matchAll(found)) {
    const extent = /extent=\{\{(.*?),(.*?)\},\{(.*?),(.*?)\}\}/.exec(body) ?? [];
    const [x1, y1, x2, y2] = extent.slice(1).map(Number);
    const turn = Number(/rotation=(-?\d+)/.exec(body)?.[1] ?? 0);
    const [ox, oy] = /origin=\{(.*?),(.*?)\}/.exec(body)?.slice(1).map(Number) ?? [0, 0];
    const angle = (turn * Math.PI) / 180;
    const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2];
    components[name] = {
      x: Math.round(ox + mx * Math.cos(angle) - my * Math.sin(angle)),
      y: Math.round(oy + mx * Math.sin(angle) + my * Math.cos(angle)),
      turn: ((turn % 360) + 360) % 360,
    };
  }
  const connections = [...text.matchAll(/connect\(([\w.]+), ([\w.]+)\)/g)];
  return { components, connections: connections.map(([, a, b]) => [a, b].sort().join(' ')).sort() };
}

test('random edits by hand leave a text that is the model meant', async () => {
  const files = { 'Parts.mo': PARTS, 'Net.mo': MODEL };
  const { page, folder, close } = await startStudio({ files, args: ['Net.mo'] });
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place [data-component=p1]');
  const draw = random(FIRST);
  const pick = (list) => list[Math.floor(draw() * list.length)];
  /** @type {{components: Record<string, any>, connections: string[]}} */
  let meant = read(MODEL);
  const history = [meant];
  let place = 0; // in the history
  const text = async () => {
    await page.keyboard.press('Control+s');
    return readFileSync(join(folder, 'Net.mo'), 'utf8');
  };
  /** The text is what is meant, and the picture shows it. */
  const agrees = async (what) => {
    await eventually(async () => assert.deepEqual(read(await text()), meant, what));
    const shown = Object.keys(meant.components).length;
    await until(
      async () => (await page.locator('.diagram-place [data-component^=p]').count()) >= shown,
      what,
    );
  };
  const middle = async (selector) => {
    const [x, y, width, height] = await page
      .locator(`.diagram-place ${selector}`)
      .first()
      .evaluate((part) => {
        const box = part.getBoundingClientRect();
        return [box.x, box.y, box.width, box.height];
      });
    return [x + width / 2, y + height / 2];
  };
  const unit = () =>
    page.evaluate(() => {
      const view = /** @type {any} */ (document.querySelector('.diagram-place'));
      return view.clientWidth / view.querySelector('svg').viewBox.baseVal.width;
    });
  const drag = async ([x, y], [toX, toY]) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 3 });
    await page.mouse.move(toX, toY, { steps: 3 });
    await page.mouse.up();
  };
  const choose = async (selector) => {
    await page.locator(`.diagram-place ${selector}`).first().focus();
    await page.keyboard.press('Escape');
    await page.locator(`.diagram-place ${selector}`).first().focus();
    await page.keyboard.press('Space');
  };
  /** Nothing is chosen, and all of the picture is seen. */
  const showAll = async () => {
    await page.locator('.diagram-place').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
  };
  /** The component or connector at a point of the screen. */
  const under = ([x, y], kind) =>
    page.evaluate(
      ([px, py, what]) =>
        document.elementFromPoint(px, py)?.closest(`[data-${what}]`)?.getAttribute(`data-${what}`),
      [x, y, kind],
    );
  const change = (next) => {
    meant = next;
    history.splice(place + 1);
    history.push(next);
    place = history.length - 1;
  };
  const copy = () => structuredClone(meant);

  const acts = {
    async drag() {
      const name = pick(Object.keys(meant.components));
      const by = [2 * Math.round(10 * draw() - 5), 2 * Math.round(10 * draw() - 5)];
      await showAll();
      const from = await middle(`[data-component=${name}] > .target`);
      const scale = await unit();
      if (!(Math.hypot(...by) * scale > 6) || (await under(from, 'component')) !== name) return;
      await drag(from, [from[0] + by[0] * scale, from[1] - by[1] * scale]);
      const next = copy();
      next.components[name].x += by[0];
      next.components[name].y += by[1];
      change(next);
    },
    async rotate() {
      const name = pick(Object.keys(meant.components));
      await choose(`[data-component=${name}]`);
      await page.keyboard.press('r');
      const next = copy();
      next.components[name].turn = (next.components[name].turn + 270) % 360;
      change(next);
    },
    async arrow() {
      const name = pick(Object.keys(meant.components));
      const [key, dx, dy] = pick([['ArrowUp', 0, 2], ['ArrowLeft', -2, 0], ['ArrowDown', 0, -2]]);
      await choose(`[data-component=${name}]`);
      await page.keyboard.press(key);
      const next = copy();
      next.components[name].x += dx;
      next.components[name].y += dy;
      change(next);
    },
    async connect() {
      const [one, two] = [pick(Object.keys(meant.components)), pick(Object.keys(meant.components))];
      const ends = [`${one}.${pick(['a', 'b'])}`, `${two}.${pick(['a', 'b'])}`];
      const line = [...ends].sort().join(' ');
      if (one === two || meant.connections.includes(line)) return;
      await showAll();
      const places = [];
      for (const end of ends) places.push(await middle(`[data-connector="${end}"] .target`));
      const [from, to] = places;
      const free = await Promise.all(places.map((at) => under(at, 'connector')));
      if (Math.hypot(from[0] - to[0], from[1] - to[1]) < 12) return;
      if (free[0] !== ends[0] || free[1] !== ends[1]) return; // covered by another
      await drag(from, to);
      const next = copy();
      next.connections = [...next.connections, line].sort();
      change(next);
    },
    async remove() {
      if (Object.keys(meant.components).length < 4) return;
      const name = pick(Object.keys(meant.components));
      await choose(`[data-component=${name}]`);
      await page.keyboard.press('Delete');
      const next = copy();
      delete next.components[name];
      next.connections = next.connections.filter(
        (line) => !line.split(' ').some((end) => end.startsWith(`${name}.`)),
      );
      change(next);
    },
    async undo() {
      if (place === 0) return;
      await page.locator('.diagram-place').focus();
      await page.keyboard.press('Control+z');
      meant = history[--place];
    },
    async redo() {
      if (place + 1 >= history.length) return;
      await page.locator('.diagram-place').focus();
      await page.keyboard.press('Control+y');
      meant = history[++place];
    },
  };
  const kinds = ['drag', 'drag', 'rotate', 'arrow', 'connect', 'connect', 'remove', 'undo', 'redo'];
  for (let step = 0; step < STEPS; step++) {
    const kind = pick(kinds);
    await acts[kind]();
    await agrees(`step ${step}: ${kind}`);
  }
  const last = await text();
  assert.ok(last.startsWith(HEAD) && last.includes('  // none yet\n'), 'the rest is as it was');
  const errors = await page.evaluate(async (body) => {
    const answer = await fetch('/api/check', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: 'Net.mo', text: body, open: [] }),
    });
    return (await answer.json()).diagnostics.filter((one) => /^[FLS]/.test(one.code));
  }, last);
  assert.deepEqual(errors, []);
  while (place > 0) await acts.undo();
  await eventually(async () => assert.equal(await text(), MODEL));
  await close();
});
