// The view “Animation”: the mechanism of the present run at the time of the shared cursor. It
// plays, records, and lists the visuals with their places.
import { api } from './api.js';
import { emit, on } from './bus.js';
import { cursorTime, placeCursor } from './cursor.js';
import { rowAt, shown } from './curves.js';
import { afterPause, fill, h, inFrame, tool } from './dom.js';
import { Frames } from './frames.js';
import { ICONS } from './icons.js';
import { say as translated } from './language.js';
import { isRunning, presentRun } from './runs.js';
import { isDark } from './theme.js';

const SCRIPT = '/mechanism.js'; // three.js and what draws with it
const POINTS = 3000;
const FOLLOW = 100; // ms after which plots and tables follow while it plays, …
const FOLLOW_FRAMES = 3; // … and frames, so that the work spreads over them
const SPEEDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];
const VIEWS = {
  Space: [0.55, 0.4, 1],
  Front: [0, 0, 1],
  Side: [1, 0, 0.0001],
  Top: [0, 1, 0.0001],
};
const NO_SHAPES =
  'This model declares no shapes to animate. Models of mechanisms, such as those of ' +
  'Modelica.Mechanics.MultiBody, do.';
const NO_WEBGL =
  'The mechanism cannot be drawn: this browser offers no WebGL. Everything else works without it.';

