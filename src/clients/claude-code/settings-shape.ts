/**
 * Settings for which Claude Code drops the whole file they are in, measured on 2.1.329: any value that does not fit here.
 * A setting that is not listed is read as unset when its value does not fit, and the rest of the file counts.
 */

import {
  either,
  fields,
  flag,
  ifObject,
  list,
  matching,
  number,
  orNull,
  type Shape,
  table,
  text,
  whole,
  within,
  word,
} from '../health/shapes.ts';

const each = (shape: Shape, names: string): Record<string, Shape> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, shape]));

const texts = list(text);
const scalar = either(
  'is not a string, number, boolean or list of strings',
  text,
  number,
  flag,
  texts,
);
const anything: Shape = () => [];
const source = word(
  'directory',
  'file',
  'git',
  'github',
  'hostPattern',
  'npm',
  'pathPattern',
  'settings',
  'skills-dir',
  'url',
);

const permissions = fields({
  // Rules that are not understood are skipped one by one.
  ...each(list(anything), 'allow deny ask'),
  defaultMode: word(
    'acceptEdits',
    'auto',
    'bypassPermissions',
    'default',
    'dontAsk',
    'manual',
    'plan',
  ),
  ...each(word('disable'), 'disableBypassPermissionsMode disableAutoMode'),
  ...each(
    flag,
    `denyInsteadOfPrompting blockReadsOutsideWorkingDirectories
     blockFileToolReadsOutsideWorkingDirectories blockWritesOutsideWorkingDirectories`.trim(),
  ),
  additionalDirectories: texts,
});

const sandbox = fields({
  ...each(
    flag,
    `enabled failIfUnavailable autoAllowBashIfSandboxed allowUnsandboxedCommands
     enableWeakerNestedSandbox allowNestedUserNamespaces enableWeakerNetworkIsolation allowAppleEvents`,
  ),
  excludedCommands: texts,
  network: fields({
    ...each(texts, 'allowedDomains deniedDomains allowUnixSockets'),
    ...each(flag, 'strictAllowlist allowManagedDomainsOnly allowAllUnixSockets allowLocalBinding'),
    allowMachLookup: list(
      matching(/^[^*]*\*?$/, 'is not a string with at most one "*", at its end'),
    ),
    ...each(number, 'httpProxyPort socksProxyPort'),
    tlsTerminate: fields(each(matching(/./s, 'is not a path'), 'caCertPath caKeyPath')),
  }),
  filesystem: fields({
    ...each(texts, 'allowWrite denyWrite denyRead allowRead'),
    ...each(flag, 'allowManagedReadPathsOnly disabled'),
  }),
  credentials: fields({
    files: list(fields({ path: text, mode: text }, 'path', 'mode')),
    envVars: list(fields({ name: text, mode: text }, 'name', 'mode')),
    allowPlaintextInject: flag,
  }),
  windows: fields({ backend: word('sandboxuser', 'mxc') }),
  ignoreViolations: table(texts),
  ripgrep: fields({ command: text, args: texts }, 'command'),
});

const command = { type: word('command'), command: text };
const minutes = whole(1);
const time = matching(/^([01]?\d|2[0-3]):[0-5]\d$/, 'is not a time such as "22:00"');

