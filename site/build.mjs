// `npm run site` builds the site into site/dist: the playground, if it is there, and the pages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const run = (...args) =>
  execFileSync(process.execPath, args, { cwd: join(here, '..'), stdio: 'inherit' });

const playground = join(here, 'playground/build.mjs');
if (existsSync(playground)) run(playground);
run(join(here, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'site');
