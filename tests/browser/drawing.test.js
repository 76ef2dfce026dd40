// Drawing a model by hand: place, move, turn, connect and delete parts, set parameters. Every step
// is one change of the source.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { hasText, isAt, openDiagram } from './diagram.js';
import { closeBrowser, eventually, matches, until } from './studio.js';

after(closeBrowser);

const ICON = 'annotation (Icon(graphics={Rectangle(extent={{-100,-60},{100,60}})}))';
const PARTS = `package Parts
  connector Pin
    Real v;
    flow Real i;
    annotation (Icon(graphics={Rectangle(extent={{-100,-100},{100,100}}, lineColor={0,0,255},
      fillColor={0,0,255}, fillPattern=FillPattern.Solid)}));
  end Pin;
  connector Flange
    Real phi;
    flow Real tau;
    annotation (Icon(graphics={Ellipse(extent={{-100,-100},{100,100}})}));
  end Flange;
  model Resistor "resists"
    Pin p annotation (Placement(transformation(extent={{-110,-10},{-90,10}})));
    Pin n annotation (Placement(transformation(extent={{90,-10},{110,10}})));
    parameter Real R(unit="Ohm") = 1 "resistance" annotation (Dialog(group="Values", enable=on));
    parameter Boolean on = true "conducts" annotation (Dialog(tab="More"));
    parameter Real T(unit="K", displayUnit="degC") = 293.15 "temperature";
  equation
    p.i + n.i = 0;
    p.v - n.v = R*p.i;
    ${ICON};
  end Resistor;
  model Ground
    Pin p annotation (Placement(transformation(extent={{-10,90},{10,110}})));
  equation
    p.v = 0;
    ${ICON};
  end Ground;
  model Wheel
    Flange f annotation (Placement(transformation(extent={{90,-10},{110,10}})));
  equation
    f.tau = 0;
    ${ICON};
  end Wheel;
end Parts;
`;
const MODEL = `model Circuit "drawn" // a comment
  Parts.Resistor r1(R=5) annotation (Placement(transformation(extent={{-60,-10},{-40,10}})));
  Parts.Resistor r2 annotation (Placement(transformation(extent={{20,-10},{40,10}})));
  Parts.Wheel wheel annotation (Placement(transformation(extent={{-60,-70},{-40,-50}})));
equation
  // no connections yet
end Circuit;
`;
const studio = (more = {}) => ({
  files: { 'Parts.mo': PARTS, 'Circuit.mo': MODEL, ...more },
  args: ['Circuit.mo'],
});
const start = (more = {}, how = {}) => openDiagram('Circuit.mo', 'r1', { ...studio(more), ...how });

test('a component is dragged on the grid, and undo brings the text back', async () => {
  const { page, source, at, drag, scale, close } = await start();
  const from = await at('[data-component=r1] > .target');
  const unit = await scale();
  await drag(from, [from[0] + 20 * unit, from[1] - 10 * unit]);
  await hasText(source, /r1\(R=5\) annotation .*extent=\{\{-40,0\},\{-20,20\}\}/);
  assert.match(await source(), /"drawn" \/\/ a comment/);
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), MODEL));
  await page.keyboard.press('Control+y');
  await hasText(source, /extent=\{\{-40,0\},\{-20,20\}\}/);
  await close();
});

