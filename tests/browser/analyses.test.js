// Sweeps, analyses, fits, and runs with names and differences: numbers against closed forms.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { closeBrowser, equals, eventually, matches, run, startStudio } from './studio.js';

after(closeBrowser);

const MASS = `model Mass
  parameter Real m(unit = "kg") = 2, d = 0.4, c = 8;
  input Real F;
  output Real y = x;
  Real x(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true);
equation
  der(x) = v;
  m * der(v) = F - d * v - c * x;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Mass;
`;
/** The position for some damping, without a force. */
const position = (t, d) => {
  const a = d / 4;
  const w = Math.sqrt(4 - a * a);
  return Math.exp(-a * t) * (Math.cos(w * t) + (a / w) * Math.sin(w * t));
};

const near = (value, exact, by, what) =>
  assert.ok(Math.abs(value - exact) <= by, `${what} is ${value} instead of ${exact}`);
const cell = (page, name, column) =>
  page
    .locator(`.analysis-table tr[data-name="${name}"] td`)
    .nth(column)
    .getAttribute('data-value')
    .then(Number);

test('sweep, steady state, linear model, sensitivities, fit, differences of runs', async () => {
  const { page, folder, close } = await startStudio({
    files: { 'Mass.mo': MASS },
    args: ['Mass.mo'],
  });
  await run(page);
  await page.click('#tab-analyse');
  const choose = (kind) => page.getByLabel('Analysis', { exact: true }).selectOption(kind);
  const compute = () => page.getByRole('button', { name: 'Compute' }).click();
  const said = () => page.locator('.analysis-said').textContent();

  // A sweep: wrong numbers are refused, right ones give a family of curves and a figure of each.
  await page.getByLabel('Swept parameter').selectOption('d');
  await page.getByLabel('Number of runs').fill('0');
  await compute();
  await matches(said, /number of runs must be between/);
  await page.getByLabel('Number of runs').fill('4');
  await page.getByLabel('From', { exact: true }).fill('0.2');
  await page.getByLabel('To', { exact: true }).fill('0.8');
  await compute();
  await matches(said, /^4 runs$/);
  await page.getByLabel('Variable', { exact: true }).selectOption('x');
  await eventually(async () => {
    const ends = await page
      .locator('.sweep-chart td')
      .evaluateAll((cells) => cells.map((one) => Number(one.dataset.value)));
    assert.equal(ends.length, 4);
    ends.forEach((end, i) => near(end, position(2, 0.2 + 0.2 * i), 1e-6, `end of run ${i}`));
  });
  assert.equal(await page.locator('.small-chart circle').count(), 4);
  await page.click('#tab-runs');
  await equals(
    () => page.locator('.run-name').allTextContents(),
    ['d = 0.8', 'd = 0.6', 'd = 0.4', 'd = 0.2', 'Mass #1'],
  );

  // Differences: the run with d = 0.8 minus that with d = 0.2, at t = 1.
  const plotted = page.locator('.legend-value[data-name="x"]');
  const first = page.locator('.run', { hasText: 'd = 0.2' });
  await first.getByRole('button', { name: /Differences from run/ }).click();
  await matches(() => page.locator('.plots-about').textContent(), /differences from d = 0\.2/);
  await page.click('#tab-measure');
  await page.getByLabel('Time of cursor 1').fill('1');
  await page.getByLabel('Time of cursor 1').press('Tab');
  await page.mouse.move(5, 5);
  await eventually(async () => {
    const value = Number((await plotted.textContent()).replace('−', '-').split(' ')[0]);
    near(value, position(1, 0.8) - position(1, 0.2), 1e-4, 'the difference');
  });
  await page.click('#tab-runs');
  await first.getByRole('button', { name: /Differences from run/ }).click();

  // A name and a note stay over a reload.
  await page.getByLabel('Describe run 1').click();
  await page.getByLabel('Name of the run').fill('as built');
  await page.getByLabel('Name of the run').press('Enter');
  await page.getByLabel('Note on the run').fill('before the change');
  await page.getByLabel('Note on the run').press('Tab');
  await page.getByLabel('Describe run 1').click();
  await matches(() => page.locator('.run-note').textContent(), /before the change/);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await page.click('#tab-runs');
  await equals(() => page.locator('.run-name').last().textContent(), 'as built');

  // The analyses of the command line.
  await run(page);
  await page.click('#tab-analyse');
  await choose('linearize');
  await page.getByLabel('Point').fill('soon');
  await compute();
  await matches(said, /must be a time/);
  await page.getByLabel('Point').fill('');
  await compute();
  await page.waitForSelector('.analysis-picture[alt=Bode]');
  near(await cell(page, '1', 0), -0.1, 1e-9, 'real part of the pole');
  near(Math.abs(await cell(page, '1', 1)), Math.sqrt(4 - 0.01), 1e-9, 'its imaginary part');
  near(await cell(page, '1', 3), 0.05, 1e-9, 'its damping');
  await choose('steady');
  await compute();
  await matches(() => page.locator('.analysis-head').textContent(), /equilibrium, stable/);
  near(await cell(page, 'x', 0), 0, 1e-9, 'x at rest');
  await choose('sensitivities');
  await compute();
  await matches(said, /choose a parameter/);
  await page.locator('.name-picker').getByLabel('d', { exact: true }).check();
  await compute();
  await page.waitForSelector('.analysis-table tr[data-name="end(x)"]');
  const slope = (position(2, 0.4 + 1e-4) - position(2, 0.4 - 1e-4)) / 2e-4;
  near(await cell(page, 'end(x)', 1), slope, 1e-5, 'sensitivity of the end');

  // A fit: a wrong file is refused with its line; gaps are said and left out.
  await choose('fit');
  const load = async (text) => {
    writeFileSync(join(folder, 'data.csv'), text);
    await page.getByLabel('Measured values').setInputFiles(join(folder, 'data.csv'));
  };
  await load('time,x\n0,1\n0.1,one\n');
  await matches(said, /data\.csv, line 3: “one” is not a number/);
  const rows = [];
  for (let i = 0; i <= 40; i++)
    rows.push(`${i / 20},${i === 7 ? '' : 1000 * position(i / 20, 0.9)},${i}`);
  await load(`time,x [mm],other\n${rows.join('\n')}\n`);
  await matches(() => page.locator('.measured').textContent(), /41 rows of x/);
  await matches(() => page.locator('.analysis-form').textContent(), /1 values are missing/);
  await matches(() => page.locator('.analysis-form').textContent(), /no variable “other”/);
  await load(`time,x [mm]\n${rows.map((row) => row.replace(/,\d+$/, '')).join('\n')}\n`);
  await page.locator('.name-picker').getByLabel('d', { exact: true }).check();
  await compute();
  await page.waitForSelector('.analysis-table tr[data-name=d]');
  near(await cell(page, 'd', 0), 0.9, 1e-5, 'fitted damping');
  await page.getByRole('button', { name: 'Use these values and run' }).click();
  await page.click('#tab-runs');
  await matches(() => page.locator('.run').first().textContent(), /d = 0\.9/);
  await close();
});
