// The animation of mechanisms: bodies are where an independent computation puts them, in the list
// and on the picture; playing, trails, recording; models without shapes, browsers without WebGL.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import {
  BLUE,
  closeBrowser,
  equals,
  eventually,
  example,
  matches,
  pixelsOf,
  run,
  startStudio,
  until,
} from './studio.js';

after(closeBrowser);

const MSL = process.env.KAIROS_MSL;
const PLANAR = process.env.KAIROS_PLANAR_MECHANICS;

/** The interface of the classes that are drawn, by their standard names. */
const SERVICES = `package ModelicaServices
  record Orientation
    Real T[3, 3];
    Real w[3];
  end Orientation;
  package Animation
    model Shape
      parameter String shapeType = "box";
      input Orientation R = Orientation(identity(3), zeros(3));
      input Real r[3] = {0, 0, 0};
      input Real r_shape[3] = {0, 0, 0};
      input Real lengthDirection[3] = {1, 0, 0};
      input Real widthDirection[3] = {0, 1, 0};
      input Real length = 0;
      input Real width = 0;
      input Real height = 0;
      input Real extra = 0;
      input Real color[3] = {255, 0, 0};
      input Real specularCoefficient = 0.1;
    end Shape;
    model Vector
      input Orientation R = Orientation(identity(3), zeros(3));
      input Real r[3] = {0, 0, 0};
      input Real coordinates[3] = {0, 0, 0};
      input Real color[3] = {0, 0, 255};
      input Real specularCoefficient = 0.1;
      parameter Integer quantity = 1;
      input Boolean headAtOrigin = false;
      input Boolean twoHeadedArrow = false;
    end Vector;
    partial function Points
      input Integer nu;
      input Integer nv;
      input Boolean multiColoredSurface = false;
      output Real X[nu, nv];
      output Real Y[nu, nv];
      output Real Z[nu, nv];
      output Real C[if multiColoredSurface then nu else 0,
        if multiColoredSurface then nv else 0, 3];
    end Points;
    model Surface
      input Orientation R = Orientation(identity(3), zeros(3));
      input Real r_0[3] = {0, 0, 0};
      parameter Integer nu = 2;
      parameter Integer nv = 2;
      replaceable function surfaceCharacteristic = Points;
      parameter Boolean wireframe = false;
      parameter Boolean multiColoredSurface = false;
      input Real color[3] = {255, 0, 0};
      input Real specularCoefficient = 0.7;
      input Real transparency = 0;
    end Surface;
  end Animation;
end ModelicaServices;
`;
/** A pendulum of length 2 whose bar is turned by R; the ball is a class of its own. */
const PENDULUM = `model Pendulum
  model Ball
    extends ModelicaServices.Animation.Shape(final shapeType = kind);
    parameter String kind = "sphere";
  end Ball;
  parameter Real L = 2;
  Real phi(start = 1.5, fixed = true);
  Real w(start = 0, fixed = true);
  ModelicaServices.Animation.Shape bar(shapeType = "cylinder", length = L, width = 0.05,
    height = 0.05, color = {128, 128, 128}, lengthDirection = {0, -1, 0},
    widthDirection = {1, 0, 0},
    R = ModelicaServices.Orientation({{cos(phi), sin(phi), 0}, {-sin(phi), cos(phi), 0}, {0, 0, 1}},
      {0, 0, w}));
  Ball bob(r = {L * sin(phi), -L * cos(phi), 0}, r_shape = {-0.15, 0, 0}, length = 0.3, width = 0.3,
    height = 0.3, color = {220, 0, 0});
  ModelicaServices.Animation.Shape left(r = {-2.1, 0, 0}, length = 0.2, width = 0.2, height = 0.2,
    color = {0, 200, 0});
  ModelicaServices.Animation.Shape right(r = {1.9, 0, 0}, length = 0.2, width = 0.2, height = 0.2,
    color = {0, 0, 220});
  ModelicaServices.Animation.Vector weight(r = {L * sin(phi), -L * cos(phi), 0},
    coordinates = {0, -9.81, 0}, color = {200, 0, 200});
equation
  der(phi) = w;
  der(w) = -9.81 / L * sin(phi);
  annotation(experiment(StopTime = 3, Tolerance = 1e-9));
end Pendulum;
`;
/** A sheet that rises by its points, in a frame that is turned and moved; cubes give the scale. */
const SHEET = `model Sheet
  function rising
    extends ModelicaServices.Animation.Points;
    input Real height;
  algorithm
    for i in 1:nu loop
      for j in 1:nv loop
        X[i, j] := height;
        Y[i, j] := (i - 1) / (nu - 1) - 0.5;
        Z[i, j] := (j - 1) / (nv - 1) - 0.5;
        if multiColoredSurface then
          C[i, j, :] := {220, 0, 0};
        end if;
      end for;
    end for;
  end rising;
  Real h = sin(time);
  ModelicaServices.Animation.Surface sheet(nu = 5, nv = 4, multiColoredSurface = true,
    r_0 = {0, 1, 0},
    R = ModelicaServices.Orientation({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, zeros(3)),
    redeclare function surfaceCharacteristic = rising(height = h));
  ModelicaServices.Animation.Surface nothing;
  ModelicaServices.Animation.Shape left(r = {-2.1, 0, 0}, length = 0.2, width = 0.2, height = 0.2,
    color = {0, 200, 0});
  ModelicaServices.Animation.Shape right(r = {1.9, 0, 0}, length = 0.2, width = 0.2, height = 0.2,
    color = {0, 0, 220});
  annotation(experiment(StopTime = 3));
end Sheet;
`;
const pendulum = {
  files: { 'ModelicaServices.mo': SERVICES, 'Pendulum.mo': PENDULUM },
  args: ['Pendulum.mo'],
};

