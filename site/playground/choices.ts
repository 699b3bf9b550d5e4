/** What can be chosen: the events and the grants that declarations have. */

import { ALL_EVENTS, TOOL_EVENTS as TOOLS } from '../../src/declaration/declaration.ts';
import { GRANTS } from '../../src/declaration/grants.ts';
import type { Choices } from './protocol.ts';

export const TOOL_EVENTS: readonly string[] = TOOLS;
export const PROMPT_EVENTS: readonly string[] = ['pre_request'];

export const CHOICES: Choices = {
  events: ALL_EVENTS,
  toolEvents: TOOL_EVENTS,
  promptEvents: PROMPT_EVENTS,
  grants: GRANTS,
};
