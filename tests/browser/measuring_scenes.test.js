// Six scenes in light and dark: each shows something, has the ground of its theme, and looks alike
// in both. The comparison is coarse: means of blocks of pixels, no stored pictures.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { closeBrowser, example, run, startStudio, still } from './studio.js';

after(closeBrowser);

const [COLUMNS, ROWS] = [48, 30];

/** Brightness, and how much it varies, in blocks of a picture; decoded by the page itself. */
function blocksOf(page, png) {
  return page.evaluate(
    async ([data, columns, rows]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const ctx = canvas.getContext('2d');
      ctx.drawImage(image, 0, 0);
      const { data: pixels } = ctx.getImageData(0, 0, image.width, image.height);
      const blocks = [];
      for (let j = 0; j < rows; j++)
        for (let i = 0; i < columns; i++) {
          let [n, sum, square] = [0, 0, 0];
          const [x0, x1] = [i, i + 1].map((k) => Math.floor((k * image.width) / columns));
          const [y0, y1] = [j, j + 1].map((k) => Math.floor((k * image.height) / rows));
          for (let y = y0; y < y1; y++)
            for (let x = x0; x < x1; x++) {
              const at = 4 * (y * image.width + x);
              const light = (pixels[at] + pixels[at + 1] + pixels[at + 2]) / 3;
              [n, sum, square] = [n + 1, sum + light, square + light * light];
            }
          const mean = sum / n;
          blocks.push([mean, Math.sqrt(Math.max(0, square / n - mean * mean))]);
        }
      return blocks;
    },
    [png.toString('base64'), COLUMNS, ROWS],
  );
}

/** Correlation of where two pictures are busy. */
function likeness(a, b) {
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [x, y] = [a, b].map((blocks) => blocks.map(([, spread]) => Math.min(spread, 40)));
  const [mx, my] = [mean(x), mean(y)];
  const product = mean(x.map((v, i) => (v - mx) * (y[i] - my)));
  return product / Math.sqrt(mean(x.map((v) => (v - mx) ** 2)) * mean(y.map((v) => (v - my) ** 2)));
}

const SCENES = {
  plots: async (page) => {
    await page.click('#tab-source');
    await page.click('#tab-events');
  },
  diagram: async (page) => {
    await page.click('#tab-diagram');
    await page.waitForSelector('.diagram-place [data-component]');
    await page.getByText('Flows').click();
    await page.click('#tab-modes');
  },
  variables: async (page) => {
    await page.click('#tab-documentation');
    await page.click('#tab-variables');
    await page.locator('.variable-branch').first().click();
  },
  measure: async (page) => {
    await page.click('#tab-measure');
    await page.getByRole('button', { name: 'Visible span' }).click();
    await page.waitForSelector('.measure-table td[data-field=rms]');
  },
  equations: async (page) => {
    await page.click('#tab-equations');
    await page.waitForSelector('.equation');
  },
  sweep: async (page) => {
    await page.click('#tab-analyse');
    await page.getByLabel('Number of runs').fill('3');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.waitForSelector('.small-chart');
  },
};

test('six scenes in both themes', async () => {
  const { page, close } = await startStudio({
    files: { 'SixPulseRectifier.mo': example('SixPulseRectifier') },
    args: ['SixPulseRectifier.mo'],
  });
  await run(page);
  await page.addStyleTag({ content: '.wire-flow { animation: none !important; }' });
  for (const [name, arrange] of Object.entries(SCENES)) {
    await arrange(page);
    await page.mouse.move(2, 2);
    const pictures = {};
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForSelector(`html[data-theme=${scheme}]`);
      if (name === 'diagram')
        await page.waitForSelector(`.diagram-place[data-shown$=" ${scheme}"]`);
      await still(page);
      const png = await page.screenshot();
      if (process.env.KAIROS_PICTURES) {
        mkdirSync(process.env.KAIROS_PICTURES, { recursive: true });
        writeFileSync(join(process.env.KAIROS_PICTURES, `${name}-${scheme}.png`), png);
      }
      pictures[scheme] = await blocksOf(page, png);
    }
    const middle = (blocks) =>
      blocks.map(([mean]) => mean).sort((a, b) => a - b)[blocks.length / 2];
    const busy = (blocks) => blocks.filter(([, spread]) => spread > 8).length / blocks.length;
    assert.ok(middle(pictures.light) > 200, `${name} is light: ${middle(pictures.light)}`);
    assert.ok(middle(pictures.dark) < 70, `${name} is dark: ${middle(pictures.dark)}`);
    for (const [scheme, blocks] of Object.entries(pictures))
      assert.ok(busy(blocks) > 0.1, `${name}, ${scheme}: ${busy(blocks)} of it shows something`);
    const alike = likeness(pictures.light, pictures.dark);
    assert.ok(alike > 0.6, `${name}: light and dark agree to ${alike}`);
  }
  await close();
});
