// What the studio exports, opened by other programs: poppler, librsvg, matplotlib, SciPy, h5py,
// NumPy and a browser. Curves and numbers are those of a ball that falls until t = 0.4515 s.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { closeBrowser, eventually, example, run, startStudio } from './studio.js';

after(closeBrowser);

const SIZE = [900, 400];

/** Runs a script of Python with some functions of ours. */
const python = (script, ...files) =>
  JSON.parse(
    execFileSync('/usr/bin/python3', ['-c', `${COMMON}\n${script}`, ...files], {
      encoding: 'utf8',
      env: { ...process.env, MPLBACKEND: 'Agg' },
    }),
  );
const COMMON = `
import json, sys
import numpy as np

def curve(time, height):
    """The greatest error before the first bounce, the times, and whether it bounces."""
    t, h = np.asarray(time, float), np.asarray(height, float)
    falls = t < 0.45
    error = np.abs(h[falls] - (1 - 9.81 / 2 * t[falls] ** 2)).max()
    print(json.dumps([float(error), int(falls.sum()), float(t[-1]), float(h[t > 0.5].max())]))
`;
const PICTURE = `
import matplotlib.image
p = matplotlib.image.imread(sys.argv[1])[:, :, :3]
blue = np.abs(p - np.array([0, 114, 178]) / 255).sum(axis=2) < 0.25
rows, columns = np.nonzero(blue)
print(json.dumps([p.shape[1], p.shape[0], int(blue.sum()), int(np.ptp(rows)), int(np.ptp(columns)),
                  float(np.median(p.reshape(-1, 3), axis=0).min())]))
`;

/** A picture of the right size, light, with a blue curve across most of it. */
function checkPicture(file, what, [width, height]) {
  const [columns, rows, blue, high, wide, ground] = python(PICTURE, file);
  assert.ok(Math.abs(columns - width) <= 1 && Math.abs(rows - height) <= 1, `${what}: size`);
  assert.ok(blue > width, `${what}: ${blue} pixels of the curve`);
  assert.ok(high > 0.5 * height && wide > 0.8 * width, `${what}: the curve fills the picture`);
  assert.ok(ground > 0.95, `${what}: its ground is light`);
}

function checkCurve([error, count, last, bounce], what) {
  assert.ok(error < 1e-4, `${what}: the error is ${error}`);
  assert.ok(count > 50 && Math.abs(last - 2) < 1e-9, `${what}: ${count} rows, to ${last}`);
  assert.ok(bounce > 0.4 && bounce < 0.5, `${what}: it bounces to 0.49, not ${bounce}`);
}

test('other programs open what is exported', async () => {
  const { page, close } = await startStudio({
    files: { 'BouncingBall.mo': example('BouncingBall') },
    args: ['BouncingBall.mo'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'kairos-exports-'));
  await run(page);
  const files = {};
  for (const format of ['png', 'svg', 'pdf', 'csv', 'csv-all', 'mat', 'h5', 'html']) {
    await page.locator('#plots .menu summary').click();
    await page.getByLabel('Width of pictures').fill(String(SIZE[0]));
    await page.getByLabel('Height of pictures').fill(String(SIZE[1]));
    await page.getByLabel('Pixels of PNG').fill('2');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click(`[data-format=${format}]`),
    ]);
    files[format] = join(folder, `${format}.${format.replace('-all', '')}`);
    await download.saveAs(files[format]);
  }

  checkPicture(files.png, 'PNG', SIZE.map((x) => 2 * x));
  execFileSync('rsvg-convert', ['-o', join(folder, 'svg.png'), files.svg]);
  checkPicture(join(folder, 'svg.png'), 'SVG', SIZE);
  execFileSync('pdftoppm', ['-png', '-r', '144', '-singlefile', files.pdf, join(folder, 'pdf')]);
  const info = execFileSync('pdfinfo', [files.pdf], { encoding: 'utf8' });
  const [, width, height] = /Page size:\s+([\d.]+) x ([\d.]+) pts/.exec(info) ?? [];
  assert.ok(Math.abs(Number(width) / Number(height) - SIZE[0] / SIZE[1]) < 0.01, info);
  checkPicture(join(folder, 'pdf.png'), 'PDF', [2 * Number(width), 2 * Number(height)]);
  const words = execFileSync('pdftotext', [files.pdf, '-'], { encoding: 'utf8' }).split(/\s+/);
  for (const word of ['h', '0.5', '1.5']) assert.ok(words.includes(word), `PDF: “${word}”`);

  for (const name of ['csv', 'csv-all'])
    checkCurve(
      python(
        'd = np.genfromtxt(sys.argv[1], delimiter=",", names=True)\ncurve(d["time"], d["h"])',
        files[name],
      ),
      name,
    );
  checkCurve(
    python(
      `import scipy.io
m = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
names = ["".join(column).strip("\\0 ") for column in m["name"].T]
def values(name):
    block, column = m["dataInfo"][:2, names.index(name)]
    return np.sign(column) * m["data_%d" % block][abs(column) - 1]
curve(m["data_2"][0], values("h"))`,
      files.mat,
    ),
    'MAT',
  );
  checkCurve(
    python('import h5py\nf = h5py.File(sys.argv[1])\ncurve(f["time"][:], f["h"][:])', files.h5),
    'HDF5',
  );

  const other = await page.context().newPage();
  /** @type {string[]} */
  const asked = [];
  other.on('request', (request) => asked.push(request.url()));
  other.on('pageerror', (error) => assert.fail(`HTML: ${error}`));
  await other.goto(`file://${files.html}`);
  assert.match(await other.locator('body').innerText(), /BouncingBall/);
  const curves = join(folder, 'html.png');
  await eventually(async () => {
    await other.screenshot({ path: curves, fullPage: true });
    const [, , blue] = python(PICTURE, curves);
    assert.ok(blue > 300, `HTML: ${blue} pixels of curves`);
  });
  assert.ok(asked.every((url) => /^(file|data|blob):/.test(url)), `HTML: ${asked}`);
  rmSync(folder, { recursive: true });
  await close();
});

test('what cannot be exported says why in place', async () => {
  const { page, close } = await startStudio({
    files: { 'BouncingBall.mo': example('BouncingBall') },
    args: ['BouncingBall.mo'],
  });
  await run(page);
  await page.locator('.value[data-name=e] input[type=range]').fill('0.5');
  await page.click('#tab-runs');
  await page.locator('.run', { hasText: 'slider' }).waitFor();
  await page.locator('#plots .menu summary').click();
  await page.click('[data-format=mat]');
  const why = 'no MAT file of a run of a slider: press Run';
  await page.locator('.notice', { hasText: why }).waitFor();
  await close();
});
