// Values of components in the diagram at the time of the cursor.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { closeBrowser, equals, eventually, run, startStudio, until } from './studio.js';

after(closeBrowser);

const SWITCHES = `model Switches
  model Switch
    parameter Real at = 1;
    Boolean closed = time > at;
    Integer mode = if closed then 2 else 1;
    Real v(unit = "V") = if closed then 0 else 10 * time;
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -60}, {100, 60}})}));
  end Switch;
  Switch early(at = 0.3) annotation(Placement(transformation(extent = {{-80, -20}, {-40, 20}})));
  Switch late(at = 0.7) annotation(Placement(transformation(extent = {{40, -20}, {80, 20}})));
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
end Switches;
`;

test('the diagram shows modes and values at the time of the cursor', async () => {
  const { page, close } = await startStudio({
    files: { 'Switches.mo': SWITCHES },
    args: ['Switches.mo'],
  });
  await run(page);
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place [data-component=late]');
  await page.getByText('Values at the cursor').click();
  await page.click('#tab-measure');
  const labels = () => page.locator('.diagram-value').allTextContents();
  const go = async (time) => {
    await page.getByLabel('Time of cursor 1').fill(String(time));
    await page.getByLabel('Time of cursor 1').press('Tab');
  };
  for (const [time, expected] of [
    [0.1, ['closed falsemode 1', 'closed falsemode 1']],
    [0.5, ['closed truemode 2', 'closed falsemode 1']],
    [0.9, ['closed truemode 2', 'closed truemode 2']],
  ]) {
    await go(time);
    await equals(labels, expected);
  }
  await page.getByLabel('Variables of components').fill('v');
  await page.getByLabel('Variables of components').press('Enter');
  await go(0.5);
  await equals(labels, ['v 0 V', 'v 5 V']);
  // A label is below its component, also after a zoom.
  await page.locator('.diagram-place').hover();
  await page.mouse.wheel(0, 200);
  await eventually(async () => {
    const label = await page.locator('.diagram-value').nth(1).boundingBox();
    const part = await page.locator('.diagram-place [data-component=late]').boundingBox();
    const middle = (box) => box.x + box.width / 2;
    assert.ok(Math.abs(middle(label) - middle(part)) < 2, 'in the middle');
    assert.ok(Math.abs(label.y - part.y - part.height) < 2, 'below');
  });
  await close();
});

const MOVING = `model Moving
  model Tank
    parameter Real rate = 1;
    Real level = rate * time;
    Boolean full = level > 0.5;
    Integer n = integer(10 * level);
    annotation(Icon(graphics = {
      Rectangle(extent = DynamicSelect({{-100, -100}, {100, 0}},
          {{-100, -100}, {100, -100 + 200 * level}}),
        fillColor = DynamicSelect({0, 0, 255}, if full then {255, 0, 0} else {0, 0, 255}),
        fillPattern = FillPattern.Solid),
      Text(extent = {{-100, 100}, {100, 140}}, textString = DynamicSelect("empty", String(n)))}));
  end Tank;
  connector Pin
    Real v;
    flow Real i(unit = "A");
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -100}, {100, 100}})}));
  end Pin;
  model Source
    Pin p annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  equation
    p.v = 1;
  end Source;
  model Load
    parameter Real R = 1;
    Pin p annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    p.v = R * p.i * (1 + time);
  end Load;
  block S
    annotation(Icon(graphics = {Rectangle(extent = {{-100, -60}, {100, 60}})}));
  end S;
  Tank slow(rate = 0.25) annotation(Placement(transformation(extent = {{-80, 40}, {-60, 60}})));
  Tank quick annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
  Source source annotation(Placement(transformation(extent = {{-80, 0}, {-60, 20}})));
  Load one(R = 0.5) annotation(Placement(transformation(extent = {{0, 0}, {20, 20}})));
  Load two annotation(Placement(transformation(extent = {{0, -40}, {20, -20}})));
  S first annotation(Placement(transformation(extent = {{-80, -80}, {-60, -60}})));
  S second annotation(Placement(transformation(extent = {{0, -80}, {20, -60}})));
  Real t = sample(time, Clock(1, 10));
equation
  connect(source.p, one.p) annotation(Line(points = {{-60, 10}, {0, 10}}));
  connect(one.p, two.p) annotation(Line(points = {{0, 10}, {0, -30}}));
  initialState(first);
  transition(first, second, t > 0.55) annotation(Line(points = {{-60, -70}, {0, -70}}));
end Moving;
`;

