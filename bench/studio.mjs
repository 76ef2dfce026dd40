// node bench/studio.mjs: what the studio's page takes, in Chromium. `bench/run --only studio`
// builds the program, installs the browser's packages and calls it. Prints one line per figure:
// name, median in ms, largest in ms, goal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  closeBrowser,
  example,
  run,
  startStudio,
} from '../build-web/tests/browser/studio.js';

const REPEATS = 15;
const MSL = process.env.KAIROS_MSL;

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
function report(name, times, goal) {
  const numbers = [median(times), Math.max(...times)].map((x) => x.toFixed(1));
  console.log(`${name}; median ${numbers[0]}, most ${numbers[1]} ms of ${times.length}; ${goal}`);
}

/* ---- times on the clock ---- */

/** From the request of the page to the first moment at which everything can be used. */
async function opening(page, address, ready) {
  const times = [];
  for (let i = 0; i < REPEATS; i++) {
    await page.goto(address.replace(/\?.*/, ''));
    await ready();
    times.push(
      await page.evaluate(() => performance.getEntriesByName('ready')[0].startTime),
    );
  }
  report('open', times, 300);
}

/** From a key in the editor to the mark of an error, or to its end. */
async function checking(page) {
  await page.click('#tab-source');
  const line = page.locator('.cm-line', { hasText: 'der(h)' }).first();
  await line.click();
  await page.keyboard.press('Home');
  const times = [];
  for (let i = 0; i < 2 * REPEATS; i++) {
    const seen = await page.evaluateHandle((wanted) => {
      const state = { time: Promise.resolve(0) };
      state.time = new Promise((resolve) => {
        let begin = 0;
        const note = () => (begin = performance.now());
        document.addEventListener('keydown', note, { capture: true, once: true });
        const look = () => {
          const marks = document.querySelectorAll('.cm-lintRange-error, .cm-lintPoint-error');
          if (!begin || marks.length > 0 !== wanted) return;
          watch.disconnect();
          resolve(performance.now() - begin);
        };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { subtree: true, childList: true, attributes: true });
      });
      return state;
    }, i % 2 === 0);
    await page.keyboard.press(i % 2 ? 'Backspace' : '1');
    times.push(await seen.evaluate((state) => state.time));
  }
  report('edit to check', times, 50);
}

/** From a slider's movement to the new curve on the canvas. */
async function sliding(page) {
  await run(page);
  const times = await page.locator('.value[data-name=e] input[type=range]').evaluate(
    async (input, repeats) => {
      const clear = CanvasRenderingContext2D.prototype.clearRect;
      let drawn = () => {};
      CanvasRenderingContext2D.prototype.clearRect = function (...rest) {
        drawn();
        return clear.apply(this, rest);
      };
      const list = [];
      for (let i = 0; i < repeats; i++) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        performance.clearResourceTimings();
        const begin = performance.now();
        input.value = String(0.5 + 0.02 * i);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        await new Promise((resolve) => {
          drawn = () => {
            const answers = performance.getEntriesByType('resource');
            if (answers.some((one) => one.name.endsWith('/api/run') && one.responseEnd > begin))
              resolve(undefined);
          };
        });
        list.push(performance.now() - begin);
      }
      CanvasRenderingContext2D.prototype.clearRect = clear;
      return list;
    },
    REPEATS,
  );
  report('slider to curve', times, 30);
}

/* ---- work for a frame ---- */

/**
 * The processor time of the page's main thread for each frame while `act` goes on.
 * @param {import('playwright-core').Page} page @param {() => Promise<void>} act
 */
async function frameWork(page, act) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  await act();
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  return work(events);
}

/** Sums of the main thread's tasks from one frame to the next. @param {any[]} events */
function work(events) {
  const names = events.filter((one) => one.name === 'thread_name');
  const main = names.filter((one) => one.args.name === 'CrRendererMain');
  const isMain = (one) => main.some(({ pid, tid }) => pid === one.pid && tid === one.tid);
  const of = events.filter(isMain).sort((a, b) => a.ts - b.ts);
  const frames = of.filter((one) => one.name === 'BeginCommitCompositorFrame').map((one) => one.ts);
  const sums = new Array(Math.max(0, frames.length)).fill(0);
  let at = 0;
  for (const task of of) {
    if (task.ph !== 'X' || task.name !== 'RunTask') continue;
    while (at + 1 < frames.length && frames[at + 1] <= task.ts) at++;
    if (frames.length && task.ts + task.dur >= frames[0])
      sums[at] += (task.tdur ?? task.dur) / 1000;
  }
  return sums.slice(1, -1);
}

