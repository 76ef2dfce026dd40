// A new user: from an empty page to a plotted bouncing ball, with one click.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { BLUE, closeBrowser, equals, isBusy, pixelsOf, startStudio, until } from './studio.js';

after(closeBrowser);

test('an empty page invites, and one click plots a bouncing ball', async () => {
  const { page, folder, close } = await startStudio();
  await page.getByText('Begin with a model').waitFor();
  await equals(() => page.locator('#run').isDisabled(), true);
  await page.locator('.card').first().click();
  await page.waitForSelector('.progress-text[data-status=done]');
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'a curve');
  await equals(() => page.locator('.event').count(), 4);
  await equals(() => page.locator('.legend-name').allTextContents(), ['h', 'v']);
  assert.ok(existsSync(join(folder, 'BouncingBall.mo')));
  await page.locator('.value[data-name=e] input[type=range]').waitFor();
  await close();
});

test('each template runs', async () => {
  const { page, close } = await startStudio();
  const titles = await page.locator('.card-title').allTextContents();
  for (let i = 1; i < titles.length; i++) {
    await page.locator('.card').nth(i).click();
    await page.waitForSelector('.progress-text[data-status=done]');
    await until(async () => (await pixelsOf(page, 0, BLUE)) > 100, `a curve of ${titles[i]}`);
    await page.locator('.file-tab.active .file-close').click();
    await page.waitForSelector('.welcome:not([hidden])');
    await page.evaluate(() => {
      document.querySelector('.progress-text').dataset.status = '';
    });
  }
  await close();
});

const SOON = 1000; // ms; half of it on a quiet machine of today

test('the first paint comes soon', async () => {
  const { page, address, close } = await startStudio({ open: false });
  let best = Infinity;
  for (let i = 0; i < 4 && best >= SOON; i++) {
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    best = Math.min(
      best,
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0].startTime,
      ),
    );
  }
  assert.ok(best < SOON || isBusy(), `first paint after ${Math.round(best)} ms`);
  assert.ok(!page.url().includes('token'), 'the token does not stay in the address');
  await close();
});
