// A round trip of classes of the Modelica Standard Library, if KAIROS_MSL names its folder: open
// the diagram, drag a component away and back; the file is the same, byte for byte.
// KAIROS_ROUND_TRIPS is the number of classes.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { handsOn } from './diagram.js';
import { closeBrowser, eventually, startStudio, until } from './studio.js';

after(closeBrowser);

const MSL = process.env.KAIROS_MSL;
const COUNT = Number(process.env.KAIROS_ROUND_TRIPS ?? 200);
const MODEL = /^within [\w.]+;\s*(?:(?:partial|encapsulated)\s+)*(?:model|block)\s/;
const PLACED = /^ +[\w.]+ \w+(?:\([^;]*?\))?[^;]*?Placement\(/m;
// a line with the same corner twice: the edit removes both if the line is straight again
const DOUBLED = /(\{-?[\d.]+,\s*-?[\d.]+\}),\s*\1/;

/** Files of models with placed components, in an order that looks random and is always the same. */
function libraryClasses(folder) {
  let seed = 20;
  const next = () => (seed = (seed * 48271) % 2147483647);
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.mo') && !path.endsWith('package.mo'))
    .sort()
    .map((path) => ({ path, rank: next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ path }) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
    .filter(({ text }) => MODEL.test(text) && PLACED.test(text) && !DOUBLED.test(text))
    .map(({ path, text }) => ({
      path: `Modelica/${path}`,
      text,
      name: `Modelica.${path.replace(/\.mo$/, '').replaceAll('/', '.')}`,
    }));
}

/** Components of the class itself, each with a point of the screen at which it can be taken. */
const takeable = (page) =>
  page.evaluate(() => {
    const own = '.diagram-place [data-component]:not([data-inherited])';
    return [...document.querySelectorAll(own)].flatMap((part) => {
      const target = part.querySelector(':scope > .target') ?? part;
      const { left, top, width, height } = target.getBoundingClientRect();
      const shares = [0.5, 0.35, 0.65, 0.2, 0.8];
      const points = shares.flatMap((x) => shares.map((y) => [left + x * width, top + y * height]));
      const at = points.find(([x, y]) => {
        const hit = document.elementFromPoint(x, y);
        const near = hit?.closest('[data-component], [data-connector], [data-connection], .item');
        return near === part && !part.hasAttribute('data-connector');
      });
      return at ? [{ component: part.getAttribute('data-component'), at }] : [];
    });
  });

/** Lines that differ, of the first text and of the second. */
function difference(a, b) {
  const [one, two] = [a.split('\n'), b.split('\n')];
  return one.flatMap((line, i) => (line === two[i] ? [] : [line, String(two[i])])).slice(0, 6);
}

async function open(page, name) {
  await page.keyboard.press('Control+p');
  await page.locator('#search').fill(name);
  await page.locator(`.tree:not([hidden]) .tree-row[data-full="${name}"]`).click();
  const shown = page.locator(`.diagram-place[data-shown^="${name} diagram"]`);
  await until(async () => {
    await page.click('#tab-diagram'); // the class may have a preferred view
    return shown.isVisible();
  }, `the diagram of ${name}`);
}

test('a component of a library class that is moved and moved back leaves the text as it was', {
  skip: !MSL && 'KAIROS_MSL does not name the folder of the Modelica Standard Library',
}, async () => {
  const { page, folder, address, ready, close } = await startStudio({ open: false });
  const kept = (path) => !/[\\/]Resources$/.test(path);
  for (const part of ['Modelica', 'ModelicaServices', 'Complex.mo'])
    cpSync(join(String(MSL), part), join(folder, part), { recursive: true, filter: kept });
  await page.goto(address);
  await ready();
  const { drag } = handsOn(page);
  await page.click('#tab-diagram');
  let count = 0;
  for (const { path, text, name } of libraryClasses(join(folder, 'Modelica'))) {
    if (count === COUNT) break;
    const saved = async () => {
      await page.keyboard.press('Control+s');
      return readFileSync(join(folder, path), 'utf8');
    };
    await open(page, name);
    const places = await takeable(page);
    if (!places.length) continue; // components of inner classes, or covered ones
    const { component, at } = places[count % places.length];
    await drag(at, [at[0] + 24, at[1] - 16]);
    await eventually(async () => assert.notEqual(await saved(), text, name));
    let there = at;
    await until(async () => {
      if (await page.locator('.lifted').count()) return false; // not yet drawn anew
      const found = (await takeable(page)).find((one) => one.component === component);
      there = found?.at ?? there;
      return Boolean(found);
    }, `${component} of ${name} can be taken again`);
    await drag(there, [there[0] - 24, there[1] + 16]);
    await eventually(async () => assert.deepEqual(difference(text, await saved()), [], name));
    count++;
  }
  assert.equal(count, COUNT, 'classes');
  await close();
});
