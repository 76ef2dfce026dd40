// The tree of variables, favourites, panes by dragging, and pages of panes for each model.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import {
  closeBrowser,
  equals,
  eventually,
  isKept,
  matches,
  run,
  startStudio,
  until,
} from './studio.js';

after(closeBrowser);

const TANKS = `model Tanks
  model Tank
    parameter Real area(unit = "m2") = 2;
    Real level(unit = "m", start = 1, fixed = true) "of the water";
    Boolean low = level < 0.5;
  equation
    der(level) = -level / area;
  end Tank;
  Tank tank[3](area = {1, 2, 4});
  Real total = sum(tank.level);
end Tanks;
`;
const OTHER = `model Other
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Other;
`;

const legends = (page) =>
  page
    .locator('.pane')
    .evaluateAll((panes) =>
      panes.map((pane) =>
        [...pane.querySelectorAll('.legend-name')].map((one) => one.textContent).join(' '),
      ),
    );

test('variables: tree, filter, favourites, dragging, pages', async () => {
  const { page, ready, close } = await startStudio({
    files: { 'Tanks.mo': TANKS, 'Other.mo': OTHER },
    args: ['Tanks.mo'],
  });
  await run(page);
  await page.click('#tab-variables');
  const names = () => page.locator('.variable-name').allTextContents();
  await equals(names, ['total', 'tank']);
  await page.locator('.variable-branch[data-full=tank]').click();
  await page.locator('.variable-branch[data-full="tank[2]"]').click();
  await equals(names, [
    'total',
    'tank',
    '[1]',
    '[2]',
    'level',
    'der(level)',
    'low',
    'area',
    '[3]',
  ]);
  // Values at the end of the run, types and units are in the rows: level is exp(-1/2).
  const level = page.locator('.variable', { has: page.getByText('level', { exact: true }) });
  await matches(() => level.locator('output').textContent(), /^0\.60653/);
  assert.equal(await level.locator('.unit').textContent(), 'm');
  assert.equal(await level.locator('.kind').textContent(), 'state');
  const low = page.locator('.variable', { has: page.getByText('low', { exact: true }) });
  assert.equal(await low.locator('.variable-type').getAttribute('title'), 'Boolean');
  // By keys: the tree opens, and Space plots.
  await page.locator('.long-list').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.equal((await names()).length, 13));
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await eventually(async () => assert.match((await legends(page)).join(), /total/));
  // The filter knows wildcards; a favourite is found again after a reload.
  await page.getByLabel('Filter variables').fill('tank[?].level');
  await equals(names, ['tank[1].level', 'tank[2].level', 'tank[3].level']);
  await page.getByLabel('Favourite tank[3].level').click();
  await page.getByLabel('Filter variables').fill('nothing like it');
  await matches(() => page.locator('#panel-variables').textContent(), /No variable has such/);
  await page.getByLabel('Filter variables').fill('');
  await page.getByLabel('Which variables').selectOption('favourites');
  await equals(names, ['tank[3].level']);
  // A row is dragged into a pane of a new page.
  await page.getByRole('button', { name: 'Add a page of panes' }).click();
  await equals(() => page.locator('.pages .tab').allTextContents(), ['1', '2']);
  await page.locator('.variable').dragTo(page.locator('#plots .plots-empty'));
  await equals(() => legends(page), ['tank[3].level']);
  await page.getByLabel('Which variables').selectOption('all');
  await page.locator('.variable', { hasText: 'total' }).dragTo(page.locator('.pane .u-over'));
  await equals(() => legends(page), ['tank[3].level total']);
  await page.locator('.pages .tab').nth(1).dblclick();
  await page.getByLabel('Title of the page').fill('levels');
  await page.getByLabel('Title of the page').press('Enter');
  await equals(() => page.locator('.pages .tab').allTextContents(), ['1', 'levels']);
  // Another model has its own panes, and the first one gets its own back, also after a reload.
  await page.click('.tree-row >> text=Other');
  await eventually(async () => assert.match(await page.title(), /^Other/));
  await run(page);
  await equals(() => legends(page), ['x']);
  await isKept(page, (layout) => /levels/.test(JSON.stringify(layout)) && layout.class === 'Other');
  await page.reload();
  await ready();
  await equals(() => legends(page), ['x']);
  await page.click('.tree-row >> text=Tanks');
  await eventually(async () => assert.match(await page.title(), /^Tanks/));
  await run(page);
  await equals(() => legends(page), ['tank[3].level total']);
  await page.getByRole('button', { name: 'Close page levels' }).click();
  await eventually(async () => assert.ok((await legends(page)).join().includes('total')));
  assert.equal(await page.locator('.pages').isVisible(), false);
  await close();
});

test('long values of parameters are seen whole', async () => {
  const { page, close } = await startStudio({
    files: {
      'Long.mo': `model Long
  parameter Real short(unit="m") = 1.5;
  parameter Real long(unit="m") = -1.23456789012345e-100;
  Real x = short * long;
end Long;
`,
    },
    args: ['Long.mo'],
  });
  const field = (name) => page.locator(`.value[data-name=${name}] .value-field`);
  const isWhole = (name) => field(name).evaluate((one) => one.scrollWidth <= one.clientWidth);
  await matches(() => field('long').inputValue(), /^-1\.23456789012e-100$/);
  assert.ok(await isWhole('long'), 'the long number');
  await matches(() => field('long').getAttribute('title'), /^-1\.23456789012345e-100$/);
  await field('short').fill('12345.678901234567');
  await page.keyboard.press('Enter');
  await until(() => isWhole('short'), 'a number that became long');
  await matches(() => field('short').getAttribute('title'), /^12345\.678901234567$/);
  await close();
});
