/** Gathers the facts for `doctor`. */

import { gather, type Question } from '../../diagnose/doctor/context.ts';
import { launchText } from '../../present/render/words.ts';
import type { Context } from './command.ts';
import { tellingDownload } from './progress.ts';

/**
 * The facts for `doctor`, and for every command that reports whether hooks fire. @throws UserError for a label that is not
 * installed.
 */
export const doctorContext = ({ terminal, env, cwd, version }: Context, question?: Question) =>
  gather(
    {
      env,
      cwd,
      version,
      describeLaunch: launchText,
      onDownload: (label) => tellingDownload(terminal, label),
    },
    question,
  );
