// What lasts: files, runs and layout over a reload; and files that another program changes.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import {
  BLUE,
  closeBrowser,
  equals,
  example,
  matches,
  pixelsOf,
  progressTo,
  run,
  startStudio,
  until,
} from './studio.js';

after(closeBrowser);
const ball = { files: { 'BouncingBall.mo': example('BouncingBall') }, args: ['BouncingBall.mo'] };

test('files, unsaved text, panes, values and runs survive a reload', async () => {
  const { page, ready, close } = await startStudio(ball);
  await run(page);
  await page.click('[aria-label="Add a phase plane"]');
  await page.locator('.value[data-name=g] .value-field').fill('5');
  await page.keyboard.press('Enter');
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  const kept = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/api/layout') &&
      (answer.request().postData() ?? '').includes(' // mine'),
  );
  await page.keyboard.type(' // mine');
  await kept;
  await page.reload();
  await ready();
  await page.waitForSelector('.file-tab.dirty');
  await matches(() => page.locator('.cm-line').first().textContent(), /\/\/ mine$/);
  await until(async () => (await page.locator('.pane').count()) === 3, 'three panes');
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'the curve of the run');
  await until(
    async () => (await page.locator('.value[data-name=g] .value-field').count()) === 1,
    'parameters',
  );
  await equals(() => page.locator('.value[data-name=g] .value-field').inputValue(), '5');
  await page.locator('.event').first().waitFor();
  await close();
});

test('after many runs the list stays short, and old runs can still be shown', async () => {
  const { page, close } = await startStudio({
    files: {
      'Line.mo': `model Line
  parameter Real k = 1;
  Real x = k * time;
  Real z(start = 1, fixed = true) = -der(z);
  Boolean late = time > 0.5;
end Line;
`,
    },
    args: ['Line.mo'],
  });
  await run(page);
  await page.click('#tab-analyse');
  await page.getByLabel('Swept parameter').selectOption('k');
  await page.getByLabel('Number of runs').fill('68');
  await page.getByRole('button', { name: 'Compute' }).click();
  await progressTo(() => page.locator('.analysis-said').textContent(), /^68 runs$/);
  await page.click('#run'); // hides the family
  await page.click('#tab-runs');
  await equals(() => page.locator('.row.run').count(), 60);
  await page.getByRole('button', { name: 'Older runs (10)' }).click();
  await equals(() => page.locator('.row.run').count(), 70);
  // The data of old runs has been given back; it comes again.
  await page.locator('.run[data-run="1"] .run-name').click();
  await page.click('#tab-events');
  await matches(() => page.locator('.event').first().textContent(), /0\.5/);
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'its curve');
  await close();
});

test('a file that another program changed is shown anew', async () => {
  const { page, folder, close } = await startStudio(ball);
  await page.waitForSelector('.cm-line');
  writeFileSync(join(folder, 'BouncingBall.mo'), example('BouncingBall').replace('0.7', '0.55'));
  await until(
    async () => (await page.locator('.cm-content').textContent()).includes('0.55'),
    'the new text',
  );
  await equals(() => page.locator('.file-tab.dirty').count(), 0);
  await close();
});

test('with changes on both sides one chooses: differences, keep mine, reload', async () => {
  const { page, folder, close } = await startStudio(ball);
  const file = join(folder, 'BouncingBall.mo');
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(' // mine');
  writeFileSync(file, example('BouncingBall').replace('0.7', '0.55'));
  await page.waitForSelector('.conflict:not([hidden])');
  await page.getByRole('button', { name: 'Differences' }).click();
  await page.waitForSelector('dialog .cm-mergeView');
  await page.getByRole('button', { name: 'Keep mine' }).last().click();
  await page.keyboard.press('Control+s');
  await until(() => readFileSync(file, 'utf8').includes('// mine'), 'mine on disk');
  assert.ok(!readFileSync(file, 'utf8').includes('0.55'));
  await page.locator('.cm-line').first().click();
  await page.keyboard.type('x');
  writeFileSync(file, example('BouncingBall').replace('0.7', '0.45'));
  await page.waitForSelector('.conflict:not([hidden])');
  await page.getByRole('button', { name: 'Reload' }).click();
  await until(
    async () => (await page.locator('.cm-content').textContent()).includes('0.45'),
    'the text of the disk',
  );
  await close();
});

/** A process and those that it started. @param {number} pid @returns {number[]} */
function family(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])];
      } catch {
        return [0, 0]; // it ended meanwhile
      }
    });
  const below = (one) => parents.filter(([, up]) => up === one).flatMap(([id]) => withAll(id));
  const withAll = (one) => [one, ...below(one)];
  return withAll(pid);
}

/**
 * MB of the server, of it with its children, and of the page after collection; counts.
 * @param {import('playwright-core').CDPSession} tools @param {number} pid
 */
async function memoryOf(tools, pid) {
  const own = (id) => {
    try {
      const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  };
  const all = family(pid);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await tools.send('Memory.getDOMCounters');
  return {
    server: own(pid),
    together: all.reduce((sum, id) => sum + own(id), 0),
    processes: all.length,
    page: usedSize / 2 ** 20,
    nodes,
    listeners: jsEventListeners,
  };
}

test('edits, runs and openings leave little in the memory of server and page', async () => {
  const { page, pid, close } = await startStudio({
    files: {
      'BouncingBall.mo': example('BouncingBall'),
      'Other.mo': 'model Other\n  Real x(start = 1, fixed = true) = -der(x);\nend Other;\n',
    },
    args: ['BouncingBall.mo'],
  });
  const tools = await page.context().newCDPSession(page);
  const slider = page.locator('.value[data-name=e] input[type=range]');
  const tab = (name) => page.locator('.file-tab', { hasText: name });
  async function round(i) {
    const edited = i % 2 ? ' // odd' : '';
    await tab('BouncingBall.mo').click();
    await page.locator('.cm-line').first().click();
    await page.keyboard.press('End');
    for (let k = 0; k < 7 && !edited && i; k++) await page.keyboard.press('Backspace');
    const checked = page.waitForResponse('**/api/check');
    await page.keyboard.type(edited || ' ');
    if (!edited) await page.keyboard.press('Backspace');
    await checked;
    const answered = page.waitForResponse('**/api/run');
    await run(page);
    await answered;
    const slid = page.waitForResponse('**/api/run');
    await slider.fill(String(0.5 + (i % 4) / 10));
    await slid;
    await page.click('#tab-diagram');
    await page.locator('.tree-row[data-full=Other]').click();
    await tab('Other.mo').waitFor();
    await page.click('#tab-runs');
    const forget = page.getByRole('button', { name: /^Forget run/ });
    for (let n = await page.locator('.run').count(); n > 4; n--) {
      await forget.last().click();
      await until(async () => (await page.locator('.run').count()) < n, 'a run less');
    }
  }
  const measured = [];
  for (let i = 0; i < 60; i++) {
    await round(i);
    if (i % 20 === 19) measured.push(await memoryOf(tools, pid));
  }
  console.log(JSON.stringify(measured));
  const [first, , last] = measured;
  assert.ok(last.server - first.server < 4, 'less than 0.1 MB of the server for a round');
  assert.ok(last.together - first.together < 8, 'less than 0.2 MB of all processes for a round');
  assert.ok(last.processes <= first.processes, 'no more processes');
  assert.ok(last.page - first.page < 2, 'less than 0.05 MB of the page for a round');
  assert.ok(last.nodes - first.nodes < 800, 'less than 20 nodes for a round');
  assert.ok(last.listeners - first.listeners < 40, 'less than one listener for a round');
  await close();
});
