// `npm run site` builds the site into site/dist: the playground and the pages.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const here = import.meta.dirname;
const run = (...args) =>
  execFileSync(process.execPath, args, { cwd: join(here, '..'), stdio: 'inherit' });

run(join(here, 'playground/build.mjs'));
run(join(here, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'site');
