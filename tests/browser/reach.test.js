// Everyone: the keyboard alone, light and dark, any size of window.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { after } from 'node:test';
import {
  closeBrowser,
  equals,
  eventually,
  example,
  matches,
  run,
  startStudio,
  TOP,
  until,
} from './studio.js';

after(closeBrowser);
const TABS = ['diagram', 'documentation', 'equations', 'animation', 'source', 'variables',
  'problems', 'modes', 'runs', 'measure', 'events', 'analyse'];
const ball = { files: { 'BouncingBall.mo': example('BouncingBall') }, args: ['BouncingBall.mo'] };

test('the keyboard alone: from the empty page to a cursor in the plot', async () => {
  const { page, close } = await startStudio();
  const focused = () => page.evaluate(() => document.activeElement?.className ?? '');
  for (let i = 0; i < 40 && (await focused()) !== 'card'; i++) await page.keyboard.press('Tab');
  await equals(() => focused(), 'card');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.progress-text[data-status=done]');
  await page.keyboard.press('Alt+1');
  await until(async () => (await focused()).includes('cm-content'), 'the editor has the keyboard');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.progress-text[data-status=done]');
  for (let i = 0; i < 8 && !(await focused()).includes('pane-plot'); i++)
    await page.keyboard.press('F6');
  for (let i = 0; i < 12 && !(await focused()).includes('pane-plot'); i++)
    await page.keyboard.press('Tab');
  await matches(() => focused(), /pane-plot/);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await until(
    async () => (await page.locator('.legend-value').first().textContent()) !== '',
    'a value at the cursor',
  );
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await until(
    async () => (await page.locator('dialog[open]').count()) === 0,
    'the sheet is closed',
  );
  await close();
});

test('an area can be shown alone', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  await page.click('#tab-diagram');
  const seen = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.area')].filter((e) => e.offsetParent).map((e) => e.id),
    );
  const all = ['explorer', 'centre', 'values', 'plots', 'log'];
  await equals(seen, all);
  await page.locator('.pane-plot').first().focus();
  await page.keyboard.press('Alt+0');
  await equals(seen, ['plots']);
  const wide = async () => (await page.locator('.pane canvas').first().boundingBox()).width > 1000;
  await until(wide, 'a wide plot');
  await page.keyboard.press('F1');
  await page.locator('dialog.palette input').fill('show the runs');
  await page.keyboard.press('Enter');
  await equals(seen, ['log']);
  await page.keyboard.press('Alt+0');
  await equals(seen, all);
  await page.getByRole('button', { name: /^This area alone/ }).click();
  await equals(seen, ['centre']);
  await close();
});

test('every control has a name', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  const nameless = () => page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button, input, select, summary, [role=separator], [tabindex="0"]',
      ),
    ]
      .filter((element) => element.getClientRects().length && !element.closest('.cm-editor'))
      .filter(
        (element) =>
          !(
            element.textContent.trim() ||
            element.getAttribute('aria-label') ||
            element.title ||
            element.labels?.length
          ),
      )
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    assert.deepEqual(await nameless(), [], tab);
  }
  await close();
});

/** Contrast of two colours as WCAG has it. */
function contrast(a, b) {
  const light = (colour) => {
    const [r, g, bl] = colour.map((c) =>
      c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

for (const scheme of /** @type {('light'|'dark')[]} */ (['light', 'dark'])) {
  test(`${scheme}: as the system has it, readable`, async () => {
    const { page, close } = await startStudio({ ...ball, scheme });
    const colours = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d');
      const style = getComputedStyle(document.documentElement);
      return Object.fromEntries(
        [
          'paper',
          'ground',
          'text',
          'muted',
          'accent',
          'error',
          'warning',
          'good',
          'code-comment',
          'code-string',
          'code-number',
          'code-keyword',
          'code-class',
          'code-builtin',
          'code-operator',
        ].map((name) => {
          canvas.fillStyle = style.getPropertyValue(`--${name}`);
          canvas.fillRect(0, 0, 1, 1);
          return [name, [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]];
        }),
      );
    });
    assert.equal(colours.paper[0] < 128, scheme === 'dark');
    for (const [name, colour] of Object.entries(colours)) {
      if (name !== 'paper' && name !== 'ground')
        assert.ok(
          contrast(colour, colours.paper) >= 4.5,
          `${name} ${contrast(colour, colours.paper).toFixed(2)}`,
        );
    }
    await page.click('#theme');
    await page.click('#theme');
    await equals(() => page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await equals(() => page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await close();
  });
}

test('any size: nothing sticks out, Run is in reach, the plot is seen', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [768, 1024],
    [1024, 600],
    [1366, 768],
    [1920, 1080],
    [2560, 1440],
  ]) {
    await page.setViewportSize({ width, height });
    if (width <= 720) await page.click('.phone-tabs [data-area=plots]');
    await eventually(async () => {
      const found = await page.evaluate(() => {
        const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
        const plot = box('.pane canvas');
        return {
          wide: document.documentElement.scrollWidth,
          run: box('#run'),
          plot,
          inside: [...document.querySelectorAll('.area, .bar > *')]
            .filter((e) => e.getClientRects().length)
            .every((e) => e.getBoundingClientRect().right <= window.innerWidth + 1),
        };
      });
      assert.ok(found.wide <= width, `${width}: page is ${found.wide} wide`);
      assert.ok(found.inside, `${width}: something sticks out`);
      assert.ok(found.run && found.run.width > 40 && found.run.right <= width, `${width}: Run`);
      assert.ok(
        found.plot && found.plot.width > 150 && found.plot.height > 60,
        `${width}: plot ${JSON.stringify(found.plot)}`,
      );
    });
    for (const area of width <= 720 ? ['explorer', 'centre', 'values', 'log'] : []) {
      await page.click(`.phone-tabs [data-area=${area}]`);
      assert.ok(
        (await page.evaluate(() => document.documentElement.scrollWidth)) <= width,
        `${width}: ${area}`,
      );
    }
  }
  await close();
});

