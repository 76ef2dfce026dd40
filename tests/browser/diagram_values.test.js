// Values of components in the diagram at the time of the cursor.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { closeBrowser, equals, eventually, run, startStudio } from './studio.js';

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
