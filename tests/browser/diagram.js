// A studio whose page shows the diagram of a model, and the hands of a person on it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, startStudio, until } from './studio.js';

/**
 * @param {string} file in the workspace
 * @param {string} part a component that the diagram shows
 * @param {any} how of startStudio
 */
export async function openDiagram(file, part, how) {
  const studio = await startStudio(how);
  const { page, folder } = studio;
  await page.click('#tab-diagram');
  await page.waitForSelector(`.diagram-place [data-component="${part}"]`);
  return { ...studio, ...handsOn(page), source: () => saved(page, join(folder, file)) };
}

/** What is saved of a file, after the page was asked to save. */
async function saved(page, path) {
  await page.keyboard.press('Control+s');
  return readFileSync(path, 'utf8');
}

/** Places on the screen, and gestures. @param {import('playwright-core').Page} page */
export function handsOn(page) {
  /** The middle of a part on the screen. The picture may be replaced meanwhile. */
  async function at(selector) {
    /** @type {any} */
    let box = null;
    await eventually(async () => {
      box = await page.locator(`.diagram-place ${selector}`).first().boundingBox();
      assert.ok(box, selector);
    });
    return [box.x + box.width / 2, box.y + box.height / 2];
  }
  async function drag(from, to) {
    await page.mouse.move(from[0], from[1]);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 4 });
    await page.mouse.move(to[0], to[1], { steps: 4 });
    await page.mouse.up();
  }
  /** Pixels for a unit of the class. */
  const scale = () =>
    page.evaluate(() => {
      const place = /** @type {any} */ (document.querySelector('.diagram-place'));
      return place.clientWidth / place.querySelector('svg').viewBox.baseVal.width;
    });
  /** The point of the screen at which a point of the class is seen. */
  const pointAt = (x, y) =>
    page.evaluate(
      ([px, py]) => {
        const place = /** @type {any} */ (document.querySelector('.diagram-place'));
        const area = place.getBoundingClientRect();
        const view = place.querySelector('svg').viewBox.baseVal;
        return [
          area.left + ((px - view.x) * area.width) / view.width,
          area.top + ((-py - view.y) * area.height) / view.height,
        ];
      },
      [x, y],
    );
  return { at, drag, scale, pointAt };
}

/** Waits until a handle lies at a point. */
export const isAt = (page, handle, point) =>
  until(
    () =>
      page.evaluate(
        ([h, x, y]) => !!document.elementFromPoint(x, y)?.closest(h), [handle, ...point]),
    `${handle} at ${point}`,
  );

export const hasText = (source, pattern) =>
  eventually(async () => assert.match(await source(), pattern));
