// node build.mjs OUTDIR: makes the page of the studio, index.html, studio.js and studio.css, from
// src/, styles/ and the examples that serve as templates. Needs `npm ci` in this folder before.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, 'dist'));
mkdirSync(out, { recursive: true });
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));
await build({
  entryPoints: { studio: join(here, 'src/main.js') },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.mo': 'text' },
  logLevel: 'warning',
});