/** A model of `count` components in rows, each connected with its neighbours. */
function grid(count) {
  const columns = 20;
  const parts = [];
  const lines = [];
  for (let i = 0; i < count; i++) {
    const [x, y] = [(i % columns) * 40, Math.floor(i / columns) * 40];
    parts.push(
      `  Part p${i} annotation (Placement(transformation(extent={{${x - 10},${y - 10}},` +
        `{${x + 10},${y + 10}}})));`,
    );
    if (i % columns)
      lines.push(
        `  connect(p${i - 1}.b, p${i}.a) annotation (Line(points={{${x - 30},${y}},` +
          `{${x - 10},${y}}}));`,
      );
  }
  return `model Large
  connector Pin Real v; flow Real i; annotation (Icon(graphics={Rectangle(
    extent={{-100,-100},{100,100}}, fillColor={0,0,255}, fillPattern=FillPattern.Solid)})); end Pin;
  model Part
    Pin a annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Pin b annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    parameter Real R = 1;
  equation
    a.i + b.i = 0; a.v - b.v = R*a.i;
    annotation (Icon(graphics={Rectangle(extent={{-70,30},{70,-30}}, lineColor={0,0,255},
      fillColor={255,255,255}, fillPattern=FillPattern.Solid), Line(points={{-90,0},{-70,0}}),
      Line(points={{70,0},{90,0}}), Text(extent={{-150,90},{150,50}}, textString="%name"),
      Text(extent={{-150,-40},{150,-80}}, textString="R=%R")}));
  end Part;
${parts.join('\n')}
equation
${lines.join('\n')}
end Large;
`;
}

async function drawing() {
  const files = { 'Large.mo': grid(200) };
  const { page, close } = await startStudio({ files, args: ['Large.mo'] });
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place [data-component=p199]');
  const box = await page.locator('.diagram-place [data-component=p105] > .target').boundingBox();
  const from = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = (x, y) => async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let i = 1; i <= 60; i++) await page.mouse.move(x + i, y + i / 2);
  };
  report('frame: a component of 200 is dragged', await frameWork(page, drag(from[0], from[1])), 8);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await page.waitForTimeout(1500);
  const area = await page.locator('.diagram-place').boundingBox();
  const empty = [area.x + 8, area.y + area.height - 12];
  report('frame: a diagram of 200 is moved', await frameWork(page, drag(empty[0], empty[1])), 8);
  await page.mouse.up();
  const zoom = async () => {
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i < 20 ? -40 : 40);
  };
  report('frame: a diagram of 200 is zoomed', await frameWork(page, zoom), 8);
  await close();
}

/** The tree of 100,000 variables. */
async function scrolling() {
  const text = `model Big
  model Cell
    parameter Real k = 1;
    Real a = k*time;
    Real b = sin(a);
    Real c = a + b;
  end Cell;
  Cell cell[25000](k = {i for i in 1:25000});
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Big;
`;
  const { page, close } = await startStudio({ files: { 'Big.mo': text }, args: ['Big.mo'] });
  await page.click('#run');
  await page.waitForSelector('.progress-text[data-status=done]', { timeout: 300000 });
  await page.click('#tab-variables');
  await page.click('.variable-branch[data-full=cell]');
  const box = await page.locator('.long-list').boundingBox();
  const scroll = async () => {
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let i = 0; i < 60; i++) await page.mouse.wheel(0, 5000);
  };
  report('frame: a tree of 100,000 variables is scrolled', await frameWork(page, scroll), 8);
  await close();
}

const MECHANISMS = {
  EngineV6: ['Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6', 0.5],
  robot: ['Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot', 1.8],
};

async function playing(name, [model, stop]) {
  const text = `model M extends ${model}; annotation (experiment(StopTime=${stop})); end M;\n`;
  const studio = await startStudio({
    files: { 'M.mo': text },
    args: ['M.mo', '--library', String(MSL)],
    size: [1000, 500], // Chromium draws without a graphics card here
  });
  const { page, close } = studio;
  await page.click('#run');
  await page.waitForSelector('.progress-text[data-status=done]', { timeout: 300000 });
  await page.click('#tab-animation');
  await page.waitForSelector('canvas.mechanism[data-work]');
  const play = async () => {
    await page.locator('button[title=Play]').click();
    await page.waitForTimeout(3000);
  };
  report(`frame: animation of ${name}`, await frameWork(page, play), 8);
  await close();
}

const ball = { files: { 'BouncingBall.mo': example('BouncingBall') }, args: ['BouncingBall.mo'] };
const { page, address, ready, close } = await startStudio(ball);
await opening(page, address, ready);
await checking(page);
await sliding(page);
await close();
await drawing();
await scrolling();
if (MSL && existsSync(join(MSL, 'Modelica')))
  for (const [name, what] of Object.entries(MECHANISMS)) await playing(name, what);
await closeBrowser();