/** The angle of a pendulum by a fourth-order method of our own with small steps. */
function angleAt(time, start = 1.5, acceleration = (phi) => (-9.81 / 2) * Math.sin(phi)) {
  const slope = ([phi, w]) => [w, acceleration(phi)];
  const go = (x, k, h) => x.map((value, i) => value + h * k[i]);
  const steps = 20000;
  const h = time / steps;
  let x = [start, 0];
  for (let i = 0; i < steps; i++) {
    const a = slope(x);
    const b = slope(go(x, a, h / 2));
    const c = slope(go(x, b, h / 2));
    const d = slope(go(x, c, h));
    x = x.map((value, k) => value + (h / 6) * (a[k] + 2 * b[k] + 2 * c[k] + d[k]));
  }
  return x[0];
}

async function openAnimation(page) {
  await page.click('#tab-animation');
  await page.waitForSelector('.mechanism[data-time]');
}

/** Moves the time with the slider of the animation, in thousandths of the run. */
async function goTo(page, share, time) {
  await page.locator('.animation-bar input[type=range]').evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('input'));
  }, share);
  await eventually(async () =>
    assert.ok(
      Math.abs(Number(await page.locator('.mechanism').getAttribute('data-time')) - time) < 1e-9,
    ),
  );
}

/** The place of a component in the list. */
async function placeOf(page, name) {
  const text = await page.locator(`.animation-list output[data-name="${name}"]`).textContent();
  return text.replaceAll('−', '-').split(', ').map(Number);
}

const near = (a, b, by, what) =>
  a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < by, `${what}: ${a} instead of ${b}`));

/** Centres of the pixels in which one colour rules, in pixels of the canvas. */
const seen = async (page) =>
  (await ruledBy(page)).map(([n, x, y]) => (n > 10 ? [x / n, y / n] : null));

const seenCounts = async (page) => (await ruledBy(page)).map(([n]) => n);

/** Numbers and sums of the pixels in which red, green or blue rules. */
async function ruledBy(page) {
  return page.locator('.mechanism').evaluate((canvas) => {
    const copy = document.createElement('canvas');
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const sums = [0, 1, 2].map(() => [0, 0, 0]);
    for (let i = 0; i < data.length; i += 4)
      for (let k = 0; k < 3; k++) {
        const others = Math.max(data[i + ((k + 1) % 3)], data[i + ((k + 2) % 3)]);
        if (data[i + k] < 60 || others > 0.45 * data[i + k]) continue;
        sums[k][0]++;
        sums[k][1] += (i / 4) % copy.width;
        sums[k][2] += Math.floor(i / 4 / copy.width);
      }
    return sums;
  });
}

