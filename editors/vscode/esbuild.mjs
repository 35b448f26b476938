/** Bundles the extension, the view and, with `--tests`, the tests. */

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { writeNotices } from './scripts/notices.mjs';

const isForTests = process.argv.includes('--tests');
const shared = { bundle: true, metafile: true, minify: !isForTests, sourcemap: false, logLevel: 'warning' };
const node = { ...shared, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'] };

mkdirSync('dist', { recursive: true });
copyFileSync('node_modules/elkjs/lib/elk-worker.min.js', 'dist/elk-worker.js');
const extension = await build({ ...node, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js' });
const view = await build({
  ...shared,
  entryPoints: ['src/view/main.ts'],
  outfile: 'dist/view.js',
  platform: 'browser',
  format: 'iife',
  target: 'chrome122',
});
const inputs = [extension, view].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeNotices([...inputs, 'node_modules/elkjs/lib/elk-worker.min.js'], 'THIRD_PARTY_NOTICES.md');
if (isForTests) {
  const unit = readdirSync('test/unit').filter((name) => name.endsWith('.test.ts'));
  await build({
    ...node,
    entryPoints: unit.map((name) => `test/unit/${name}`),
    outdir: 'dist-test/unit',
    external: ['vscode', 'elkjs'],
  });
  await build({ ...node, entryPoints: ['test/host/index.ts'], outfile: 'dist-test/host/index.js' });
}