/** Saves a file of the page. @param {Blob} blob @param {string} name */
function download(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** How fast a run is shown at first: it should take between two and thirty seconds. */
export function firstSpeed(span) {
  const good = (speed) => span / speed >= 2 && span / speed <= 30;
  if (good(1)) return 1;
  return SPEEDS.find(good) ?? (span > 1 ? SPEEDS.at(-1) : SPEEDS[0]);
}

export function createAnimation() {
  const canvas = h('canvas', { class: 'mechanism', 'aria-label': 'Mechanism', tabIndex: 0 });
  const message = h('p', { class: 'muted pad animation-message' });
  const notes = h('div', { class: 'animation-notes muted' });
  const list = h('div', { class: 'rows animation-list', 'aria-label': 'Drawn components' });
  const clock = h('output', { class: 'animation-time' });
  const track = h('input', {
    type: 'range',
    min: 0,
    max: 1000,
    value: 0,
    'aria-label': 'Time',
    oninput: () => {
      pause();
      placeCursor(frames.first + ((frames.last - frames.first) * track.value) / 1000);
    },
  });
  const speed = h(
    'select',
    { 'aria-label': 'Speed', title: 'Simulated seconds in a second' },
    SPEEDS.map((value) => h('option', { value }, `${value}×`)),
  );
  const playButton = h(
    'button',
    { title: 'Play', onclick: () => (playing ? pause() : play()) },
    '▶',
  );
  const shadows = h('input', { type: 'checkbox', checked: true, onchange: () => arrange() });
  const listed = h('input', { type: 'checkbox', onchange: () => arrange() });
  const recordButton = h('button', { title: 'Record the whole run as a video' }, 'Record');
  const view = (name) => h('button', { onclick: () => look(name) }, name);
  const controls = h(
    'div',
    { class: 'toolbar animation-bar' },
    playButton,
    track,
    clock,
    speed,
    Object.keys(VIEWS).map(view),
    h('label', null, shadows, translated(' Shadows')),
    h('label', null, listed, translated(' List')),
    tool('Save a picture', ICONS.download, () =>
      canvas.toBlob((blob) => blob && download(blob, `${fileName()}.png`)),
    ),
    recordButton,
  );
  const stage = h('div', { class: 'animation-stage' }, canvas, list);
  const panel = h('div', { class: 'panel animation' }, controls, stage, notes, message);

  /** @type {any} of mechanism.js */
  let mechanism = null;
  let frames = new Frames();
  /** @type {Frames|null} the rows around the cursor, if the frames are a selection */
  let exact = null;
  /** @type {any} the run that is shown */
  let run = null;
  let playing = false;
  let played = 0; // the time that is shown while it plays
  let loading = null;
  let selected = -1;

  const fileName = () => (run?.class ?? 'animation').split('.').at(-1);
  const time = () => {
    const now = playing
      ? played
      : (cursorTime() ?? (isRunning(run) ? frames.last : frames.first));
    return Math.min(frames.last, Math.max(frames.first, now));
  };

  function say(text) {
    message.textContent = translated(text);
    message.hidden = !text;
    stage.hidden = controls.hidden = notes.hidden = Boolean(text);
  }

  /* ---- drawing ---- */

  function draw() {
    if (panel.hidden || !mechanism || !frames.count || stage.hidden) return;
    const begin = performance.now();
    const now = time();
    const near = exact && now >= exact.first && now <= exact.last ? exact : frames;
    mechanism.pose(near.at(now));
    mechanism.cutTrails(rowAt(frames.times, now) + 1);
    mechanism.render();
    canvas.dataset.work = (performance.now() - begin).toFixed(2);
    canvas.dataset.time = String(now);
    followSurfaces(now);
    if (!list.hidden) writePlaces();
    if (!playing) writeTime(now);
  }

  function writeTime(now) {
    clock.textContent = `${shown(now)} s`;
    track.value = String((1000 * (now - frames.first)) / (frames.last - frames.first || 1));
  }
  const redraw = inFrame(draw);

  /* ---- surfaces: the server computes their points for the time that is shown ---- */

  let asking = false;
  /** @type {any} the run whose surfaces cannot be computed */
  let without = null;
  /** @param {number} at @param {boolean} [all] also those that do not vary */
  async function askSurfaces(at, all = false) {
    const wanted = run;
    asking = true;
    try {
      const { surfaces } = await api.surfaces(wanted.id, at, all);
      if (run !== wanted) return;
      mechanism.setSurfaces(surfaces);
      canvas.dataset.surfaces = String(at);
    } catch (error) {
      if (run !== wanted) return;
      without = wanted;
      fill(notes, h('p', null, translated(`Surfaces: ${/** @type {Error} */ (error).message}`)));
      notes.hidden = false;
    } finally {
      asking = false;
    }
  }

  async function followSurfaces(now) {
    if (asking || without === run || canvas.dataset.surfaces === String(now)) return;
    if (!mechanism.surfaces.some(({ what }) => what.points === 'varying')) return;
    await askSurfaces(now);
    if (!playing) redraw();
  }

  function writePlaces() {
    for (const output of list.querySelectorAll('output'))
      output.textContent = mechanism.visuals[output.dataset.number].centre.map(shown).join(', ');
  }

  function writeList() {
    fill(
      list,
      mechanism.visuals.map((visual, number) =>
        h(
          'div',
          { class: `row ${number === selected ? 'present' : ''}` },
          h('input', {
            type: 'checkbox',
            checked: visual.shown,
            title: 'Draw it',
            'aria-label': `Draw ${visual.what.name}`,
            onchange: (event) => {
              mechanism.show(number, event.target.checked);
              redraw();
            },
          }),
          h(
            'span',
            { class: 'variable-name', title: visual.what.shape ?? 'vector' },
            visual.what.name,
          ),
          h('output', {
            dataset: { number, name: visual.what.name },
            title: 'Its middle: x, y, z in m',
          }),
          h(
            'label',
            null,
            h('input', {
              type: 'checkbox',
              checked: mechanism.trailOf.has(number),
              'aria-label': `Trail of ${visual.what.name}`,
              onchange: (event) => {
                mechanism.setTrail(number, event.target.checked ? frames : null);
                redraw();
              },
            }),
            translated(' trail'),
          ),
        ),
      ),
    );
  }

  function arrange() {
    if (!mechanism) return;
    list.hidden = !listed.checked;
    mechanism.setShadows(shadows.checked);
    mechanism.setColours(isDark() ? '#5b626d' : '#ffffff'); // black bodies are seen on both
    resize();
  }

  function look(name) {
    mechanism.look(VIEWS[name]);
    redraw();
  }

  function resize() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!mechanism || width < 20 || height < 20) return;
    mechanism.resize(width, height, window.devicePixelRatio || 1);
    redraw();
  }

  /* ---- data ---- */

  async function loadMechanism() {
    const { Mechanism } = await import(SCRIPT);
    mechanism = new Mechanism(canvas);
    mechanism.controls.addEventListener('change', redraw);
    canvas.addEventListener('click', (event) => {
      const box = canvas.getBoundingClientRect();
      selected = mechanism.pick(
        (2 * (event.clientX - box.left)) / box.width - 1,
        1 - (2 * (event.clientY - box.top)) / box.height,
      );
      writeList();
      list.querySelector('.present')?.scrollIntoView({ block: 'nearest' });
      redraw();
    });
  }

  async function fetchFile(uri) {
    return api.bytes(api.resourceAddress(uri));
  }

  /** Shows the present run. */
  async function show() {
    if (panel.hidden) return;
    const now = presentRun();
    if (!now) {
      say('Run a model to see its mechanism.');
      return;
    }
    if (now === run) return void (await more());
    pause();
    run = now;
    loading = null;
    await more();
  }

  /** Fetches what the run has meanwhile; the first rows bring the scene. */
  async function more() {
    const wanted = run;
    if (!wanted || loading || panel.hidden) return;
    loading = wanted;
    try {
      if (wanted.scene === undefined || !wanted.scene.known) await loadScene(wanted);
      else if (!frames.count || frames.known < (wanted.rows ?? Infinity)) await loadRows(wanted);
    } catch (error) {
      if (run === wanted) say(error.message);
    } finally {
      if (loading === wanted) loading = null;
    }
  }

  async function loadScene(wanted) {
    const scene = await api.scene(wanted.id);
    if (run !== wanted) return;
    if (!scene.known) return say('The run has no rows yet.');
    if (!scene.visuals.length) {
      wanted.scene = scene;
      return say(NO_SHAPES);
    }
    try {
      if (!mechanism) await loadMechanism();
    } catch {
      wanted.scene = scene;
      return say(NO_WEBGL);
    }
    const problems = await mechanism.load(scene.visuals, fetchFile);
    if (run !== wanted) return;
    wanted.scene = scene;
    frames = new Frames();
    exact = null;
    selected = -1;
    say('');
    fill(
      notes,
      problems.slice(0, 5).map((text) => h('p', null, translated(text))),
    );
    notes.hidden = !problems.length;
    await loadRows(wanted);
  }

  async function loadRows(wanted) {
    const first = frames.count === 0;
    frames.append(await api.frames(wanted.id, { first: frames.known, points: POINTS }));
    if (run !== wanted || !frames.count) return;
    if (first && mechanism.surfaces.length) await askSurfaces(time(), true);
    if (run !== wanted) return;
    if (first || !isRunning(wanted)) mechanism.measure(frames);
    for (const number of mechanism.trailOf.keys()) mechanism.setTrail(number, frames);
    if (first) {
      arrange();
      mechanism.look(VIEWS.Space);
      speed.value = String(firstSpeed((wanted.progress?.stop ?? frames.last) - frames.first));
    }
    writeList();
    redraw();
  }

  /** Frames are a selection of the rows of a long run; at rest, the true ones are fetched. */
  const refine = afterPause(150, async () => {
    const [wanted, now] = [run, cursorTime()];
    if (playing || panel.hidden || now === null || frames.known <= frames.count) return;
    if (exact && now >= exact.first && now <= exact.last) return;
    const near = new Frames();
    near.append(await api.frames(wanted.id, { at: now }));
    if (run !== wanted) return;
    exact = near;
    redraw();
  });

  /* ---- playing ---- */

  function pause() {
    if (playing) placeCursor(time());
    playing = false;
    playButton.textContent = '▶';
    playButton.title = translated('Play');
  }

  /** Plays to the end. @param {() => void} [ended] */
  function play(ended = () => {}) {
    if (!frames.count) return;
    const start = time();
    playing = true;
    playButton.textContent = '❚❚';
    playButton.title = translated('Pause');
    played = start >= frames.last ? frames.first : start;
    let before = performance.now();
    let placed = before;
    let since = 0; // frames
    const step = (clockTime) => {
      if (!playing) return ended();
      played += (Math.max(0, clockTime - before) / 1000) * Number(speed.value);
      before = clockTime;
      const over = played >= frames.last;
      draw();
      since++;
      if (over || (clockTime - placed >= FOLLOW && since >= FOLLOW_FRAMES)) {
        placed = clockTime;
        since = 0;
        placeCursor(Math.min(played, frames.last));
      } else if (since === 1) writeTime(time());
      if (over && !isRunning(run)) {
        pause();
        return ended();
      }
      return requestAnimationFrame(step);
    };
    placeCursor(played);
    requestAnimationFrame(step);
  }

  /** Plays the whole run and saves it as WebM. */
  recordButton.onclick = () => {
    if (typeof MediaRecorder === 'undefined' || !canvas.captureStream) {
      fill(notes, 'This browser cannot record videos.');
      notes.hidden = false;
      return;
    }
    const recorder = new MediaRecorder(canvas.captureStream(30), { videoBitsPerSecond: 6e6 });
    const parts = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      recordButton.disabled = false;
      recordButton.textContent = translated('Record');
      download(new Blob(parts, { type: 'video/webm' }), `${fileName()}.webm`);
    };
    recordButton.disabled = true;
    recordButton.textContent = translated('Recording …');
    placeCursor(frames.first);
    recorder.start(500);
    play(() => setTimeout(() => recorder.stop(), 200));
  };

  list.hidden = true;
  say('Run a model to see its mechanism.');
  new ResizeObserver(resize).observe(canvas);
  on('cursor', () => {
    if (playing) return; // every step of it draws
    redraw();
    refine();
  });
  on('runs', show);
  on(
    'rows progress',
    afterPause(100, () => run && isRunning(run) && more()),
  );
  on('ended', (ended) => ended === run && more());
  on('theme', arrange);
  on('view-shown', (id) => {
    if (id !== 'animation') return pause();
    emit('layout');
    show();
    return resize();
  });
  return panel;
}
