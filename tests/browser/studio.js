// A studio for a test: the real program ($KAIROS) on a folder of its own, and a page of Chromium
// that looks at it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** The checkout: the tests run as a copy in build-web/tests/browser, beside their packages. */
export const TOP = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const PATIENCE = 30000; // ms that any single wait may take on a loaded machine

/** An example of the project, without what its own tests read. @param {string} name */
export const example = (name) =>
  readFileSync(join(TOP, 'examples', `${name}.mo`), 'utf8').replace(/\n\n\/\/ [\s\S]*$/, '\n');

/**
 * Programs that a failed test left behind.
 * @type {Set<import('node:child_process').ChildProcess>}
 */
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** @type {Promise<import('playwright-core').Browser>|null} */
let browser = null;
const launch = () =>
  (browser ??= chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  }));

/**
 * The first line of the program's output.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
function firstLine(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('kairos studio prints no address')), PATIENCE);
    let text = '';
    child.stdout?.on('data', (data) => {
      text += data;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      resolve(text.slice(0, text.indexOf('\n')));
    });
    child.on('exit', (code) => reject(new Error(`kairos studio ended with ${code}`)));
  });
}

/**
 * Holds back each answer of the server for a time that differs from call to call.
 * @param {import('playwright-core').Page} page
 * @param {number} most milliseconds
 */
async function delayAnswers(page, most) {
  let seed = 1;
  await page.route(/\/api\/(?!events)/, async (route) => {
    seed = (seed * 48271) % 2147483647;
    try {
      const response = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, (most * seed) / 2147483647));
      await route.fulfill({ response });
    } catch {
      await route.abort().catch(() => {}); // the page was left meanwhile
    }
  });
}

/**
 * @param {{files?: Record<string, string>, size?: [number, number], scheme?: 'light'|'dark', args?:
 * string[], open?: boolean, scale?: number, locale?: string, slow?: number}} [how]
 *        `open` false: the page is left to the test; `slow`: answers of the server take up to so
 * many milliseconds more, and overtake each other
 */
export async function startStudio(how = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kairos-studio-'));
  for (const [name, text] of Object.entries(how.files ?? {}))
    writeFileSync(join(folder, name), text);
  const kairos = process.env.KAIROS ?? join(TOP, 'build-test/kairos');
  const child = spawn(kairos, ['studio', '--no-open', '--workspace', folder, ...(how.args ?? [])], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      XDG_STATE_HOME: join(folder, '.state'),
      XDG_CACHE_HOME: join(folder, '.cache'),
    },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const address = await firstLine(child);
  const [width, height] = how.size ?? [1440, 900];
  const context = await (
    await launch()
  ).newContext({
    viewport: { width, height },
    colorScheme: how.scheme ?? 'light',
    acceptDownloads: true,
    deviceScaleFactor: how.scale ?? 1,
    locale: how.locale ?? 'en-US',
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const slow = how.slow ?? Number(process.env.KAIROS_SLOW_SERVER ?? 0);
  if (slow) await delayAnswers(page, slow);
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  const ready = () => page.waitForSelector('body[data-ready]');
  if (how.open !== false) {
    await page.goto(address);
    await ready();
  }
  return {
    page,
    folder,
    address,
    pid: Number(child.pid),
    errors,
    ready,
    async close() {
      await context.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
      if (errors.length) throw new Error(`errors in the page:\n${errors.join('\n')}`);
    },
  };
}

export async function closeBrowser() {
  await (await browser)?.close();
  children.forEach((child) => child.kill('SIGKILL'));
}

/** Runs and waits for the end. @param {import('playwright-core').Page} page */
export async function run(page) {
  await page.click('#run');
  await page.waitForSelector('.progress-text[data-status=done]');
}

/**
 * How many pixels of pane number `index` have about this colour.
 * @param {import('playwright-core').Page} page
 * @param {number} index
 * @param {[number, number, number]} colour
 */
export function pixelsOf(page, index, colour) {
  return page
    .locator('.pane canvas')
    .nth(index)
    .evaluate((canvas, [r, g, b]) => {
      const { data } = /** @type {any} */ (canvas)
        .getContext('2d')
        .getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (
          data[i + 3] > 128 &&
          Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b) < 60
        )
          count++;
      return count;
    }, colour);
}

/**
 * Waits until two pictures in a row are the same.
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator} [part]
 */
export async function still(page, part) {
  let last = '';
  await until(async () => {
    const picture = await (part ?? page).screenshot({ animations: 'disabled' });
    const before = last;
    last = picture.toString('base64');
    return last === before;
  }, 'the page stands still');
}

/**
 * Waits until the server keeps a layout that passes the test.
 * @param {import('playwright-core').Page} page @param {(layout: any) => boolean} test
 */
export const isKept = (page, test) =>
  until(async () => {
    const state = await page.evaluate(async () => (await fetch('/api/state')).json());
    return Boolean(state.layout && test(state.layout));
  }, 'the layout is kept');

/** Whether so much else goes on that times tell nothing of the studio. */
export const isBusy = () => loadavg()[0] > cpus().length;

export const BLUE = /** @type {[number, number, number]} */ ([0, 114, 178]);

/**
 * Waits until `test` gives true.
 * @param {() => Promise<boolean>|boolean} test
 * @param {string} what
 */
export async function until(test, what) {
  const end = Date.now() + PATIENCE;
  while (!(await test())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/**
 * Tries `check` until it does not throw, or throws its last error.
 * @param {() => Promise<void>} check
 */
export async function eventually(check) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/**
 * Waits until what is read matches, for as long as it goes on changing: long work takes as long as
 * the machine needs.
 * @param {() => Promise<any>} read @param {RegExp} pattern
 */
export async function progressTo(read, pattern) {
  let last = null;
  let end = 0;
  for (;;) {
    const text = (await read()) ?? '';
    if (pattern.test(text)) return;
    if (text !== last) end = Date.now() + PATIENCE;
    if (Date.now() > end) assert.match(text, pattern);
    last = text;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Waits until what is read equals a value. @param {() => Promise<any>} read @param {any} value */
export const equals = (read, value) =>
  eventually(async () => assert.deepEqual(await read(), value));

/** Waits until what is read matches. @param {() => Promise<any>} read @param {RegExp} pattern */
export const matches = (read, pattern) =>
  eventually(async () => assert.match((await read()) ?? '', pattern));
