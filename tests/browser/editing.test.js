// Writing: errors are marked where they are while one types, names are completed, files are saved.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import {
  BLUE,
  closeBrowser,
  equals,
  example,
  matches,
  pixelsOf,
  run,
  startStudio,
  until,
} from './studio.js';

after(closeBrowser);
const files = { 'BouncingBall.mo': example('BouncingBall') };

/** Puts the cursor behind a text of the editor. */
async function behind(page, line, keys = ['End']) {
  await page
    .locator('.cm-line')
    .nth(line - 1)
    .click();
  for (const key of keys) await page.keyboard.press(key);
}

test('an error is marked in place, and gone when mended; then the model runs', async () => {
  const { page, close } = await startStudio({ files, args: ['BouncingBall.mo'] });
  await behind(page, 7, ['End', 'ArrowLeft']);
  await page.keyboard.type('ww');
  await page.waitForSelector('.cm-lintRange-error');
  await until(
    async () => (await page.locator('.cm-lintRange-error').first().textContent()) === 'vww',
    'the error marked',
  );
  await until(
    async () => (await page.locator('#tab-problems .count').textContent()) === '1',
    'one problem',
  );
  await page.click('#tab-problems');
  await matches(() => page.locator('.problem-text').first().textContent(), /vww/);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await until(async () => (await page.locator('.cm-lintRange-error').count()) === 0, 'no error');
  await run(page);
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'a curve');
  await close();
});

test('a slow compilation of an older text leaves no message behind', async () => {
  const { page, close } = await startStudio({ files, args: ['BouncingBall.mo'] });
  await page.route('**/api/model', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue();
  });
  const compiled = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/model')) compiled.push(answer.request().postData());
  });
  await behind(page, 7, ['End', 'ArrowLeft']);
  await page.keyboard.type('w');
  const asked = page.waitForRequest((request) => /der\(h\) = vw;/.test(request.postData() ?? ''));
  await page.keyboard.press('Control+Enter');
  await asked;
  await page.keyboard.type('w');
  await until(() => compiled.some((text) => text?.includes('= vww;')), 'compiled again');
  await until(
    async () => (await page.locator('#tab-problems .count').textContent()) === '1',
    'one problem',
  );
  await matches(() => page.locator('.problem-text').first().textContent(), /vww/);
  await close();
});

test('a model in error does not run; it says why', async () => {
  const { page, close } = await startStudio({
    files: { 'A.mo': 'model A\n  Real x;\nequation\n  x = y;\nend A;\n' },
    args: ['A.mo'],
  });
  await page.waitForSelector('.cm-lintRange-error');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.problem-error');
  await page.locator('.problem-main').first().click();
  await page.waitForSelector('.cm-marked');
  await matches(() => page.locator('.cm-marked').textContent(), /x = y/);
  await close();
});

test('names are completed', async () => {
  const { page, close } = await startStudio({ files, args: ['BouncingBall.mo'] });
  await behind(page, 8);
  await page.keyboard.type('\n  rein');
  await page.waitForSelector('.cm-tooltip-autocomplete');
  await until(
    async () =>
      (await page.locator('.cm-tooltip-autocomplete li').allTextContents()).some((text) =>
        text.startsWith('reinit'),
      ),
    'reinit among the names',
  );
  await close();
});

test('saving writes the file whole and leaves nothing beside it', async () => {
  const { page, folder, close } = await startStudio({ files, args: ['BouncingBall.mo'] });
  await behind(page, 1);
  await page.keyboard.type(' ');
  await page.waitForSelector('.file-tab.dirty');
  await page.keyboard.press('Control+s');
  await until(async () => (await page.locator('.file-tab.dirty').count()) === 0, 'saved');
  assert.ok(readFileSync(join(folder, 'BouncingBall.mo'), 'utf8').includes('restitution e" \n'));
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.startsWith('.')),
    ['BouncingBall.mo'],
  );
  await close();
});

test('a class and its file get names of their own, also before the file is saved', async () => {
  const { page, folder, close } = await startStudio();
  const command = async (words, name) => {
    await page.keyboard.press('F1');
    await page.locator('dialog.palette input').fill(words);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.keyboard.press('Enter');
  };
  await page.keyboard.press('Alt+n');
  await until(
    () => page.evaluate(() => Boolean(document.activeElement?.closest('.cm-content'))),
    'the editor has the focus',
  );
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    'model Buck "steps down"\n  Real x(start = 1, fixed = true);\n' +
      'equation\n  der(x) = -x;\nend Buck;\n',
  );
  await page.keyboard.press('Control+s');
  await until(() => readFileSync(join(folder, 'NewModel.mo'), 'utf8').includes('Buck'), 'saved');
  await page.click('#tab-documentation');
  const title = () => page.locator('#panel-documentation h1').textContent();
  await equals(title, 'Buck');
  await command('rename buck', 'Boost'); // the file keeps its name, and is not saved
  await equals(title, 'Boost');
  await run(page);
  await command('rename the file', 'Boost');
  await until(() => existsSync(join(folder, 'Boost.mo')), 'the new file');
  await until(() => !existsSync(join(folder, 'NewModel.mo')), 'the old file has gone');
  await equals(() => page.locator('.file-tab').count(), 1);
  await page.click('#tab-diagram');
  await matches(() => page.locator('.diagram-place').textContent(), /no graphics/);
  await run(page);
  await close();
});
