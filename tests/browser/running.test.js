// Runs: sliders that the curves follow, events that lead to the source, runs to compare, failures
// that are explained, exports.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import {
  BLUE,
  closeBrowser,
  equals,
  eventually,
  example,
  isBusy,
  matches,
  pixelsOf,
  run,
  startStudio,
  still,
  until,
} from './studio.js';

const FLUENT = 12; // frames a second that a slow machine reaches too
after(closeBrowser);
const ball = { files: { 'BouncingBall.mo': example('BouncingBall') }, args: ['BouncingBall.mo'] };
const slider = '.value[data-name=e] input[type=range]';

test('moving a slider changes the curve without compiling', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  const compiled = [];
  page.on(
    'request',
    (request) => request.url().endsWith('/api/model') && compiled.push(request.url()),
  );
  await page.locator(slider).fill('0.9');
  await until(async () => (await page.locator('.event').count()) === 3, 'three impacts at e = 0.9');
  await equals(() => page.locator('.value[data-name=e] .value-field').inputValue(), '0.9');
  assert.equal(compiled.length, 0);
  await page.locator('.value[data-name=e] .value-back').click();
  await until(async () => (await page.locator('.event').count()) === 4, 'four impacts at e = 0.7');
  await close();
});

test('the curves follow a slider at 20 frames a second or more', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  let answers = 0;
  page.on('response', (response) => {
    if (response.url().endsWith('/api/run')) answers++;
  });
  let best = 0;
  for (let attempt = 0; attempt < 3 && best < FLUENT; attempt++) {
    answers = 0;
    const seconds = await page.locator(slider).evaluate(
      (input) =>
        new Promise((resolve) => {
          const start = performance.now();
          const move = () => {
            const passed = (performance.now() - start) / 1000;
            input.value = String(0.5 + 0.4 * Math.sin(3 * passed));
            input.dispatchEvent(new Event('input', { bubbles: true }));
            if (passed < 1.5) requestAnimationFrame(move);
            else resolve(passed);
          };
          move();
        }),
    );
    best = Math.max(best, answers / seconds);
  }
  console.log(`${best.toFixed(0)} frames a second`);
  assert.ok(best >= (isBusy() ? 2 : FLUENT), `${best.toFixed(1)} frames a second`);
  await close();
});

test('a click on an event shows its relation and places the cursor', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  await page.locator('.event').nth(1).click();
  await page.waitForSelector('.cm-marked');
  await matches(() => page.locator('.cm-marked').textContent(), /when h <= 0 then/);
  await until(
    async () => /^2\.17/.test(await page.locator('.legend-value[data-name=v]').textContent()),
    'the speed after the second impact',
  );
  await close();
});

test('a run that is kept can be seen beneath the next', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  await page.locator('.value[data-name=e] .value-field').fill('0.5');
  await page.keyboard.press('Enter');
  await run(page);
  await page.click('#tab-runs');
  await until(async () => (await page.locator('.run').count()) === 2, 'two runs');
  await matches(() => page.locator('.run').first().textContent(), /e = 0.5/);
  await until(() => page.locator('.run input').nth(1).isChecked(), 'the former run is drawn');
  await close();
});

test('a run of a slider that answers late does not replace the run that is kept', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  let late = 0;
  await page.route('**/api/run', async (route) => {
    const answer = await route.fetch();
    if (!route.request().postDataJSON().keep) {
      await page.waitForSelector('.run[data-run]:nth-child(2)', { state: 'attached' });
      late++;
    }
    await route.fulfill({ response: answer });
  });
  await page.locator('.value[data-name=e] .value-field').fill('0.5');
  await page.keyboard.press('Enter');
  await run(page);
  await page.click('#tab-runs');
  await until(() => late > 0, 'the run of the slider has answered');
  await until(async () => (await page.locator('.run').count()) === 2, 'two runs');
  assert.doesNotMatch(await page.locator('.run').first().textContent(), /slider/);
  await close();
});

