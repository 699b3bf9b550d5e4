/** Settings of Claude Code, and how it treats the file that they are in. test/real-clients asks the real one. */
import type { JsonObject, JsonValue } from '../../src/edit/edit.ts';

/** `void`: the whole file is dropped; `dropped`: only our hook is; `fine`: the hook runs. */
export type Verdict = 'void' | 'dropped' | 'fine';

/** A hook group like ours. */
type Ours = JsonObject;
type Case = readonly [name: string, settings: (ours: Ours) => JsonObject];

const beside = (name: string, settings: JsonObject): Case => [
  name,
  (ours) => ({ ...settings, hooks: { SessionStart: [ours] } }),
];
const values = (key: string, ...all: readonly JsonValue[]): Case[] =>
  all.map((value) => {
    const path = key.split('.');
    const settings = path.reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), value);
    return beside(`${key} = ${JSON.stringify(value)}`, settings as JsonObject);
  });
const hooks = (name: string, make: (ours: Ours) => JsonValue): Case => [
  name,
  (ours) => ({ hooks: make(ours) }),
];
const onTool = (name: string, handler: JsonObject): Case =>
  hooks(`PreToolUse: ${name}`, (ours) => ({
    SessionStart: [ours],
    PreToolUse: [{ hooks: [handler] }],
  }));
const command = { type: 'command', command: 'true' };
const guard = { PreToolUse: [{ hooks: [] }] };

const CASES: Readonly<Record<Verdict, readonly Case[]>> = {
  void: [
    ...values('permissions', 5),
    ...values('permissions.defaultMode', 'allowEdits', 'delegate', null),
    ...values('permissions.allow', 'Read', null),
    ...values('permissions.additionalDirectories', 'x', [5]),
    ...values('permissions.disableBypassPermissionsMode', true),
    ...values('cleanupPeriodDays', 0, 1.5, '30'),
    ...values('desktopSessionCleanupPeriodDays', -1),
    ...values('apiKeyHelper', null),
    ...values('model', 7, null),
    ...values('disableAllHooks', 'yes', null),
    ...values('alwaysThinkingEnabled', 'true'),
    ...values('includeCoAuthoredBy', null),
    ...values('enableAllProjectMcpServers', 'true'),
    ...values('enabledMcpjsonServers', 5),
    ...values('statusLine', { command: 'true' }, { type: 'command' }, 'true'),
    ...values('statusLine', { ...command, padding: '1' }),
    ...values('fileSuggestion', { command: 'true' }),
    ...values('enabledPlugins', { 'a@b': 'yes' }, { 'a@b': null }, ['a@b']),
    ...values('sandbox.enabled', 'yes'),
    ...values('sandbox.network.allowedDomains', 'example.com'),
    ...values('sandbox.filesystem.denyRead', [5]),
    ...values('sandbox.ripgrep', {}),
    ...values('attribution', { commit: 5 }, null),
    ...values('env', ['A=b'], 'A=b'),
    ...values('skillOverrides', { a: 'x' }),
    ...values('worktree', { baseRef: 'x' }),
    ...values('spinnerVerbs', { verbs: ['x'] }),
    ...values('autoUpdatesChannel', 'nightly'),
    ...values('availableModels', 'sonnet'),
    ...values('quietHours', { start: '25:00' }),
    ...values('feedbackSurveyRate', 2),
    ...values('strictKnownMarketplaces', [{}]),
    ...values('extraKnownMarketplaces', { a: { source: { source: 'x' } } }),
    ...values('$schema', 5),
    beside('PreToolUse at the top', guard),
    beside('PreToolUse below another key', { x: { y: guard } }),
    beside('a hook group below another key', { x: { hooks: [command] } }),
    hooks('hooks is an array of groups', (ours) => [ours]),
    hooks('hooks is a group', (ours) => ours),
    hooks('PreToolUse is an object', (ours) => ({ SessionStart: [ours], PreToolUse: {} })),
    hooks('a group of PreToolUse without hooks', (ours) => ({
      SessionStart: [ours],
      PreToolUse: [{}],
    })),
    hooks('PreToolUse within Stop', (ours) => ({ SessionStart: [ours], Stop: [guard] })),
    hooks('PreToolUse within an unknown event', (ours) => ({ SessionStart: [ours], Foo: guard })),
    onTool('no command', { type: 'command' }),
    onTool('timeout 0', { ...command, timeout: 0 }),
    onTool('an unknown shell', { ...command, shell: 'zsh' }),
    onTool('args that are a string', { ...command, args: 'x' }),
    onTool('a URL that is none', { type: 'http', url: 'x' }),
  ],
  dropped: [
    hooks('hooks is an empty array', () => []),
    hooks('hooks is a string', () => 'x'),
    hooks('hooks is null', () => null),
    hooks('the event is no array', (ours) => ({ SessionStart: ours.hooks ? 5 : 6 })),
    hooks('our matcher is a number', (ours) => ({ SessionStart: [{ ...ours, matcher: 5 }] })),
    hooks('our timeout is 0', ({ hooks: handlers }) => ({
      SessionStart: [{ hooks: withTimeout(handlers, 0) }],
    })),
  ],
  fine: [
    ...values('permissions', {}),
    ...values('permissions.allow', [5], ['no (rule']),
    ...values('permissions.defaultMode', 'manual', 'dontAsk'),
    ...values('permissions.other', 5),
    ...values('cleanupPeriodDays', 1),
    ...values('unknown', 5),
    ...values('sandbox.other', 5),
    ...values('sandbox.network.httpProxyPort', 1.5),
    ...values('enabledPlugins', { 'a@b': ['x'] }),
    ...values('enabledMcpjsonServers', 'x'),
    ...values('enableAllProjectMcpServers', null),
    ...values('effortLevel', 5),
    ...values('theme', 5),
    ...values('extraKnownMarketplaces', 5, { a: { source: { source: 'github' } } }),
    ...values('env', { A: {} }),
    ...values('worktree', { location: 5 }),
    beside('an empty PreToolUse at the top', { PreToolUse: [] }),
    beside('Stop at the top', { Stop: [{ hooks: [command] }] }),
    hooks('a wrong entry beside ours', (ours) => ({ SessionStart: [{ hooks: [{}] }, ours] })),
    hooks('another event with a wrong entry', (ours) => ({ SessionStart: [ours], Stop: [{}, 5] })),
    hooks('another event that is no array', (ours) => ({ SessionStart: [ours], Stop: 5 })),
    hooks('an unknown event', (ours) => ({ SessionStart: [ours], Foo: 3 })),
    hooks('PreToolUse is null', (ours) => ({ SessionStart: [ours], PreToolUse: null })),
    onTool('an unknown key', { ...command, mine: 5 }),
  ],
};

const withTimeout = (handlers: JsonValue | undefined, timeout: number): JsonValue[] =>
  (Array.isArray(handlers) ? handlers : []).map((handler: JsonObject) => ({ ...handler, timeout }));

export const ALL = (['void', 'dropped', 'fine'] as const).flatMap((verdict) =>
  CASES[verdict].map(([name, settings]) => ({ name, verdict, settings })),
);
