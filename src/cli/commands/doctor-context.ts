/** What `doctor` looks at, for every command that says whether hooks fire. */

import type { DoctorContext } from '../../diagnose/doctor/context.ts';
import { gather, type Question } from '../../diagnose/doctor/gather.ts';
import { launchText } from '../render/words.ts';
import { type Context, tellingDownload } from './context.ts';

/** @throws UserError for a label that is not installed. */
export const doctorContext = (
  { terminal, env, cwd, version }: Context,
  question?: Question,
): DoctorContext =>
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
