// Two cursors and what is measured between them; spectra: numbers against closed forms.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { closeBrowser, eventually, matches, run, startStudio } from './studio.js';

after(closeBrowser);

const SIGNALS = `model Signals
  Real u(unit = "V") = 3 + 2 * sin(2 * 3.14159265358979 * 50 * time);
  Real ramp(unit = "A") = 4 * time + (if time > 0.02 then 1 else 0);
  Boolean high = sample_phase < 0.01;
  discrete Real sample_start(start = 0, fixed = true);
  Real sample_phase = time - sample_start;
  Real square = if high then 1 else -1;
  Real x(start = 1, fixed = true);
equation
  when sample(0.02, 0.02) then
    sample_start = time;
  end when;
  der(x) = -100 * x;
  annotation(experiment(StopTime = 0.1));
end Signals;
`;

async function plot(page, name) {
  await page.click('#tab-variables');
  await page
    .locator('#panel-variables input[type=search], #panel-variables .filter input')
    .first()
    .fill(name);
  const row = page.locator('.variable', { has: page.getByText(name, { exact: true }) });
  await row.locator('input').first().check();
}

/** A number of the table of measurements. */
async function measured(page, name, field) {
  const cell = page.locator(`.measure-table tr[data-name="${name}"] td[data-field=${field}]`);
  return Number(await cell.getAttribute('data-value'));
}

const near = (value, exact, by, what) =>
  assert.ok(Math.abs(value - exact) <= by, `${what} is ${value} instead of ${exact}`);

