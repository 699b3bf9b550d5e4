/**
 * How Claude Code treats malformed `hooks`, measured on 2.1.329. A hook of PreToolUse or PermissionRequest may guard something
 * that the file permits, so if one cannot be loaded, the whole file is ignored. Any other mistake only costs its entry.
 */

import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { UNDER_HOOKS } from '../contract.ts';
import type { Fault } from '../health/health.ts';
import * as is from '../health/shapes.ts';
import { words } from '../words.ts';

const GUARDS = ['PreToolUse', 'PermissionRequest'];
const EVENTS = [
  ...GUARDS,
  ...words(`
    PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact
    PreModelSwitch PostModelSwitch PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted
    Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded
    CwdChanged FileChanged DirectoryAdded MessageDisplay`),
];
/** Settings that are not searched for misplaced hooks. */
const OTHERS = words(`
  enabledPlugins env extraKnownMarketplaces lspServers managedMcpServers mcpServers modelSettings
  pluginConfigs skillOverrides`);

const common = {
  if: is.text,
  once: is.flag,
  statusMessage: is.text,
  timeout: is.within((value) => value > 0, 'above 0'),
};
const failing = { onFailure: is.word('continue', 'block') };
const GROUP = is.groupOf(
  is.variants({
    command: is.fields(
      {
        ...common,
        ...failing,
        command: is.text,
        args: is.list(is.text),
        shell: is.word('bash', 'powershell'),
        async: is.flag,
        asyncRewake: is.flag,
      },
      'command',
    ),
    http: is.fields(
      {
        ...common,
        ...failing,
        url: is.matching(/^[a-z][a-z0-9+.-]*:/i, 'is not a URL'),
        headers: is.table(is.text),
        allowedEnvVars: is.list(is.text),
      },
      'url',
    ),
    mcp_tool: is.fields(
      { ...common, server: is.text, tool: is.text, input: is.table(() => []) },
      'server',
      'tool',
    ),
    prompt: is.fields(
      { ...common, prompt: is.text, model: is.text, continueOnBlock: is.flag },
      'prompt',
    ),
    agent: is.fields({ ...common, prompt: is.text, model: is.text }, 'prompt'),
  }),
);

export function hookFaults(document: JsonObject): Fault[] {
  const strays = Object.entries(document)
    .filter(([key]) => key !== 'hooks' && !OTHERS.includes(key))
    .filter(([key, value]) => isGuard({ [key]: value }) || isStray(value, !EVENTS.includes(key)))
    .map(([key]) => ({ path: [key], what: 'holds hooks, which belong under "hooks"' }));
  return [...strays, ...underHooks(document)];
}

function underHooks(document: JsonObject): Fault[] {
  const { hooks } = document;
  if (hooks === undefined) return [];
  const here = { path: ['hooks'], what: 'is not an object of events' };
  if (!isObject(hooks))
    return Array.isArray(hooks) && hooks.some((item: JsonValue) => isObject(item))
      ? [here]
      : [{ ...here, lost: 'hooks' }];
  if (isGroup(hooks)) return [here];
  return Object.entries(hooks).flatMap(([event, groups]): Fault[] => {
    const path = ['hooks', event];
    const stray = { path, what: 'holds hooks where none belong' };
    if (!EVENTS.includes(event)) return isStray(groups, !Array.isArray(groups)) ? [stray] : [];
    const guards = GUARDS.includes(event);
    if (!Array.isArray(groups)) {
      if (guards && groups === null) return [];
      const lost = guards || isStray(groups, false) ? {} : ENTRY;
      return [{ path, what: 'is not an array', ...lost }];
    }
    if (groups.some((group: JsonValue) => isStray(group, false))) return [stray];
    return is
      .faultsUnder(document, event, GROUP, UNDER_HOOKS)
      .map((fault) => (guards ? fault : { ...fault, ...ENTRY }));
  });
}

const ENTRY = { lost: 'entry' } as const;

const isGuard = (value: JsonValue): boolean =>
  isObject(value) && GUARDS.some((event) => Object.hasOwn(value, event) && holds(value[event]));

const holds = (groups: JsonValue | undefined): boolean =>
  groups !== undefined && groups !== null && !(Array.isArray(groups) && groups.length === 0);

function isGroup(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  if (!('matcher' in value) && Object.keys(value).some((key) => EVENTS.includes(key))) return false;
  const { hooks } = value;
  if (Array.isArray(hooks)) return hooks.length > 0;
  return isObject(hooks) && ('matcher' in value || typeof hooks.type === 'string');
}

/**
 * Whether a value contains a hook that belongs under an event, up to `depth` levels down. `groups`: a group by itself counts.
 */
function isStray(value: JsonValue, groups: boolean, depth = 3): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isGuard(value) || (groups && isGroup(value))) return true;
  if (depth === 0) return false;
  if (!isObject(value)) return value.some((item) => isStray(item, groups, depth - 1));
  return Object.keys(value).some((key) =>
    isStray(value[key] ?? null, groups && !EVENTS.includes(key), depth - 1),
  );
}
