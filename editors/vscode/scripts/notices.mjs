/** What others wrote and the package brings along, with their licences. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `inputs`: the files that went into the bundles, as esbuild names them. */
export function writeNotices(inputs, target) {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== null));
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : '';
    return `## ${name} ${version} (${license})\n\n${text}\n`;
  });
  const head = '# Third party notices\n\nThe Python packages in `bundled/libs` have theirs beside them.\n';
  writeFileSync(target, [head, ...parts].join('\n'));
}

function packageOf(file) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return match && existsSync(`${match[1]}/package.json`) ? match[1] : null;
}
