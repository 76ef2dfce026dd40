// node build-web/tests/browser/pictures.mjs: makes the pictures of docs/studio.md with the program
// $KAIROS. `tests/run --only browser` copies this file there and installs its packages.
import { join } from 'node:path';
import { closeBrowser, example, run, startStudio, TOP, until } from './studio.js';

const place = (name) => join(TOP, 'docs/pictures', `studio-${name}.png`);
const size = /** @type {[number, number]} */ ([1280, 800]);
const settle = (page) => page.waitForTimeout(500);

async function take(page, name) {
  await settle(page);
  await page.screenshot({ path: place(name) });
}

async function firstMinute() {
  const { page, close } = await startStudio({ size });
  await take(page, 'empty');
  await page.locator('.card').first().click();
  await page.waitForSelector('.progress-text[data-status=done]');
  await page.locator('.value[data-name=e] input[type=range]').fill('0.85');
  await until(async () => (await page.locator('.event').count()) === 3, 'the slider’s run');
  await page.locator('.event').nth(1).click();
  await take(page, 'ball');
  await close();
}

async function error() {
  const { page, close } = await startStudio({
    size: [1280, 640],
    files: { 'BouncingBall.mo': example('BouncingBall').replace('der(v) = -g', 'der(v) = -gg') },
    args: ['BouncingBall.mo'],
  });
  await page.waitForSelector('.cm-lintRange-error');
  await page.click('#tab-problems');
  await take(page, 'error');
  await close();
}

async function dark() {
  const { page, close } = await startStudio({
    size,
    scheme: 'dark',
    files: { 'HalfWaveRectifier.mo': example('HalfWaveRectifier') },
    args: ['HalfWaveRectifier.mo'],
  });
  await run(page);
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place svg');
  await page.click('#tab-modes');
  await take(page, 'dark');
  await close();
}

async function equations() {
  const { page, close } = await startStudio({
    size: [1280, 640],
    files: { 'BuckConverter.mo': example('BuckConverter') },
    args: ['BuckConverter.mo'],
  });
  await run(page);
  await page.click('#tab-equations');
  await page.waitForSelector('.equation');
  await page.click('#tab-variables');
  await take(page, 'equations');
  await close();
}

const ALL = { firstMinute, error, dark, equations };
const wanted = process.argv.slice(2);
for (const [name, make] of Object.entries(ALL))
  if (!wanted.length || wanted.includes(name)) await make();
await closeBrowser();
