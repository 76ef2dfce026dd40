// node build.mjs: bundles the extension with its client into dist/extension.js. Needs `npm ci`.
import { build } from 'esbuild';

await build({
  entryPoints: ['extension.js'],
  outfile: 'dist/extension.js',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  external: ['vscode'],
  logLevel: 'warning',
});