test('modes are drawn over time', async () => {
  const { page, close } = await startStudio({
    files: { 'Clutch.mo': example('Clutch') },
    args: ['Clutch.mo'],
  });
  await run(page);
  await page.click('#tab-modes');
  await page.waitForSelector('canvas.timeline:not([hidden])');
  await page.locator('canvas.timeline').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.cm-marked');
  await matches(() => page.locator('.cm-marked').textContent(), /locked/);
  await close();
});

test('a long run shows its progress and can be stopped; its curve is drawn meanwhile', async () => {
  const text =
    'model Long\n' +
    '  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n' +
    'equation\n' +
    '  der(x) = 1000*y;\n' +
    '  der(y) = -1000*x;\n' +
    '  annotation(experiment(StopTime = 1e4, Interval = 0.05));\n' +
    'end Long;\n';
  const { page, close } = await startStudio({ files: { 'Long.mo': text }, args: ['Long.mo'] });
  await page.waitForFunction(() => !document.querySelector('#run').disabled);
  await page.click('#run');
  await page.waitForSelector('.progress.on');
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 20, 'a curve while the run goes on');
  await page.keyboard.press('Control+.');
  await page.waitForSelector('.progress-text[data-status=stopped]');
  await close();
});

test('zooming into a long result asks for what the screen left out', async () => {
  const text =
    'model Fine\n' +
    '  Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n' +
    'equation\n' +
    '  der(x) = 300*y;\n' +
    '  der(y) = -300*x;\n' +
    '  annotation(experiment(StopTime = 1, Interval = 2e-5));\n' +
    'end Fine;\n';
  const { page, close } = await startStudio({ files: { 'Fine.mo': text }, args: ['Fine.mo'] });
  await run(page);
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'a curve');
  const box = await page.locator('.pane .u-over').boundingBox();
  assert.ok(box);
  const asked = page.waitForRequest(
    (request) => request.url().includes('/api/data') && request.url().includes('from='),
  );
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const { searchParams } = new URL((await asked).url());
  assert.ok(
    Math.abs(Number(searchParams.get('from')) - 0.4) < 0.02 &&
      Math.abs(Number(searchParams.get('to')) - 0.5) < 0.02,
  );
  await close();
});

test('with 80,000 events, the curve and the list of events are true where one zooms', async () => {
  const text = `model Steps
  Boolean b(start = false, fixed = true);
  discrete Real x(start = 0, fixed = true);
equation
  when sample(0, 25e-6) then
    b = not pre(b);
    x = pre(x) + 0.5;
  end when;
  annotation(experiment(StopTime = 2));
end Steps;
`;
  const { page, close } = await startStudio({ files: { 'Steps.mo': text }, args: ['Steps.mo'] });
  await run(page);
  await page.locator('.event').first().waitFor();
  const over = page.locator('.pane .u-over').first();
  const spans = [];
  for (const shares of [
    [0.6, 0.64],
    [0.5, 0.54],
    [0.4, 0.44],
  ]) {
    const box = await over.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + shares[0] * box.width, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + shares[1] * box.width, box.y + 52, { steps: 4 });
    await page.mouse.up();
    const [from, to] = spans.at(-1) ?? [0, 2];
    spans.push(shares.map((share) => from + share * (to - from)));
  }
  const [from, to] = spans.at(-1) ?? [];
  await eventually(async () => {
    const times = await page
      .locator('.event')
      .evaluateAll((rows) => rows.map((row) => Number(row.dataset.time)));
    const inside = times.filter((time) => time >= from && time <= to);
    const expected = (to - from) / 25e-6;
    assert.ok(Math.abs(inside.length - expected) <= 3, `${inside.length} of ${expected} events`);
  });
  await page.getByRole('button', { name: /earlier…/ }).waitFor();
  const box = await over.boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + 0.3 * box.width, box.y + 80);
  await eventually(async () => {
    const at = Number(/t = ([\d.]+)/.exec(await page.locator('.plots-about').textContent())?.[1]);
    assert.ok(at > from && at < to, `the cursor is at ${at}`);
    const value = await page.locator('.legend-value[data-name="x"]').textContent();
    const steps = Math.floor(at / 25e-6 + 1e-6) + 1;
    assert.ok(Math.abs(Number(value) - 0.5 * steps) <= 0.5, `${value} after ${steps} steps`);
  });
  await page.locator('.event', { hasText: 'sample' }).first().click();
  await close();
});

