// The views of a model: classes and search, diagram, documentation, equations, phase plane.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { closeBrowser, equals, example, matches, run, startStudio, until } from './studio.js';

after(closeBrowser);

const CIRCUIT = `model Circuit "Two boxes and a wire"
  connector Pin
    Real v;
    flow Real i;
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}},
      fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}));
  end Pin;
  model Box
    Pin p annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Real k = 1;
  equation
    p.v = k;
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -60}, {100, 60}}),
      Text(extent = {{-90, 30}, {90, -30}}, textString = "%name")}));
  end Box;
  model Load
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Real x(start = 0, fixed = true);
  equation
    der(x) = p.v - x;
    p.i = x;
    annotation(Icon(graphics = {Ellipse(extent = {{-90, -90}, {90, 90}})}));
  end Load;
  Box source annotation(Placement(transformation(extent = {{-60, -20}, {-20, 20}})));
  Load load annotation(Placement(transformation(extent = {{20, -20}, {60, 20}})));
equation
  connect(source.p, load.p) annotation(Line(points = {{-20, 0}, {20, 0}}));
  annotation(experiment(StopTime = 3), Documentation(info = "<html>
    <p>Said <b onclick=\\"document.title = 'bad'\\">here</b>.</p>
    <script>document.title = 'bad';</script>
    <img src=x onerror=\\"document.title='bad'\\"></html>"));
end Circuit;
`;
const circuit = { files: { 'Circuit.mo': CIRCUIT }, args: ['Circuit.mo'] };

test('a click on a component leads to its source and its variables', async () => {
  const { page, close } = await startStudio(circuit);
  await run(page);
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place [data-component=load]');
  const before = await page.locator('.diagram-place svg').getAttribute('viewBox');
  await page.locator('.diagram-place').hover();
  await page.mouse.wheel(0, -300);
  await until(
    async () => (await page.locator('.diagram-place svg').getAttribute('viewBox')) !== before,
    'zoomed',
  );
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('0');
  await until(
    async () => (await page.locator('.diagram-place svg').getAttribute('viewBox')) === before,
    'all of it again',
  );
  await page.locator('.diagram-place [data-component=load]').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.cm-marked');
  await matches(() => page.locator('.cm-marked').textContent(), /Load load/);
  await page.click('#tab-variables');
  const names = await page.locator('.variable-name').allTextContents();
  assert.ok(names.length > 0 && names.every((name) => name.includes('load')), names.join());
  await close();
});

test('documentation is shown, and nothing in it acts', async () => {
  const { page, close } = await startStudio(circuit);
  await page.click('#tab-documentation');
  await page.waitForSelector('.doc-text');
  await page.locator('.doc-text b').click();
  await matches(() => page.locator('.doc-text').textContent(), /Said here\./);
  await equals(
    () => page.locator('.doc-text script, .doc-text img, .doc-text [onclick]').count(),
    0,
  );
  await matches(() => page.title(), /Kairos studio$/);
  await close();
});

test('equations lead to their lines, and the incidence matrix is drawn', async () => {
  const { page, close } = await startStudio(circuit);
  await page.click('#tab-equations');
  await page.waitForSelector('.equation');
  await page.waitForSelector('.incidence:not([hidden]) canvas');
  await until(
    () => page.locator('.incidence canvas').evaluate((canvas) => canvas.width > 10),
    'a picture',
  );
  await page.locator('.equation:not([disabled])').first().click();
  await page.waitForSelector('.cm-marked');
  await close();
});

test('classes are found by search and opened from the tree', async () => {
  const { page, close } = await startStudio({
    files: { 'BouncingBall.mo': example('BouncingBall'), 'Circuit.mo': CIRCUIT },
  });
  await page.keyboard.press('Control+p');
  await page.keyboard.type('bouncing');
  await page.waitForSelector('.tree:not([hidden]) .tree-row[data-full=BouncingBall]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.file-tab.active');
  await matches(() => page.locator('.file-tab.active').textContent(), /BouncingBall\.mo/);
  await page.locator('#search').fill('');
  await page.waitForSelector('.tree:not([hidden]) .tree-row[data-full=Circuit]');
  await page.locator('.tree:not([hidden]) .tree-row[data-full=Circuit] .twisty').click();
  await page.waitForSelector('.tree-row[data-full="Circuit.Load"]');
  await page.locator('.tree-row[data-full="Circuit.Load"]').click();
  await page.waitForSelector('.cm-marked');
  await matches(() => page.locator('.cm-marked').textContent(), /model Load/);
  await close();
});

test('a phase plane, a second pane, a variable more', async () => {
  const { page, close } = await startStudio({
    files: { 'BouncingBall.mo': example('BouncingBall') },
    args: ['BouncingBall.mo'],
  });
  await run(page);
  await page.click('[aria-label="Add a phase plane"]');
  await until(async () => (await page.locator('.pane').count()) === 3, 'three panes');
  await equals(() => page.locator('.pane-x').nth(2).inputValue(), 'h');
  await page.click('[aria-label="Add a pane"]');
  await page.click('#tab-variables');
  const names = await page.locator('.variable-name').allTextContents();
  const index = names.findIndex((name) => name.startsWith('der('));
  await page.locator('.variable input').nth(Math.max(0, index)).click();
  await until(
    async () => (await page.locator('.pane').nth(3).locator('.legend-name').count()) === 1,
    'a variable in the new pane',
  );
  await close();
});

test('an array looks like a stack, and its name is written once', async () => {
  const { page, close } = await startStudio({
    files: { 'SixPulseRectifier.mo': example('SixPulseRectifier') },
    args: ['SixPulseRectifier.mo'],
  });
  await page.click('#tab-diagram');
  const part = page.locator('.diagram-place [data-component=upper]');
  await part.waitFor();
  const shadow = (selector) =>
    part.locator(selector).first().evaluate((one) => {
      for (let at = one; at?.ownerSVGElement; at = at.parentElement)
        if (getComputedStyle(at).filter !== 'none') return true;
      return false;
    });
  await equals(() => shadow('path:not(.target)'), true);
  await equals(() => shadow(':scope > text'), false);
  await close();
});
