/** What can be chosen: the events and the grants that declarations have. */

import { ALL_EVENTS, TOOL_EVENTS } from '../../src/declaration/declaration.ts';
import { GRANTS } from '../../src/declaration/grants.ts';
import type { Choices } from './protocol.ts';

export const CHOICES: Choices = {
  events: ALL_EVENTS,
  toolEvents: TOOL_EVENTS,
  promptEvents: ['pre_request'],
  grants: GRANTS,
};
