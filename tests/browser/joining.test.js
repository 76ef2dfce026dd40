// Lines and sizes by hand: the questions of buses and of arrays of connectors, lines that are bent
// and routed anew, components whose corners are dragged.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { hasText, isAt, openDiagram } from './diagram.js';
import { closeBrowser, eventually, matches, until } from './studio.js';

after(closeBrowser);

const SQUARE = 'annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}})}))';
const RIGHT = 'annotation (Placement(transformation(extent={{90,-10},{110,10}})))';
const LEFT = 'annotation (Placement(transformation(extent={{-110,-10},{-90,10}})))';
const PARTS = `package Parts
  connector Signal = input Real ${SQUARE};
  connector Result = output Real ${SQUARE};
  expandable connector Bus
    Real level;
    ${SQUARE};
  end Bus;
  block Source
    Result y ${RIGHT};
  equation
    y = 1;
    ${SQUARE};
  end Source;
  block Sum
    parameter Integer n = 3;
    Signal u[n] ${LEFT};
    Result y ${RIGHT};
  equation
    y = sum(u);
    ${SQUARE};
  end Sum;
end Parts;
`;
const place = (x, y) =>
  `annotation (Placement(transformation(extent={{${x - 10},${y - 10}},{${x + 10},${y + 10}}})))`;
const MODEL = `model Plant
  Parts.Source s ${place(-50, 0)};
  Parts.Sum sum ${place(50, 0)};
  Parts.Bus bus ${place(0, 60)};
equation
end Plant;
`;
const start = (text = MODEL) =>
  openDiagram('Plant.mo', 's', {
    files: { 'Parts.mo': PARTS, 'Plant.mo': text },
    args: ['Plant.mo'],
  });
const connector = (name) => `[data-connector="${name}"] .target`;

/** Answers the question that a connection asks. */
async function answer(page, title, words) {
  const dialog = page.locator('dialog.sheet', { hasText: title });
  await dialog.waitFor();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await until(async () => (await dialog.count()) === 0, 'it is answered');
}

test('a connection to an array of connectors asks for the element', async () => {
  const { page, source, at, drag, close } = await start();
  const join = async () => drag(await at(connector('s.y')), await at(connector('sum.u')));
  await join();
  await answer(page, 'Which element of sum.u[', '2');
  await hasText(source, /connect\(s\.y, sum\.u\[2\]\) annotation \(Line\(points=/);
  await join();
  await page.locator('dialog.sheet').waitFor();
  await page.keyboard.type('2 - /* not an index');
  await page.keyboard.press('Enter');
  await matches(
    () => page.locator('dialog').getByRole('alert').textContent(),
    /An index is a number such as 1/,
  );
  await page.keyboard.press('Escape');
  assert.equal((await source()).match(/connect\(/g)?.length, 1);
  // the whole array and one number do not fit
  await join();
  await answer(page, 'Which element', '');
  await page.locator('.notice', { hasText: 's.y and sum.u are not connected' }).waitFor();
  assert.equal((await source()).match(/connect\(/g)?.length, 1);
  await close();
});

test('a connection to a bus asks for the signal', async () => {
  const { page, source, at, drag, close } = await start();
  await drag(await at(connector('s.y')), await at('[data-component=bus] > .target'));
  await answer(page, 'Which signal of bus', 'speed');
  await hasText(source, /connect\(s\.y, bus\.speed\) annotation \(Line\(points=/);
  await page.waitForSelector('[data-connection="s.y bus.speed"]', { state: 'attached' });
  // by the keyboard, from the bus to an element of an array: two questions
  await page.locator('.diagram-place [data-component=bus]').focus();
  await page.keyboard.press('Space');
  await page.locator('.diagram-place [data-component=sum]').focus();
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('c');
  const dialog = page.locator('dialog.sheet');
  await dialog.getByLabel('To').selectOption({ label: 'sum.u' });
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await answer(page, 'Which signal of bus', 'speed');
  await answer(page, 'Which element of sum.u', '3');
  await hasText(source, /connect\(bus\.speed, sum\.u\[3\]\) annotation \(Line\(points=/);
  await close();
});

test('the question for a signal offers those that the bus has', async () => {
  const line = 'annotation (Line(points={{-40,0},{0,60}}))';
  const made = `  connect(s.y, bus.speed) ${line};\n  connect(bus.torque, sum.u[1]);\n`;
  const { page, source, at, drag, close } = await start(
    MODEL.replace('equation\n', `equation\n${made}`),
  );
  await drag(await at(connector('sum.y')), await at('[data-component=bus] > .target'));
  const dialog = page.locator('dialog.sheet', { hasText: 'Which signal of bus' });
  const offered = dialog.getByRole('group', { name: 'Signals of the bus' }).getByRole('button');
  await offered.first().waitFor();
  assert.deepEqual(await offered.allTextContents(), ['level', 'speed', 'torque']);
  await offered.nth(2).click();
  await page.keyboard.press('Enter');
  await hasText(source, /connect\(sum\.y, bus\.torque\) annotation \(Line\(points=/);
  await close();
});

test('a line is bent by hand, follows a moved part, and is routed anew', async () => {
  const line = 'annotation (Line(points={{-40,0},{38,0}}, color={0,0,127}))';
  const text = MODEL.replace('equation\n', `equation\n  connect(s.y, sum.u[1]) ${line};\n`);
  const { page, source, drag, pointAt, close } = await start(text); // ends short of its connector
  const points = (list) =>
    hasText(source, new RegExp(`points=\\{${list}\\}, color=\\{0,0,127\\}`));
  const wire = '[data-connection="s.y sum.u[1]"]';
  await isAt(page, wire, await pointAt(0, 0));
  await drag(await pointAt(0, 0), await pointAt(0, 20));
  await points('\\{-40,0\\},\\{-40,20\\},\\{40,20\\},\\{40,0\\}');
  // a piece in the middle moves across its direction only
  await isAt(page, wire, await pointAt(0, 20));
  await drag(await pointAt(0, 20), await pointAt(14, 30));
  await points('\\{-40,0\\},\\{-40,30\\},\\{40,30\\},\\{40,0\\}');
  await isAt(page, '[data-component=s]', await pointAt(-50, 0));
  await drag(await pointAt(-50, 0), await pointAt(-60, -10));
  await points('\\{-50,-10\\},\\{-50,30\\},\\{40,30\\},\\{40,0\\}');
  await page.locator(`.diagram-place ${wire}`).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('w');
  await eventually(async () => {
    const found = /points=\{\{-50,-10\},(.*),\{40,0\}\}/.exec(await source());
    assert.ok(found && !found[1].includes('30'), 'the short way');
  });
  await page.locator('.diagram-place').focus();
  for (let i = 0; i < 4; i++) await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), text));
  await close();
});

test('a component is sized by its corners; the opposite corner stays', async () => {
  const { page, source, drag, pointAt, close } = await start();
  const corner = async (x, y) => {
    const point = await pointAt(x, y);
    await isAt(page, '.handle', point);
    return point;
  };
  await page.locator('.diagram-place [data-component=s]').focus();
  await page.keyboard.press('Space');
  await drag(await corner(-40, 10), await pointAt(-20.6, 29.2));
  await hasText(source, /s\s+annotation .*extent=\{\{-60,-10\},\{-20,30\}\}/);
  await drag(await corner(-60, -10), await pointAt(-70, -20));
  await hasText(source, /s\s+annotation .*extent=\{\{-70,-20\},\{-20,30\}\}/);
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), MODEL));
  await close();
});
