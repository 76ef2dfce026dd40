// Ten scenes of drawing in both themes, compared with pictures of 48 by 30 cells (scenes.json). A
// cell is a shade from 0 to 63, as a digit of base 64. KAIROS_SCENES=write makes the pictures anew;
// look at the page before.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { closeBrowser, eventually, example, isKept, startStudio, still, TOP } from './studio.js';

after(closeBrowser);

const PLACE = join(TOP, 'tests/browser/scenes.json');
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const [COLUMNS, ROWS] = [48, 30];
// A cell with a greater difference of shades has other contents; so many cells of a diagram or of a
// dialog may differ, because letters are drawn a little differently. An empty diagram differs more.
const DIFFERENT = { diagram: 1, dialog: 3 };
const SHARE = { diagram: 0.035, dialog: 0.15 };
const DIALOGS = /^(parameters|look of a shape|a new name),/;
const kindOf = (name) => (DIALOGS.test(name) ? 'dialog' : 'diagram');
const FIXED = '.diagram-place { flex: none !important; width: 560px; height: 360px; }';

const SHAPES = `model Shapes
  annotation (Icon(graphics={
    Rectangle(extent={{-90,-90},{90,90}}, lineColor={0,0,127}, fillColor={215,215,215},
      fillPattern=FillPattern.Solid, radius=20),
    Ellipse(extent={{-60,-60},{60,60}}, fillColor={255,255,0}, fillPattern=FillPattern.Sphere),
    Polygon(points={{-20,30},{40,0},{-20,-30},{-20,30}}, fillColor={0,127,0},
      fillPattern=FillPattern.CrossDiag),
    Line(points={{-90,0},{-40,40},{40,-40},{90,0}}, color={255,0,0}, thickness=1,
      smooth=Smooth.Bezier),
    Text(extent={{-80,-88},{80,-64}}, textString="%name", textColor={0,0,255})}));
end Shapes;
`;

/** Shades of a part of the page. */
async function shadesOf(page, locator) {
  const picture = (await locator.screenshot({ animations: 'disabled' })).toString('base64');
  return page.evaluate(
    async ([data, columns, rows, digits]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      const scale = 4; // every cell is a mean of these many samples in each direction
      [canvas.width, canvas.height] = [columns * scale, rows * scale];
      const ctx = /** @type {any} */ (canvas.getContext('2d'));
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
      const pixels = ctx.getImageData(0, 0, canvas.width, canvas.height).data;
      return Array.from({ length: rows }, (_r, row) =>
        Array.from({ length: columns }, (_c, column) => {
          let sum = 0;
          for (let y = 0; y < scale; y++)
            for (let x = 0; x < scale; x++) {
              const at = 4 * ((row * scale + y) * canvas.width + column * scale + x);
              sum += 0.3 * pixels[at] + 0.59 * pixels[at + 1] + 0.11 * pixels[at + 2];
            }
          return digits[Math.min(63, Math.round(sum / scale / scale / 4))];
        }).join(''),
      );
    },
    [picture, COLUMNS, ROWS, DIGITS],
  );
}

/** The share of cells that differ. */
function difference(name, a, b) {
  const least = DIFFERENT[kindOf(name)];
  let count = 0;
  a.forEach((row, y) =>
    [...row].forEach((cell, x) => {
      count += Math.abs(DIGITS.indexOf(cell) - DIGITS.indexOf(b[y][x])) > least ? 1 : 0;
    }),
  );
  return count / COLUMNS / ROWS;
}

/** Shows all scenes, and hands each to `take`. */
async function showScenes(page, theme, take) {
  const place = page.locator('.diagram-place');
  const dialog = page.locator('dialog[open]');
  let shown = '';
  const settled = () => still(page, place);
  const open = async (name) => {
    shown = name;
    await page.locator(`.tree-row[data-full="${name}"]`).click();
    await eventually(async () => {
      await page.click('#tab-diagram'); // the tree has shown the source
      const picture = `.diagram-place[data-shown="${name} diagram ${theme}"]`;
      await page.waitForSelector(picture, { timeout: 1000 });
    });
    await settled();
  };
  const layer = async (name) => {
    await page.getByRole('button', { name, exact: true }).click();
    const picture = `${shown} ${name.toLowerCase()} ${theme}`;
    await page.waitForSelector(`.diagram-place[data-shown="${picture}"]`);
    await settled();
  };
  await open('RLC');
  await take('automatic layout', place);
  await open('HalfWaveRectifier');
  await take('rectifier', place);
  await page.locator('.diagram-place [data-component=diode]').focus();
  await page.keyboard.press('Space');
  await settled();
  await take('chosen component', place);
  await page.keyboard.press('p');
  await dialog.waitFor();
  await take('parameters', dialog);
  await page.keyboard.press('Escape');
  await open('Flyback');
  await take('converter', place);
  await open('Shapes');
  await layer('Icon');
  await take('shapes', place);
  await page.locator('.diagram-place .item[data-item="0"]').focus();
  await page.keyboard.press('Space');
  await page.waitForSelector('.handle');
  await settled();
  await take('chosen shape', place);
  await page.keyboard.press('p');
  await dialog.waitFor();
  await take('look of a shape', dialog);
  await page.keyboard.press('Escape');
  await layer('Diagram');
  await open('Hybrid.Electrical.Diode');
  await layer('Icon');
  await take('icon of a library', place);
  await layer('Diagram');
  await open('HalfWaveRectifier');
  await page.keyboard.press('F1');
  await page.locator('dialog.palette input').fill('rename');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog.sheet:not(.palette)');
  await take('a new name', dialog);
  await page.keyboard.press('Escape');
}

test('ten scenes look as they should in both themes', async () => {
  const files = Object.fromEntries(
    ['RLC', 'HalfWaveRectifier', 'Flyback'].map((name) => [`${name}.mo`, example(name)]),
  );
  const { page, close } = await startStudio({
    files: { ...files, 'Shapes.mo': SHAPES },
    args: ['RLC.mo'],
  });
  await page.click('#tab-diagram');
  for (const name of ['Hybrid', 'Hybrid.Electrical']) {
    await page.locator(`.tree-row[data-full="${name}"] .twisty`).click();
    await page.waitForSelector(`.tree-row[data-full^="${name}."]`);
  }
  await isKept(page, (layout) => layout.tree?.includes('Hybrid.Electrical'));
  /** @type {Record<string, string[]>} */
  const found = {};
  for (const theme of ['light', 'dark']) {
    await page.evaluate((one) => localStorage.setItem('kairos-theme', one), theme);
    await page.reload();
    await page.waitForSelector(`html[data-theme=${theme}] body[data-ready]`);
    await page.addStyleTag({ content: FIXED }); // the size of letters does not change the scale
    await page.click('#tab-diagram');
    await showScenes(page, theme, async (name, part) => {
      found[`${name}, ${theme}`] = await shadesOf(page, part);
    });
  }
  if (process.env.KAIROS_SCENES === 'write')
    writeFileSync(PLACE, `${JSON.stringify(found, null, 1)}\n`);
  const wanted = JSON.parse(readFileSync(PLACE, 'utf8'));
  const wrong = Object.keys(wanted)
    .map((name) => ({ name, share: difference(name, wanted[name], found[name]) }))
    .filter(({ name, share }) => share > SHARE[kindOf(name)]);
  assert.deepEqual(wrong, []);
  assert.equal(Object.keys(found).length, 20);
  await close();
});