test('connectors are joined by dragging; a connection that does not fit is refused', async () => {
  const { page, source, at, drag, close } = await start();
  const pin = (name) => at(`[data-connector="${name}"] .target`);
  await drag(await pin('r1.n'), await pin('r2.p'));
  await hasText(source, /connect\(r1\.n, r2\.p\) annotation \(Line\(points=\{\{-40,0\},\{20,0\}\}/);
  assert.match(await source(), /, color=\{0,0,255\}\)\);/);
  await page.waitForSelector('[data-connection="r1.n r2.p"]', { state: 'attached' });
  // the reason is shown while the button is still down
  const [from, to] = [await pin('r2.n'), await pin('wheel.f')];
  await page.mouse.move(from[0], from[1]);
  await page.mouse.down();
  await page.mouse.move(to[0] + 30, to[1] + 5, { steps: 4 });
  await page.mouse.move(to[0], to[1], { steps: 4 });
  await page.waitForSelector('.connection-hint.refused');
  const hint = page.locator('.connection-hint');
  await matches(() => hint.textContent(), /do not fit|different|has no/);
  await page.mouse.up();
  assert.doesNotMatch(await source(), /wheel\.f/);
  // the line follows a moved part, and goes with Delete
  await page.locator('[data-component=r2]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowUp');
  await hasText(source, /points=\{\{-40,0\},\{-10,0\},\{-10,10\},\{20,10\}\}/);
  await page.locator('[data-connection="r1.n r2.p"]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await eventually(async () => assert.doesNotMatch(await source(), /connect\(/));
  await close();
});

test('a change on disk and one in the picture: nothing is lost', async () => {
  const { page, folder, close } = await start();
  const text = () => page.evaluate(() => document.querySelector('.cm-content')?.textContent ?? '');
  await page.locator('.diagram-place [data-component=r2]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowUp');
  await page.waitForSelector('.file-tab.dirty');
  const theirs = MODEL.replace('"drawn"', '"by another program"');
  writeFileSync(join(folder, 'Circuit.mo'), theirs);
  await page.getByRole('button', { name: 'Keep mine' }).waitFor();
  await page.click('#tab-source');
  await matches(text, /"drawn"[\s\S]*r2 annotation .*extent=\{\{20,0\},\{40,20\}\}/);
  assert.equal(readFileSync(join(folder, 'Circuit.mo'), 'utf8'), theirs);
  await page.getByRole('button', { name: 'Reload' }).click();
  await matches(text, /"by another program"[\s\S]*r2 annotation .*extent=\{\{20,-10\}/);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+z'); // the reload can be taken back as well
  await matches(text, /"drawn"/);
  await close();
});

test('chosen parts become a sub-model with connectors', async () => {
  const text = MODEL.replace(
    '  // no connections yet',
    '  connect(r1.n, r2.p) annotation (Line(points={{-40,0},{20,0}}));\n' +
      '  connect(r2.n, r1.p) annotation (Line(points={{40,0},{40,30},{-60,30},{-60,0}}));',
  );
  const { page, source, folder, close } = await start({ 'Circuit.mo': text });
  await page.locator('.diagram-place [data-component=r1]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('e');
  await page.getByRole('textbox', { name: 'Name' }).fill('Part');
  await page.keyboard.press('Enter');
  await hasText(source, /\n {2}Part part\n {4}annotation \(Placement/);
  await hasText(source, /connect\(part\.n, r2\.p\) annotation \(Line\(/);
  assert.doesNotMatch(await source(), /r1/);
  const model = readFileSync(join(folder, 'Part.mo'), 'utf8');
  assert.match(model, /Parts\.Resistor r1\(R=5\) annotation .*extent=\{\{-10,-10\},\{10,10\}\}/);
  assert.match(model, /connect\(r1\.n, n\) annotation \(Line\(points=/);
  await page.waitForSelector('.diagram-place [data-connector="part.p"]', { state: 'attached' });
  // a package is a folder; new models of the present file go into it
  const ask = async (words, name) => {
    await page.keyboard.press('F1');
    await page.locator('dialog.palette input').fill(words);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.keyboard.press('Enter');
  };
  await ask('New package', 'Machines');
  await until(() => existsSync(join(folder, 'Machines/package.mo')), 'the package');
  await page.waitForSelector('.tree-row[data-full=Machines]');
  await ask('model in the package', 'Motor');
  await until(() => existsSync(join(folder, 'Machines/Motor.mo')), 'the model');
  const motor = readFileSync(join(folder, 'Machines/Motor.mo'), 'utf8');
  assert.match(motor, /^within Machines;\nmodel Motor/);
  await close();
});

test('a class is dragged from the tree into the diagram', async () => {
  const { page, source, close } = await start();
  await page.locator('.tree-row[data-full=Parts] .twisty').click();
  await page.waitForSelector('.tree-row[data-full="Parts.Ground"]');
  await page
    .locator('.tree-row[data-full="Parts.Ground"]')
    .dragTo(page.locator('.diagram-place'), { targetPosition: { x: 300, y: 300 } });
  await hasText(source, /Parts\.Ground ground\n {4}annotation \(Placement\(/);
  await page.waitForSelector('.diagram-place [data-component=ground].chosen');
  await close();
});

test('a class in a file of another name: the message leads to the file', async () => {
  const { page, close } = await start({
    'Other.mo': 'model Buck\nend Buck;\n',
    'Circuit.mo': MODEL.replace('equation', '  Buck buck;\nequation'),
  });
  await page.locator('#tab-problems').click();
  const lead = page.locator('.problem-note button', { hasText: "class 'Buck' is in this file" });
  await lead.click();
  await page.locator('.file-tab.active', { hasText: 'Other.mo' }).waitFor();
  await until(async () => (await page.locator('.problem-error').count()) === 0, 'it is found');
  await close();
});

test('the keyboard turns, mirrors, copies and deletes', async () => {
  const { page, source, close } = await start();
  await page.locator('.diagram-place [data-component=r2]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  await hasText(source, /r2 annotation .*rotation=-90, origin=\{30,0\}/);
  await page.keyboard.press('h');
  await hasText(source, /r2 annotation .*extent=\{\{-10,10\},\{10,-10\}\}, rotation=-90/);
  await page.keyboard.press('Control+d');
  await hasText(source, /Parts\.Resistor r3 annotation .*origin=\{40,-10\}/);
  await page.waitForSelector('[data-component=r3].chosen');
  await page.locator('.diagram-place [data-component=r3]').focus();
  await page.keyboard.press('Delete');
  await eventually(async () => assert.doesNotMatch(await source(), /r3/));
  await close();
});

test('components are aligned with the first one, by the text and not by the picture', async () => {
  const { page, source, close } = await start({}, { slow: 200 });
  const part = (name) => page.locator(`.diagram-place [data-component=${name}]`);
  await part('r1').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowUp'); // the picture shows it later
  await part('r2').focus();
  await page.keyboard.press('Control+Space');
  await page.keyboard.press('y');
  await hasText(source, /r1\(R=5\) annotation .*extent=\{\{-60,0\},\{-40,20\}\}/);
  await hasText(source, /r2 annotation .*extent=\{\{20,0\},\{40,20\}\}/);
  await page.keyboard.press('F1');
  await page.locator('dialog.palette input').fill('align column');
  await page.keyboard.press('Enter');
  await hasText(source, /r2 annotation .*extent=\{\{-60,0\},\{-40,20\}\}/);
  await close();
});

test('a double click shows the parameters; they become modifiers', async () => {
  const { page, source, at, close } = await start();
  const [x, y] = await at('[data-component=r1] > .target');
  await page.mouse.dblclick(x, y);
  const dialog = page.locator('dialog.sheet');
  await dialog.waitFor();
  const field = dialog.getByLabel('R, resistance', { exact: true });
  assert.equal(await field.inputValue(), '5');
  await matches(() => dialog.locator('[data-parameter=T]').textContent(), /from Resistor/);
  assert.equal(await dialog.getByLabel('T, temperature').getAttribute('placeholder'), '20');
  await dialog.getByLabel('T, temperature').fill('30');
  await field.fill('4.7k');
  await dialog.getByRole('tab', { name: 'More' }).click();
  await dialog.getByLabel('on, conducts').selectOption('false');
  await dialog.getByRole('tab', { name: 'General' }).click();
  await until(() => dialog.getByLabel('R, resistance', { exact: true }).isDisabled(), 'disabled');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await hasText(source, /r1\(R=4700, T=303\.15, on=false\)|r1\(R=4700, on=false, T=303\.15\)/);
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), MODEL));
  await close();
});

test('a component gets a new name, in all files that use it', async () => {
  const more = 'model More\n  extends Circuit(r1(R=9));\nend More;\n';
  const { page, folder, source, close } = await start({ 'More.mo': more });
  await page.locator('.diagram-place [data-component=r1]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('F2');
  const dialog = page.locator('dialog.sheet');
  const name = dialog.getByLabel('Name', { exact: true });
  await until(() => name.evaluate((one) => one === document.activeElement), 'the name has focus');
  for (const [word, reason] of [['r2', /'r2' is already declared/], ['2x', /is not a name/]]) {
    await name.fill(word);
    await page.keyboard.press('Enter');
    await matches(() => dialog.locator('[role=alert]').textContent(), reason);
  }
  await dialog.getByLabel('R, resistance', { exact: true }).fill('6');
  await name.fill('load');
  await page.keyboard.press('Enter');
  await hasText(source, /Resistor load\(R=6\)/);
  assert.equal(await source(), MODEL.replaceAll('r1', 'load').replace('R=5', 'R=6'));
  await page.waitForSelector('.diagram-place [data-component=load]');
  await page.locator('.file-tab', { hasText: 'More.mo' }).click();
  await page.keyboard.press('Control+s');
  await eventually(async () =>
    assert.equal(readFileSync(join(folder, 'More.mo'), 'utf8'), more.replace('r1', 'load')),
  );
  await close();
});

test('a value that is refused says why, and the dialog stays', async () => {
  const { page, source, at, close } = await start();
  const [x, y] = await at('[data-component=r1] > .target');
  await page.mouse.dblclick(x, y);
  const dialog = page.locator('dialog.sheet');
  await dialog.waitFor();
  const field = dialog.getByLabel('R, resistance', { exact: true });
  const reason = dialog.locator('[data-parameter=R] [role=alert]');
  await field.fill('4.7 $');
  await field.press('Tab');
  await matches(() => reason.textContent(), /'4\.7 \$' is not an expression/);
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.equal(await field.getAttribute('aria-describedby'), await reason.getAttribute('id'));
  await dialog.getByRole('tab', { name: 'More' }).click();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await until(() => field.evaluate((one) => one === document.activeElement), 'it is shown again');
  await matches(() => reason.textContent(), /is not an expression/);
  // an expression of a wrong type may be declared otherwise later
  await field.fill('"much"');
  await field.press('Tab');
  await matches(() => reason.textContent(), /must be Real, found String/);
  await field.fill('7');
  await field.press('Tab');
  await until(async () => (await reason.count()) === 0, 'no reason is left');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await hasText(source, /r1\(R=7\)/);
  await close();
});

test('a model without placements is arranged; the first edit keeps the layout', async () => {
  const text =
    'model Circuit\n  Parts.Resistor r1, r2;\nequation\n  connect(r1.n, r2.p);\nend Circuit;\n';
  const { page, source, close } = await start({ 'Circuit.mo': text });
  const keep = page.getByRole('button', { name: 'Keep layout' });
  await keep.waitFor();
  const tops = await page
    .locator('.diagram-tools button:visible')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  assert.ok(Math.max(...tops) - Math.min(...tops) < 8, `one row of tools: ${tops}`);
  await keep.click();
  await hasText(source, /r1 annotation \(Placement/);
  await keep.waitFor({ state: 'hidden' });
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), text));
  await keep.waitFor();
  await page.locator('.diagram-place [data-component=r1]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await eventually(async () => {
    const now = await source();
    assert.equal(now.match(/Placement\(/g)?.length, 2);
    assert.match(now, /Line\(points=/);
    assert.match(now, /r1 annotation \(Placement\(transformation\(extent=\{\{-10,-20\},\{10,0\}\}/);
  });
  assert.equal(await page.locator('.diagram-place [data-component]').count(), 2);
  await page.locator('.diagram-place').focus();
  await page.keyboard.press('Control+z');
  await eventually(async () => assert.equal(await source(), text));
  await close();
});

test('shapes are drawn, moved, turned, painted and deleted; icons too', async () => {
  const { page, source, at, drag, scale, close } = await start();
  await page.getByRole('button', { name: 'Icon', exact: true }).click();
  await page.waitForSelector('.diagram-place svg:not(:has([data-component]))');
  const [x, y] = await at('svg');
  const unit = await scale();
  const place = (dx, dy) => [x + dx * unit, y - dy * unit];
  await page.getByRole('button', { name: 'Draw: Rectangle' }).click();
  await drag(place(-40, 20), place(40, -20));
  await hasText(source, /Icon\(graphics=\{Rectangle\(extent=\{\{-40,-20\},\{40,20\}\}\)\}/);
  await page.waitForSelector('.item[data-item="0"].chosen', { state: 'attached' });
  await page.getByRole('button', { name: 'Draw: Polygon' }).click();
  for (const [dx, dy] of [[-20, 10], [20, 0], [-20, -10]])
    await page.mouse.click(...place(dx, dy));
  await page.keyboard.press('Enter');
  await hasText(source, /Polygon\(points=\{\{-20,10\},\{20,0\},\{-20,-10\},\{-20,10\}\}\)/);
  await page.waitForSelector('.item[data-item="1"].chosen', { state: 'attached' });
  await drag(place(-20, 0), place(-10, 0));
  await hasText(source, /Polygon\(points=\{\{-10,10\},\{30,0\}/);
  await isAt(page, '[data-item-corner="1"]', place(30, 0));
  await drag(place(30, 0), place(36, 4));
  await hasText(source, /Polygon\(points=\{\{-10,10\},\{36,4\}/);
  await page.locator('.item[data-item="0"]').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  await hasText(source, /Rectangle\(extent=\{\{-20,40\},\{20,-40\}\}\)/);
  await page.keyboard.press('p');
  const dialog = page.locator('dialog.sheet');
  await dialog.getByLabel('Fill colour').fill('#ff0000');
  await dialog.getByLabel('Fill pattern').selectOption('Solid');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await hasText(source, /fillColor=\{255,0,0\}, fillPattern=FillPattern\.Solid/);
  // by the keyboard alone a shape is placed in the middle
  await page.getByRole('button', { name: 'Draw: Text' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog.sheet');
  await page.keyboard.press('Enter');
  await hasText(source, /Text\(extent=[^"]*textString="%name"\)/);
  await page.waitForSelector('.item[data-item="2"].chosen', { state: 'attached' });
  await page.locator('.item[data-item="2"]').focus();
  await page.keyboard.press('Delete');
  await eventually(async () => assert.doesNotMatch(await source(), /Text\(/));
  await close();
});

test('actions that come faster than the answers of the server are all done, in order', async () => {
  const { page, folder, source, at, drag, scale, close } = await start({}, { slow: 700 });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const saved = async () => readFileSync(join(folder, 'Circuit.mo'), 'utf8');
  await page.locator('.diagram-place [data-component=r2]').focus();
  await press('Space', 'Shift+ArrowUp', 'Shift+ArrowUp', 'r', 'Control+z', 'Shift+ArrowRight');
  await press('Control+s', 'Control+d', 'Control+s');
  await hasText(saved, /r2 annotation \(Placement\(\w+\(extent=\{\{30,10\},\{50,30\}\}\)/);
  await hasText(saved, /Resistor r3 annotation \(Placement\(\w+\(extent=\{\{40,0\},\{60,20\}/);
  assert.ok(await page.locator('.conflict').isHidden());
  // two shapes of the icon: what is chosen meanwhile stays chosen, numbers stay true
  await page.getByRole('button', { name: 'Icon', exact: true }).click();
  await page.waitForSelector('.diagram-place svg:not(:has([data-component]))');
  const [x, y] = await at('svg');
  const unit = await scale();
  const place = (dx, dy) => [x + dx * unit, y - dy * unit];
  for (const far of [80, 60, 40]) {
    await page.getByRole('button', { name: 'Draw: Ellipse' }).click();
    await drag(place(-far, far), place(far, -far / 2));
  }
  await page.waitForSelector('.item[data-item="2"].chosen', { state: 'attached' });
  await page.locator('.item[data-item="0"]').focus();
  await press('Space', 'Delete');
  await page.locator('.item[data-item="1"]').focus(); // the third ellipse
  await press('Space', 'Shift+ArrowUp', 'r', 'Delete', 'Control+z', 'Control+s');
  const left = /Icon\(graphics=\{Ellipse\(extent=\{\{-60,-30\},\{60,60\}\}\),\s*(.*)\}/;
  await hasText(source, left);
  const [, third] = left.exec(await source()) ?? [];
  assert.equal(third, 'Ellipse(extent={{-30,60},{30,-20}})'); // moved up by 10, then turned
  await close();
});

test('inherited parts stay where they are declared', async () => {
  const base = MODEL.replaceAll('Circuit', 'Base');
  const text = 'model Circuit\n  extends Base;\nend Circuit;\n';
  const { page, source, at, drag, close } = await start({ 'Base.mo': base, 'Circuit.mo': text });
  assert.equal(await page.locator('[data-component=r1]').getAttribute('data-inherited'), 'Base');
  const from = await at('[data-component=r1] > .target');
  await drag(from, [from[0] + 60, from[1]]);
  await matches(() => page.locator('.notice').first().textContent(), /Inherited components/);
  assert.equal(await source(), text);
  await close();
});

test('a class gets a new name, and its file too; then it is duplicated', async () => {
  const { page, folder, close } = await start();
  const command = async (words) => {
    await page.keyboard.press('F1');
    await page.locator('dialog.palette input').fill(words);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog.sheet:not(.palette)');
  };
  await command('rename');
  await page.getByRole('textbox', { name: 'Name' }).fill('Net');
  await page.keyboard.press('Enter');
  const file = (name) => async () => readFileSync(join(folder, name), 'utf8');
  await hasText(file('Net.mo'), /^model Net "drawn"[\s\S]*end Net;\n$/);
  await until(() => !existsSync(join(folder, 'Circuit.mo')), 'the old file has gone');
  await page.waitForSelector('.diagram-place [data-component=r1]');
  await command('duplicate');
  await page.getByRole('textbox', { name: 'Name' }).fill('Second');
  await page.keyboard.press('Enter');
  await hasText(file('Second.mo'), /^model Second[\s\S]*end Second;\n$/);
  await close();
});