test('cursors measure values, means, extremes, integrals and periods', async () => {
  const { page, close } = await startStudio({
    files: { 'Signals.mo': SIGNALS },
    args: ['Signals.mo'],
  });
  await run(page);
  for (const name of ['u', 'ramp']) await plot(page, name);
  await page.click('#tab-measure');
  await matches(() => page.locator('.measure-table').textContent(), /click with Shift/);
  // First by the mouse: both cursors appear, and a wrong time is refused in its field.
  const box = await page.locator('.pane .u-over').first().boundingBox();
  await page.mouse.click(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.keyboard.down('Shift');
  await page.mouse.click(box.x + box.width * 0.7, box.y + box.height / 2);
  await page.keyboard.up('Shift');
  await matches(() => page.locator('.measure-delta').textContent(), /Δ 0\.0[45]/);
  await page.getByLabel('Time of cursor 1').fill('soon');
  await page.getByLabel('Time of cursor 1').press('Tab');
  assert.equal(await page.getByLabel('Time of cursor 1').getAttribute('aria-invalid'), 'true');
  // Then by numbers: four whole periods of the sine, from one maximum to another.
  await page.getByLabel('Time of cursor 1').fill('5m');
  await page.getByLabel('Time of cursor 1').press('Tab');
  await page.getByLabel('Time of cursor 2').fill('0.085');
  await page.getByLabel('Time of cursor 2').press('Tab');
  await eventually(async () => {
    for (const [field, exact, by] of [
      ['first', 5, 1e-5],
      ['last', 5, 1e-5],
      ['difference', 0, 1e-5],
      ['slope', 0, 1e-3],
      ['mean', 3, 1e-6],
      ['rms', Math.sqrt(11), 1e-6],
      ['min', 1, 1e-5],
      ['max', 5, 1e-5],
      ['integral', 0.24, 1e-7],
      ['period', 0.02, 1e-6],
      ['frequency', 50, 1e-3],
    ])
      near(await measured(page, 'u', field), exact, by, `${field} of u`);
    near(await measured(page, 'ramp', 'difference'), 1.32, 1e-9, 'difference of ramp');
    near(await measured(page, 'ramp', 'slope'), 16.5, 1e-7, 'slope of ramp');
    near(
      await measured(page, 'ramp', 'integral'),
      2 * (0.085 ** 2 - 0.005 ** 2) + 0.065,
      1e-9,
      'integral',
    );
  });
  await matches(() => page.locator('.measure-table').textContent(), /V·s/);
  await close();
});

test('the spectrum of a square wave has its harmonics and its distortion', async () => {
  const { page, close } = await startStudio({
    files: { 'Signals.mo': SIGNALS },
    args: ['Signals.mo'],
  });
  await run(page);
  await plot(page, 'square');
  await page.click('#tab-measure');
  await page.getByLabel('Variable of the spectrum').selectOption('square');
  await page.getByRole('button', { name: 'Spectrum' }).click();
  await page.waitForSelector('.spectrum-result tr[data-order="5"]');
  for (const order of [1, 3, 5, 2]) {
    const row = page.locator(`.spectrum-result tr[data-order="${order}"]`);
    const exact = order % 2 ? 4 / (Math.PI * order) : 0;
    near(Number(await row.getAttribute('data-amplitude')), exact, 1e-6, `harmonic ${order}`);
  }
  const head = page.locator('.spectrum-result p');
  near(Number(await head.getAttribute('data-thd')), Math.sqrt(Math.PI ** 2 / 8 - 1), 1e-6, 'THD');
  near(Number(await head.getAttribute('data-fundamental')), 50, 1e-6, 'fundamental');
  await page.getByLabel('Fundamental frequency').fill('x');
  await page.getByRole('button', { name: 'Spectrum' }).click();
  await matches(() => page.locator('.spectrum-result').textContent(), /positive number/);
  await close();
});

/** Centres of the dots of the first pane at a time, in pixels from the top left, and its size. */
async function dotsAt(page, time) {
  await page.getByLabel('Time of cursor 1').fill(String(time));
  await page.getByLabel('Time of cursor 1').press('Tab');
  await page.mouse.move(5, 5);
  return page
    .locator('.pane .u-over')
    .first()
    .evaluate((over) => ({
      width: over.clientWidth,
      height: over.clientHeight,
      dots: [...over.querySelectorAll('.pane-dots i')].map((dot) => {
        const { e, f } = new DOMMatrix(getComputedStyle(dot).transform);
        return [e, f];
      }),
    }));
}

test('functions of variables, a logarithmic axis, a second one, zoom and pan in both', async () => {
  const { page, close } = await startStudio({
    files: { 'Signals.mo': SIGNALS },
    args: ['Signals.mo'],
  });
  await run(page);
  await page.click('#tab-measure');
  // A logarithmic ordinate makes the exponential a straight line.
  await page.getByLabel('Logarithmic ordinate').click();
  await eventually(async () => {
    const tops = [];
    for (const time of [0, 0.05, 0.1]) tops.push((await dotsAt(page, time)).dots[0][1]);
    near(tops[1], (tops[0] + tops[2]) / 2, 0.5, 'middle of the line');
    assert.ok(tops[2] - tops[0] > 50, `it falls: ${tops}`);
  });
  await page.getByLabel('Logarithmic ordinate').click();
  // A function is drawn, and its value is shown; mistakes are said.
  const field = page.getByLabel('Function of variables');
  for (const [text, wrong] of [
    ['u*', /a value is missing/],
    ['u*nothing', /no variable “nothing”/],
  ]) {
    await field.fill(text);
    await field.press('Enter');
    await matches(() => page.locator('#notices').textContent(), wrong);
  }
  await field.fill('u*ramp');
  await field.press('Enter');
  await dotsAt(page, 0.03);
  await matches(() => page.locator('.legend-value[data-name="= u*ramp"]').textContent(), /^3\.36/);
  await page.getByLabel('Remove = u*ramp from this pane').click();
  // The ramp goes to the right, so that the axis on the left is that of the sine: 1 to 5.
  for (const name of ['u', 'ramp']) await plot(page, name);
  await page.getByLabel('Remove x from this pane').click();
  await page.locator('.legend-name', { hasText: /^ramp$/ }).click();
  await page.waitForSelector('.legend-entry.right');
  const [low, high] = [1 - 0.24, 5 + 0.24];
  await eventually(async () => {
    const { height, dots } = await dotsAt(page, 0.015);
    near(dots[0][1], (height * (high - 1)) / (high - low), 1.5, 'the minimum');
  });
  // A steep drag zooms the ordinate.
  const box = await page.locator('.pane .u-over').first().boundingBox();
  const at = (x, y) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(0.5, 0.25));
  await page.mouse.down();
  await page.mouse.move(...at(0.5, 0.75), { steps: 4 });
  await page.mouse.up();
  const [top, bottom] = [0.25, 0.75].map((share) => high - share * (high - low));
  const expected = (height) => (height * (top - 3.5)) / (top - bottom);
  const time = 0.02 + Math.asin(0.25) / (100 * Math.PI); // u is 3.5
  await eventually(async () => {
    const { height, dots } = await dotsAt(page, time);
    near(dots[0][1], expected(height), 3, 'after the zoom');
  });
  // Alt drags the picture along.
  const before = await dotsAt(page, time);
  await page.keyboard.down('Alt');
  await page.mouse.move(...at(0.5, 0.4));
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width + 30, box.y + 0.4 * box.height + 20, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Alt');
  await eventually(async () => {
    const moved = await dotsAt(page, time);
    near(moved.dots[0][0] - before.dots[0][0], 30, 2, 'to the right');
    near(moved.dots[0][1] - before.dots[0][1], 20, 2, 'downwards');
  });
  await page.locator('.pane .u-over').first().dblclick();
  await eventually(async () => {
    const { height, dots } = await dotsAt(page, 0.015);
    near(dots[0][1], (height * (high - 1)) / (high - low), 1.5, 'everything again');
  });
  await close();
});
