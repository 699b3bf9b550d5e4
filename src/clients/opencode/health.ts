// Its program (1.18.33).
import type { Health } from '../health/health.ts';

export const opencode: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
  // The option --pure sets it, too. With a value that is none of these words, OpenCode does not start.
  off: ({ env: { OPENCODE_PURE: pure = '' } }) =>
    /^(?:1|on|true|y|yes)$/.test(pure)
      ? [
          {
            why: `OPENCODE_PURE=${pure} is set here, and OpenCode then loads no plugins of its users`,
            todo: 'Unset OPENCODE_PURE before you start opencode.',
          },
        ]
      : [],
};