test('icons, states and flows move with the cursor', async () => {
  const { page, close } = await startStudio({
    files: { 'Moving.mo': MOVING },
    args: ['Moving.mo'],
  });
  await run(page);
  await page.click('#tab-diagram');
  await page.waitForSelector('.diagram-place [data-component=quick]');
  await page.click('#tab-measure');
  const go = async (time) => {
    await page.getByLabel('Time of cursor 1').fill(String(time));
    await page.getByLabel('Time of cursor 1').press('Tab');
  };
  /** Height of a tank's water in percent, its colour, its text. */
  const tank = (name) =>
    page.locator(`.diagram-place [data-component=${name}]`).evaluate((group) => {
      const box = group.getBoundingClientRect();
      const water = [...group.querySelectorAll('path')].find((one) =>
        ['#0000ff', '#ff0000'].includes(one.getAttribute('fill')),
      );
      const share = (100 * water.getBoundingClientRect().height) / box.width;
      const words = group.querySelector('text')?.textContent ?? '';
      return `${Math.round(share / 5) * 5} ${water.getAttribute('fill')} ${words}`;
    });
  const states = () =>
    page
      .locator('.diagram-place .state-active')
      .evaluateAll((groups) => groups.map((one) => one.dataset.component));
  await go(0.4);
  await equals(() => tank('quick'), '40 #0000ff 4');
  await equals(() => tank('slow'), '10 #0000ff 1');
  await equals(states, ['first']);
  await go(0.8);
  await equals(() => tank('quick'), '80 #ff0000 8');
  await equals(() => tank('slow'), '20 #0000ff 2');
  await equals(states, ['second']);
  // 1 V over 0.5 Ω and 1 Ω, both times 1.8: both currents through the first line, one on the other.
  await page.getByText('Flows').click();
  await eventually(async () => {
    const flows = await page
      .locator('.wire-flow')
      .evaluateAll((lines) => lines.map((one) => Number(one.dataset.flow)));
    assert.equal(flows.length, 2);
    assert.ok(Math.abs(flows[0] - 3 / 1.8) < 1e-9 && Math.abs(flows[1] - 1 / 1.8) < 1e-9, flows);
  });
  await close();
});

test('arrays move with the cursor, and stay what they are', async () => {
  const { page, close } = await startStudio({
    files: {
      'Row.mo': `model Row
  model Tank
    Real level = time;
    annotation (Icon(graphics={Rectangle(extent=DynamicSelect({{-100,-100},{100,0}},
      {{-100,-100},{100,100*level-100}}), fillPattern=FillPattern.Solid)}));
  end Tank;
  Tank one annotation (Placement(transformation(extent={{-60,-20},{-20,20}})));
  Tank tanks[2] annotation (Placement(transformation(extent={{20,-20},{60,20}})));
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  annotation (experiment(StopTime = 1));
end Row;
`,
    },
    args: ['Row.mo'],
  });
  await run(page);
  await page.click('#tab-diagram');
  const part = page.locator('.diagram-place [data-component=tanks]');
  const seen = () =>
    page.locator('.diagram-place [data-component=one] path:not(.target)').first().getAttribute('d');
  const before = await seen();
  const box = await page.locator('.pane-plot').first().boundingBox();
  await page.mouse.click(box.x + 0.8 * box.width, box.y + box.height / 2);
  await until(async () => (await seen()) !== before, 'the level rises');
  await equals(() => part.getAttribute('tabindex'), '0');
  await equals(() => part.locator('.stack').count(), 1);
  await close();
});
