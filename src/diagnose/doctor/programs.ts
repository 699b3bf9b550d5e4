/** Programs that hooks run: whether their files are still those that the user has allowed. Starts none of them. */

import { existsSync } from 'node:fs';
import { type CheckResult, ofInstalls } from './check.ts';
import { labelWithScope, updateCommand } from './origin.ts';
import { allowedThen, changedPrograms } from './sources.ts';

export const programs = ofInstalls('programs', 'programs-unchanged', (install, at) =>
  [...changedPrograms(install, at)].map(([file, hooks]): CheckResult => {
    const isThere = existsSync(file);
    return {
      level: 'error',
      what: { code: isThere ? 'program-changed' : 'program-gone', hooks },
      where: file,
      todo: isThere
        ? {
            code: 'allow-program',
            command: updateCommand(install),
            grants: allowedThen(install, at),
            where: labelWithScope(install),
          }
        : { code: 'restore-program' },
      blocks: { hooks },
    };
  }),
);