test('a failure says why', async () => {
  const text =
    'model Fails\n' +
    '  Real x(start = 1, fixed = true), y;\n' +
    'equation\n' +
    '  der(x) = -1;\n' +
    '  y + y^3 = x;\n' +
    '  assert(x > -0.5, "x is too small");\n' +
    '  annotation(experiment(StopTime = 2));\n' +
    'end Fails;\n';
  const { page, close } = await startStudio({ files: { 'Fails.mo': text }, args: ['Fails.mo'] });
  await page.waitForFunction(() => !document.querySelector('#run').disabled);
  await page.click('#run');
  await page.waitForSelector('.why');
  await matches(() => page.locator('.why').textContent(), /x > -0\.5/);
  await close();
});

test('a run that is cut off keeps what it has, and nothing is drawn beyond', async () => {
  const text = `model Cut
  Real x(start = 1, fixed = true);
equation
  der(x) = 1;
  assert(x < 2.5, "x is too large");
  annotation(experiment(StopTime = 5));
end Cut;
`;
  const { page, close } = await startStudio({ files: { 'Cut.mo': text }, args: ['Cut.mo'] });
  await page.waitForFunction(() => !document.querySelector('#run').disabled);
  await page.click('#run');
  await page.waitForSelector('.progress-text[data-status=failed]');
  await matches(() => page.locator('.why').textContent(), /x is too large/);
  await page.click('#tab-measure');
  await page.getByRole('button', { name: 'Visible span' }).click();
  // a ramp from 1 to 2.5 in 1.5 s
  for (const [field, value] of [['last', 2.5], ['mean', 1.75], ['integral', 2.625], ['slope', 1]])
    await eventually(async () => {
      const cell = page.locator(`.measure-table td[data-field=${field}]`);
      const found = Number(await cell.getAttribute('data-value', { timeout: 1000 }));
      assert.ok(Math.abs(found - value) < 1e-5, `${field}: ${found}`);
    });
  await close();
});

