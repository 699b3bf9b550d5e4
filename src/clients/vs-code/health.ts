// https://code.visualstudio.com/docs/agent-customization/hooks. An organization can switch hooks off, and a user can take
// folders out of chat.hookFilesLocations: both are settings of the editor, in which we look for nothing yet.
import type { Health } from '../health/health.ts';

export const vsCode: Health = {
  layers: [{ whose: 'user' }, { whose: 'project' }],
  switches: [],
};
