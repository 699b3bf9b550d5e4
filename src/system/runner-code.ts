/** The runner's own files as modules, by their names in `templates/` ('./words.cjs'), so that their code is not duplicated. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TEMPLATES } from './package-files.ts';

export const runnerCode = createRequire(join(TEMPLATES, 'runner.cjs'));
