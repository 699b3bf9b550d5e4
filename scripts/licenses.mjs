// The licences of bundled packages.
import { readdirSync, readFileSync } from 'node:fs';

/** The text with the licences of all packages that have a file among these, by their paths in the repository. */
export function licensesOf(files) {
  const packages = new Set(
    files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
  );
  return [...packages]
    .sort()
    .map(licenseIn)
    .join(`\n${'-'.repeat(72)}\n\n`);
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(`${folder}/${file}`, 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}