test('the page speaks the language of the system; another can be chosen', async () => {
  const { page, close } = await startStudio({ locale: 'de-DE' });
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  await page.locator('.card').first().click();
  await page.waitForSelector('.progress-text[data-status=done]');
  await matches(() => page.locator('.progress-text').textContent(), /^fertig in .* Ereignisse$/);
  for (const name of ['Quelltext', 'Diagramm', 'Parameter'])
    await page.getByRole('tab', { name, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Simulieren' }).waitFor();
  await equals(() => page.locator('.pane-over span').first().textContent(), 'über');
  await page.keyboard.press('F1');
  await page.locator('dialog.palette input').fill('English');
  await page.keyboard.press('Enter');
  await page.waitForSelector('html[lang=en] body[data-ready]');
  await page.getByRole('tab', { name: 'Source', exact: true }).waitFor();
  await close();
});

test('a German page shows no English word that has a translation', async () => {
  const { GERMAN } = await import(join(TOP, 'studio/web/src/german.js'));
  const german = new Set(Object.values(GERMAN));
  const english = Object.keys(GERMAN).filter((key) => !german.has(key));
  const { page, close } = await startStudio({ ...ball, locale: 'de-DE' });
  /** Texts, titles, names and placeholders that are seen. */
  const look = async (where) => {
    const found = await page.evaluate((words) => {
      const known = new Set(words);
      const seen = (element) => element?.getClientRects().length && !element.closest('.cm-editor');
      const texts = [];
      const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (nodes.nextNode())
        if (seen(nodes.currentNode.parentElement)) texts.push(nodes.currentNode.textContent);
      for (const element of document.querySelectorAll('[title], [aria-label], [placeholder]'))
        if (seen(element))
          for (const name of ['title', 'aria-label', 'placeholder'])
            texts.push(element.getAttribute(name) ?? '');
      for (const option of document.querySelectorAll('option')) texts.push(option.textContent);
      return [...new Set(texts.map((text) => text.trim()).filter((text) => known.has(text)))];
    }, english);
    assert.deepEqual(found, [], where);
  };
  await look('before a run');
  await run(page);
  await page.locator('.value[data-name=e] input[type=range]').evaluate((input) => {
    input.value = '0.5';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.waitForSelector('.run:not(.present) .run-name', { state: 'attached' });
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    if (tab === 'equations') await page.waitForSelector('.equation');
    if (tab === 'runs') await page.locator('[aria-expanded=false]:has(.icon)').last().click();
    if (tab === 'measure') {
      await page.locator('.measure button', { hasText: 'Sichtbare Spanne' }).click();
      await page.waitForSelector('.measure-table td[data-field=rms]');
      await page.locator('.spectrum button').click();
      await page.waitForSelector('.spectrum-result p');
    }
    await look(tab);
  }
  for (const kind of ['steady', 'linearize', 'sensitivities', 'fit', 'sweep']) {
    await page.locator('.analyses select').first().selectOption(kind);
    if (kind !== 'steady') {
      await page.locator('button.compute').click(); // or it says what is missing
      await matches(() => page.locator('.analyses').textContent(), /[a-zäöü]{4}/);
    }
    await look(kind);
  }
  await page.keyboard.press('F1');
  await page.waitForSelector('dialog[open]');
  await look('commands');
  await page.keyboard.press('Escape');
  await page.locator('#help').click();
  await page.waitForSelector('dialog[open]');
  await look('keys');
  await close();
});