test('picture and data can be exported', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  const contents = {};
  for (const format of ['png', 'svg', 'pdf', 'csv', 'mat', 'h5', 'html']) {
    await page.locator('#plots .menu summary').click();
    await page.getByLabel('Width of pictures').fill('900');
    await page.getByLabel('Height of pictures').fill('400');
    await page.getByLabel('Pixels of PNG').fill('3');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[data-format=${format}]`),
    ]);
    contents[format] = readFileSync(await download.path());
  }
  assert.equal(contents.png.subarray(1, 4).toString(), 'PNG');
  assert.deepEqual([16, 20].map((at) => contents.png.readUInt32BE(at)), [2700, 1200]);
  assert.match(contents.svg.toString(), /^<svg [^>]*width="900" height="400"[\s\S]*>h</);
  assert.match(contents.pdf.toString(), /^%PDF-1\.4[\s\S]*\(h\) Tj/);
  assert.ok(contents.mat.includes('trajectory') || contents.mat.includes('Aclass'), 'MAT');
  assert.deepEqual([...contents.h5.subarray(0, 4)], [0x89, 0x48, 0x44, 0x46]);
  assert.match(contents.html.toString(), /<html[\s\S]*BouncingBall/);
  assert.match(contents.csv.toString('utf8', 0, 40), /^"?time"?,"?h"?/);
  await close();
});

test('a shorter run fills the plot; a longer one below it does not squeeze it', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  const stop = page.getByLabel('Stop time');
  await stop.fill('0.00425');
  await stop.press('Enter');
  await run(page);
  const over = page.locator('.pane .u-over').first();
  await eventually(async () => {
    const box = await over.boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 20);
    const at = Number(/t = ([\d.]+)/.exec(await page.locator('.plots-about').textContent())?.[1]);
    assert.ok(Math.abs(at - 0.5 * 0.00425) < 3e-5, `the middle is at ${at}`);
  });
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 200, 'the curve');
  await close();
});

test('the time of the cursor is shown; a failed compilation replaces the verdict', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  await page.locator('.pane-plot').first().hover();
  await matches(() => page.locator('.plots-about').textContent(), /^t = [\d.]+ s$/);
  await page.locator('.cm-line').nth(6).click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('ww');
  await page.click('#run');
  await matches(() => page.locator('.progress-text').textContent(), /^not compiled/);
  await close();
});

test('a value that follows from another shows what the run had', async () => {
  const text = `model Duty
  parameter Real duty = 0.4;
  parameter Real width = 100*duty;
  Real x(start=width, fixed=true);
equation
  der(x) = -x;
end Duty;
`;
  const { page, close } = await startStudio({ files: { 'Duty.mo': text }, args: ['Duty.mo'] });
  await run(page);
  const width = page.locator('.value[data-name=width] .value-field');
  await equals(() => width.inputValue(), '40');
  await page.fill('.value[data-name=duty] .value-field', '0.6');
  await page.keyboard.press('Enter');
  await equals(() => width.inputValue(), '60');
  await width.fill('10'); // a value of its own stays
  await page.keyboard.press('Enter');
  await page.fill('.value[data-name=duty] .value-field', '0.8');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.progress-text[data-status=done]');
  assert.equal(await width.inputValue(), '10');
  await close();
});

test('a text that is no number says so below its field', async () => {
  const { page, close } = await startStudio(ball);
  await run(page);
  for (const [label, place, text, reason] of [
    ['e', '.value[data-name=e]', '0.8 x', /Not a number; write 0\.5/],
    ['Stop time', '.bar .experiment', '1 s', /Not a number such as 0\.5/],
  ]) {
    const field = page.getByLabel(label, { exact: true });
    const good = await field.inputValue();
    await field.fill(text);
    await field.press('Tab');
    const alert = page.locator(`${place} [role=alert]`);
    await matches(() => alert.textContent(), reason);
    assert.ok(await alert.isVisible());
    assert.equal(await field.getAttribute('aria-describedby'), await alert.getAttribute('id'));
    await field.fill(good);
    await field.press('Tab');
    await until(async () => (await alert.count()) === 0, 'the reason goes with a number');
  }
  await close();
});

test('Booleans and enumerations show their values, also those that follow', async () => {
  const text = `model Kinds
  type Kind = enumeration(falls, rises, stays);
  parameter Boolean all = true;
  parameter Boolean none = not all;
  parameter Boolean big = true;
  parameter Boolean huge = big;
  parameter Kind kind = Kind.rises;
  parameter Kind other = if big then kind else Kind.stays;
  Real x(start = 1, fixed = true);
equation
  der(x) = if other == Kind.falls then -1 elseif other == Kind.rises then 1 else 0;
  if all then
    assert(x < 10 or huge or none, "it stays small");
  end if;
  annotation(experiment(StopTime = 1));
end Kinds;
`;
  const { page, close } = await startStudio({ files: { 'Kinds.mo': text }, args: ['Kinds.mo'] });
  await run(page);
  const field = (name) =>
    page.locator(`.value[data-name=${name}]`).locator('input, select').first();
  for (const [name, value] of [['all', true], ['none', false], ['big', true], ['huge', true]])
    await equals(() => field(name).isChecked(), value);
  await equals(() => field('kind').inputValue(), 'rises');
  await equals(() => field('other').inputValue(), 'rises');
  await field('kind').selectOption('falls');
  await equals(() => field('other').inputValue(), 'falls');
  await field('big').click();
  await equals(() => field('huge').isChecked(), false);
  await equals(() => field('other').inputValue(), 'stays');
  await field('big').click(); // as the model has it: no setting is left
  const set = () =>
    page.locator('.value.set').evaluateAll((all) => all.map((one) => one.dataset.name));
  await equals(set, ['kind']);
  await close();
});

test('a protected parameter is shown, but cannot be set', async () => {
  const text = `model A
  parameter Real p = 1;
protected
  parameter Real q = 2*p;
  Real x = q*time;
end A;
`;
  const { page, close } = await startStudio({ files: { 'A.mo': text }, args: ['A.mo'] });
  await run(page);
  await equals(() => page.locator('[id="value-q"]').isDisabled(), true);
  await equals(() => page.locator('[id="value-p"]').isDisabled(), false);
  await close();
});

test('a start that fails, sliding, and runs of other classes are said in place', async () => {
  const files = {
    'Slide.mo':
      'model Slide\n  Real x(start = 1, fixed = true);\nequation\n' +
      '  der(x) = if x > 0 then -1 else 1;\n  annotation(experiment(StopTime = 2));\nend Slide;\n',
    'Fails.mo':
      'model Fails\n  Real x(start = 1);\ninitial equation\n  x^2 + 1 = 0;\nequation\n' +
      '  der(x) = -x;\nend Fails;\n',
    'Read.mo': 'model Read "to read"\n  annotation(preferredView = "info");\nend Read;\n',
  };
  const { page, close } = await startStudio({ files, args: ['Slide.mo'] });
  const verdict = () => page.locator('.progress-text').textContent();
  const row = (name) => page.locator(`.tree-row[data-full=${name}]`);
  await run(page);
  await matches(verdict, /^done .*with warnings/);
  await page.getByRole('tab', { name: /^Problems/ }).click();
  await matches(() => page.locator('#panel-problems').textContent(), /slides along this surface/);
  await row('Fails').click();
  await matches(verdict, /^Slide: done/);
  await page.click('#run');
  await page.waitForSelector('.progress-text[data-status=failed]');
  await row('Read').click();
  await matches(() => page.locator('#panel-documentation h1').textContent(), /^Read$/);
  assert.ok(await page.locator('#panel-documentation').isVisible());
  await row('Slide').click(); // it prefers nothing: the source again
  await until(() => page.locator('#panel-source').isVisible(), 'the source');
  await close(); // no error in the page
});

test('a variable that is gone is named in the legend; the other curves stay', async () => {
  const text = (name) => `model Slow
  Real x(start = 1, fixed = true);
  Real ${name} = 2*x;
equation
  der(x) = -x;
end Slow;
`;
  const { page, folder, close } = await startStudio({
    files: { 'Slow.mo': text('speed') },
    args: ['Slow.mo'],
  });
  await run(page);
  await page.click('#tab-variables');
  await page.getByLabel('Plot speed').click();
  await page.fill('.formula', 'speed*x');
  await page.keyboard.press('Enter');
  await equals(() => page.locator('.legend-name').allTextContents(), ['x', 'speed', 'speed*x']);
  writeFileSync(join(folder, 'Slow.mo'), text('pace'));
  await matches(() => page.locator('.cm-content').textContent(), /pace/);
  await run(page);
  await equals(() => page.locator('.legend-name').allTextContents(), ['x', 'speed', 'speed*x']);
  await equals(() => page.locator('.legend-gone').count(), 2);
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 300, 'the curve of x');
  writeFileSync(join(folder, 'Slow.mo'), text('speed'));
  await matches(() => page.locator('.cm-content').textContent(), /speed/);
  await run(page);
  await equals(() => page.locator('.legend-gone').count(), 0);
  await close();
});

test('dense curves do not keep the page from answering', async () => {
  const { page, close } = await startStudio({
    files: {
      'Dense.mo': `model Dense
  Real a[4];
equation
  for i in 1:4 loop
    a[i] = sin(1000*i*time);
  end for;
  annotation (experiment(StopTime = 100, Interval = 1e-3));
end Dense;
`,
    },
    args: ['Dense.mo'],
  });
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const work = async () =>
    (await client.send('Performance.getMetrics')).metrics.find(
      (one) => one.name === 'TaskDuration',
    )?.value ?? 0;
  await run(page);
  const before = await work();
  await page.click('#theme'); // draws everything anew
  await still(page);
  const seconds = (await work()) - before;
  assert.ok(seconds < 1.5, `drawing took ${seconds} s`);
  await close();
});
