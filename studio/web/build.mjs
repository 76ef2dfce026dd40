// node build.mjs OUTDIR: makes the page of the studio (index.html, studio.js, studio.css,
// mechanism.js) from src/, styles/ and the examples that serve as templates. Needs `npm ci` in this
// folder before.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, 'dist'));
mkdirSync(out, { recursive: true });
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
const common = {
  outdir: out,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.mo': 'text' },
  logLevel: 'warning',
};
await build({
  ...common,
  entryPoints: { studio: join(here, 'src/main.js') },
  format: 'iife',
});
// The mechanism in three dimensions, loaded when it is first shown.
await build({
  ...common,
  entryPoints: { mechanism: join(here, 'src/mechanism.js') },
  format: 'esm',
});