test('bodies are drawn where the pendulum is', async () => {
  const { page, close } = await startStudio(pendulum);
  await run(page);
  await openAnimation(page);
  await page.locator('.animation-bar').getByText('List').click();
  await page.locator('.animation-bar').getByText('Shadows').click();
  await page.getByLabel('Draw weight').click();
  await page.locator('.animation-bar').getByText('Front').click();
  for (const [share, time] of [
    [0, 0],
    [300, 0.9],
    [700, 2.1],
  ]) {
    await goTo(page, share, time);
    const phi = angleAt(time);
    const bob = [2 * Math.sin(phi), -2 * Math.cos(phi), 0];
    await eventually(async () => {
      near(await placeOf(page, 'bob'), bob, 2e-5, `bob at ${time}`);
      near(await placeOf(page, 'bar'), [bob[0] / 2, bob[1] / 2, 0], 2e-5, `bar at ${time}`);
      // On the picture: the cubes at x = -2 and x = 2 give the scale.
      const [red, green, blue] = await seen(page);
      assert.ok(red && green && blue, 'three colours are seen');
      const scale = (blue[0] - green[0]) / 4;
      const middle = [(blue[0] + green[0]) / 2, (blue[1] + green[1]) / 2];
      near([(red[0] - middle[0]) / scale, (middle[1] - red[1]) / scale], bob, 0.04, 'picture');
    });
  }
  assert.ok(angleAt(2.1) < -0.5, 'the pendulum moved to the other side');
  await close();
});

test('mechanisms of the library PlanarMechanics move', {
  skip: !(MSL && PLANAR) && 'KAIROS_MSL and KAIROS_PLANAR_MECHANICS name no folders of libraries',
}, async () => {
  const text = `model M
  extends PlanarMechanics.Examples.Pendulum;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9));
end M;
`;
  const { page, close } = await startStudio({
    files: { 'M.mo': text },
    args: ['M.mo', '--library', String(MSL), '--library', String(PLANAR)],
  });
  await run(page);
  await openAnimation(page);
  await page.locator('.animation-bar').getByText('List').click();
  for (const [share, time] of [
    [300, 0.3],
    [900, 0.9],
  ]) {
    await goTo(page, share, time);
    // a mass of 1 kg with an inertia of 0.1 kg.m2 on an arm of 1 m, which begins level
    const phi = angleAt(time, 0, (angle) => (-9.81 / 1.1) * Math.cos(angle));
    await eventually(async () => {
      const place = await placeOf(page, 'body.sphere');
      near(place.slice(0, 2), [Math.cos(phi), Math.sin(phi)], 1e-4, `the body at ${time}`);
    });
  }
  await close();
});

test('bodies of one look are drawn together; one whose form varies by itself', async () => {
  const text = `model Many
  ModelicaServices.Animation.Shape cubes[40](each length = 0.2, each width = 0.2,
    each height = 0.2, r = {{0.3 * mod(i - 1, 8), 0.3 * div(i - 1, 8), 0} for i in 1:40},
    color = {if i <= 20 then {0, 200, 0} else {0, 0, 220} for i in 1:40});
  ModelicaServices.Animation.Shape beam(shapeType = "beam", r = {0, -0.5, 0}, width = 0.2,
    height = 0.1, length = 1 + time, color = {220, 0, 0});
  annotation(experiment(StopTime = 1));
end Many;
`;
  const { page, close } = await startStudio({
    files: { 'ModelicaServices.mo': SERVICES, 'Many.mo': text },
    args: ['Many.mo'],
  });
  await page.evaluate(() => {
    const names = ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced'];
    const type = /** @type {any} */ (WebGL2RenderingContext.prototype);
    for (const name of names) {
      const draw = type[name];
      type[name] = function (...rest) {
        document.body.dataset.draws = String(Number(document.body.dataset.draws ?? 0) + 1);
        return draw.apply(this, rest);
      };
    }
  });
  await run(page);
  await openAnimation(page);
  await page.locator('.animation-bar').getByText('Shadows').click();
  await page.locator('.animation-bar').getByText('List').click();
  await page.getByLabel('Draw beam').waitFor();
  await page.locator('.animation-bar').getByText('Front').click();
  await goTo(page, 0, 0);
  await eventually(async () => {
    const [red, green, blue] = await ruledBy(page);
    assert.ok(red[0] > 50 && green[0] > 100, 'they are seen');
    assert.ok(Math.abs(green[0] / blue[0] - 1) < 0.1, `20 of each: ${green[0]}, ${blue[0]}`);
    assert.ok(green[2] / green[0] > blue[2] / blue[0] + 5, 'blue ones are above');
  });
  /** Areas of red and green, as multiples of the blue one: the canvas may change its size. */
  const shares = async () => {
    const [red, green, blue] = await seenCounts(page);
    return [red / blue, green / blue];
  };
  const [red, green] = await shares();
  await page.evaluate(() => delete document.body.dataset.draws);
  await goTo(page, 1000, 1);
  assert.ok(Number(await page.evaluate(() => document.body.dataset.draws)) < 15, 'few calls');
  await eventually(async () => {
    const [now] = await shares();
    // a length of 2 instead of 1, and half circles at the ends
    const [before, after] = [1, 2].map((length) => 0.2 * length + 0.01 * Math.PI);
    assert.ok(Math.abs(now / red - after / before) < 0.1, `${red} to ${now}`);
  });
  for (let i = 1; i <= 10; i++) await page.getByLabel(`Draw cubes[${i}]`, { exact: true }).click();
  await eventually(async () => {
    const [, now] = await shares();
    assert.ok(Math.abs(now / green - 0.5) < 0.05, `half of the green ones: ${green} to ${now}`);
  });
  await close();
});