export const SETTINGS = fields({
  ...each(
    text,
    `$schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh
     awsCredentialExport claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper
     outputStyle plansDirectory pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper
     requiredMaximumVersion requiredMinimumVersion timeFormat timeZone`,
  ),
  ...each(
    flag,
    `agentPushNotifEnabled allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp
     allowNestedModelAccessUnderForceLogin alwaysThinkingEnabled autoCompactEnabled autoDreamEnabled
     autoMemoryEnabled autoScrollEnabled awaySummaryEnabled bashEditDiffEnabled
     clawdFileProgressEnabled disableAllHooks disableReplyCheck doneMeansMerged emojiCompletionEnabled fastMode
     fileCheckpointingEnabled forceRemoteSettingsRefresh idleCompaction includeCoAuthoredBy
     includeGitInstructions inputNeededNotifEnabled precomputeCompactionEnabled
     prefersReducedMotion promptSuggestionEnabled respectGitignore respondToBashCommands
     showClearContextOnPlanAccept showMessageTimestamps showThinkingSummaries showTurnDuration
     spinnerTipsEnabled switchModelsOnFlag syntaxHighlightingDisabled terminalProgressBarEnabled
     terminalTitleFromRename todoFeatureEnabled totalTokensReminderAfterUserTurn verbose
     wheelScrollAccelerationEnabled workflowKeywordTriggerEnabled wslInheritsWindowsSettings`,
  ),
  ...each(
    orNull(flag),
    `allowManagedHooksOnly allowManagedMcpServersOnly allowManagedPermissionRulesOnly
     autoContinueAtUsageLimit autoUploadSessions channelsEnabled disableAgentView
     disableArtifact disableBundledSkills disableClaudeAiConnectors disableCommandPluginSources
     disableRemoteControl disableSideloadFlags disableSkillShellExecution
     disableWindowsBashCommandSplit disableWorkflows enableAllProjectMcpServers enableArtifact
     enableWorkflows enforceAvailableModels fastModePerSessionOptIn isolatePeerMachines
     remoteControlAtStartup responseComparisonEnabled skipDangerousModePermissionPrompt
     skipWebFetchPreflight skipWorkflowUsageWarning syncClaudeAiPlugins syncClaudeAiSkills`,
  ),
  ...each(
    texts,
    `allowedHttpHookUrls availableModels claudeMdExcludes companyAnnouncements fallbackModel
     httpHookAllowedEnvVars pluginSuggestionMarketplaces`,
  ),
  ...each(
    either('is not a string or an array of strings', text, texts),
    'disabledMcpjsonServers enabledMcpjsonServers forceLoginOrgUUID',
  ),
  ...each(whole(1), 'cleanupPeriodDays skillListingMaxDescChars totalTokensReminderBudget'),
  desktopSessionCleanupPeriodDays: whole(0),
  skillListingBudgetFraction: within((value) => value > 0 && value <= 1, 'above 0 and at most 1'),
  feedbackSurveyRate: within((value) => value >= 0 && value <= 1, 'from 0 to 1'),

  autoUpdatesChannel: word('latest', 'stable', 'rc'),
  daemonColdStart: word('transient', 'ask'),
  defaultShell: word('bash', 'powershell'),
  disableAutoMode: orNull(word('disable')),
  feedbackDrafts: orNull(word('notify', 'quiet', 'off')),
  ...each(word('first-wins', 'merge'), 'managedSourcesBehavior parentSettingsBehavior'),
  totalTokensReminder: word('off', 'infinite', 'fixed', 'countdown', 'padded-countdown'),
  tui: word('default', 'fullscreen'),
  workflowSizeGuideline: word('unrestricted', 'small', 'medium', 'large'),

  permissions,
  sandbox,
  env: table(anything),
  attribution: either(
    'is not true, false or an object with strings "commit" and "pr"',
    flag,
    fields({ commit: text, pr: text, sessionUrl: flag }),
  ),
  statusLine: fields(
    { ...command, padding: number, hideVimModeIndicator: flag },
    'type',
    'command',
  ),
  fileSuggestion: fields(command, 'type', 'command'),
  breakReminder: fields({
    enabled: flag,
    intervalMinutes: minutes,
    breakThresholdMinutes: minutes,
    message: text,
  }),
  quietHours: fields({ enabled: flag, start: time, end: time }),
  enabledPlugins: table(either('is not true, false or an array of strings', flag, texts)),
  modelOverrides: table(text),
  skillOverrides: table(word('on', 'name-only', 'user-invocable-only', 'off')),
  worktree: fields({
    ...each(texts, 'symlinkDirectories sparsePaths'),
    baseRef: word('fresh', 'head'),
  }),
  spinnerVerbs: fields({ mode: word('append', 'replace'), verbs: texts }, 'mode', 'verbs'),
  pluginConfigs: table(fields({ mcpServers: table(table(scalar)), options: table(scalar) })),
  remote: fields({ defaultEnvironmentId: text }),
  remoteTools: fields({ allowUnattendedServing: flag }),
  voice: fields({ enabled: flag, mode: word('hold', 'tap'), autoSubmit: flag }),
  sshConfigs: list(
    fields(
      {
        ...each(text, 'id name sshHost sshIdentityFile startDirectory'),
        sshPort: whole(),
      },
      'id',
      'name',
      'sshHost',
    ),
  ),
  allowedChannelPlugins: list(fields({ marketplace: text, plugin: text }, 'marketplace', 'plugin')),
  ...each(
    orNull(list(fields({ source }, 'source'))),
    'allowedMarketplaces strictKnownMarketplaces',
  ),
  blockedMarketplaces: orNull(
    list(
      fields(
        { source: either('is not a known source', source, word('pluginDirectory')) },
        'source',
      ),
    ),
  ),
  // What is wrong with an entry is skipped, but for a source of an unknown kind.
  ...each(
    ifObject(table(ifObject(fields({ source: ifObject(fields({ source })) })))),
    'additionalMarketplaces extraKnownMarketplaces',
  ),
});