test('surfaces have the points of their function at the time of the cursor', async () => {
  const { page, close } = await startStudio({
    files: { 'ModelicaServices.mo': SERVICES, 'Sheet.mo': SHEET },
    args: ['Sheet.mo'],
  });
  await run(page);
  await openAnimation(page);
  await matches(() => page.locator('.animation-notes').textContent(), /nothing: .* no function/);
  await page.locator('.animation-bar').getByText('List').click();
  await page.locator('.animation-bar').getByText('Shadows').click();
  await page.locator('.animation-bar').getByText('Top').click();
  const sizes = [];
  for (const [share, time] of [
    [0, 0],
    [500, 1.5],
    [1000, 3],
  ]) {
    await goTo(page, share, time);
    // The frame's x axis is the world's y axis.
    const middle = [0, 1 + Math.sin(time), 0];
    await eventually(async () => {
      near(await placeOf(page, 'sheet'), middle, 1e-3, `sheet at ${time}`);
      const [red, green, blue] = await seen(page);
      assert.ok(red && green && blue, 'three colours are seen');
      near(red, [0, 1].map((k) => (green[k] + blue[k]) / 2), 6, 'its place seen from above');
    });
    sizes.push((await seenCounts(page))[0]);
  }
  assert.ok(sizes[1] > 1.2 * sizes[0], `nearer to the camera it looks larger: ${sizes}`);
  assert.ok(sizes[2] < sizes[1], `and smaller again: ${sizes}`);
  await close();
});

test('the animation plays with the plots, leaves trails and is recorded', async () => {
  const { page, close } = await startStudio(pendulum);
  await run(page);
  await openAnimation(page);
  await page.locator('.animation-bar').getByText('List').click();
  await page.getByLabel('Trail of bob').click();
  await page.getByLabel('Speed').selectOption('5');
  await page.getByTitle('Play').click();
  await until(
    async () => Number(await page.locator('.mechanism').getAttribute('data-time')) === 3,
    'the end',
  );
  await page.getByTitle('Play').waitFor();
  await matches(() => page.locator('.legend-value').first().textContent(), /\d/); // of the cursor
  await equals(() => page.getByLabel('Trail of bob').isChecked(), true);
  await page.getByLabel('Speed').selectOption('10');
  const [video] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.animation-bar').getByText('Record').click(),
  ]);
  assert.equal(video.suggestedFilename(), 'Pendulum.webm');
  const bytes = readFileSync(await video.path());
  assert.deepEqual([...bytes.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3]); // EBML, as WebM begins
  await close();
});

test('a model without shapes says so in place', async () => {
  const { page, close } = await startStudio({
    files: { 'BouncingBall.mo': example('BouncingBall') },
    args: ['BouncingBall.mo'],
  });
  await page.click('#tab-animation');
  await matches(() => page.locator('.animation-message').textContent(), /Run a model/);
  await run(page);
  await matches(() => page.locator('.animation-message').textContent(), /declares no shapes/);
  await close();
});

test('without WebGL the animation says so, and plots work', async () => {
  const { page, address, ready, close } = await startStudio({ ...pendulum, open: false });
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
    };
  });
  await page.goto(address);
  await ready();
  await run(page);
  await page.click('#tab-animation');
  await matches(() => page.locator('.animation-message').textContent(), /no WebGL/);
  await until(async () => (await pixelsOf(page, 0, BLUE)) > 100, 'a curve');
  await close();
});
