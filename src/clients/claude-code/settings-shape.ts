/**
 * If a value has another shape than here, Claude Code drops the whole file (measured on 2.1.329). A setting that is not listed
 * only counts as unset, and the rest of the file is read.
 */

import * as is from '../health/shapes.ts';
import { words } from '../words.ts';

const each = (shape: is.Shape, names: string): Record<string, is.Shape> =>
  Object.fromEntries(words(names).map((name) => [name, shape]));

const texts = is.list(is.text);
const scalar = is.anyOf(
  'is not a string, number, boolean or list of strings',
  is.text,
  is.number,
  is.flag,
  texts,
);
const anything: is.Shape = () => [];
const source = is.word(
  ...words(`
  directory file git github hostPattern npm pathPattern settings skills-dir url`),
);

const permissions = is.fields({
  // Unknown rules are skipped one by one.
  ...each(is.list(anything), 'allow deny ask'),
  defaultMode: is.word(
    ...words(`
    acceptEdits auto bypassPermissions default dontAsk manual plan`),
  ),
  ...each(is.word('disable'), 'disableBypassPermissionsMode disableAutoMode'),
  ...each(
    is.flag,
    `denyInsteadOfPrompting blockReadsOutsideWorkingDirectories
     blockFileToolReadsOutsideWorkingDirectories blockWritesOutsideWorkingDirectories`,
  ),
  additionalDirectories: texts,
});

const sandbox = is.fields({
  ...each(
    is.flag,
    `enabled failIfUnavailable autoAllowBashIfSandboxed allowUnsandboxedCommands
     enableWeakerNestedSandbox allowNestedUserNamespaces enableWeakerNetworkIsolation allowAppleEvents`,
  ),
  excludedCommands: texts,
  network: is.fields({
    ...each(texts, 'allowedDomains deniedDomains allowUnixSockets'),
    ...each(
      is.flag,
      'strictAllowlist allowManagedDomainsOnly allowAllUnixSockets allowLocalBinding',
    ),
    allowMachLookup: is.list(
      is.matching(/^[^*]*\*?$/, 'is not a string with at most one "*", at its end'),
    ),
    ...each(is.number, 'httpProxyPort socksProxyPort'),
    tlsTerminate: is.fields(each(is.matching(/./s, 'is not a path'), 'caCertPath caKeyPath')),
  }),
  filesystem: is.fields({
    ...each(texts, 'allowWrite denyWrite denyRead allowRead'),
    ...each(is.flag, 'allowManagedReadPathsOnly disabled'),
  }),
  credentials: is.fields({
    files: is.list(is.fields({ path: is.text, mode: is.text }, 'path', 'mode')),
    envVars: is.list(is.fields({ name: is.text, mode: is.text }, 'name', 'mode')),
    allowPlaintextInject: is.flag,
  }),
  windows: is.fields({ backend: is.word('sandboxuser', 'mxc') }),
  ignoreViolations: is.table(texts),
  ripgrep: is.fields({ command: is.text, args: texts }, 'command'),
});

const command = { type: is.word('command'), command: is.text };
const minutes = is.integer(1);
const time = is.matching(/^([01]?\d|2[0-3]):[0-5]\d$/, 'is not a time such as "22:00"');

export const SETTINGS = is.fields({
  ...each(
    is.text,
    `$schema advisorModel agent apiKeyHelper attributionProject autoMemoryDirectory awsAuthRefresh
     awsCredentialExport claudeMd gcpAuthRefresh language minimumVersion model otelHeadersHelper
     outputStyle plansDirectory pluginTrustMessage prUrlTemplate processWrapper proxyAuthHelper
     requiredMaximumVersion requiredMinimumVersion timeFormat timeZone`,
  ),
  ...each(
    is.flag,
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
    is.orNull(is.flag),
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
    is.anyOf('is not a string or an array of strings', is.text, texts),
    'disabledMcpjsonServers enabledMcpjsonServers forceLoginOrgUUID',
  ),
  ...each(is.integer(1), 'cleanupPeriodDays skillListingMaxDescChars totalTokensReminderBudget'),
  desktopSessionCleanupPeriodDays: is.integer(0),
  skillListingBudgetFraction: is.within(
    (value) => value > 0 && value <= 1,
    'above 0 and at most 1',
  ),
  feedbackSurveyRate: is.within((value) => value >= 0 && value <= 1, 'from 0 to 1'),

  autoUpdatesChannel: is.word('latest', 'stable', 'rc'),
  daemonColdStart: is.word('transient', 'ask'),
  defaultShell: is.word('bash', 'powershell'),
  disableAutoMode: is.orNull(is.word('disable')),
  feedbackDrafts: is.orNull(is.word('notify', 'quiet', 'off')),
  ...each(is.word('first-wins', 'merge'), 'managedSourcesBehavior parentSettingsBehavior'),
  totalTokensReminder: is.word('off', 'infinite', 'fixed', 'countdown', 'padded-countdown'),
  tui: is.word('default', 'fullscreen'),
  workflowSizeGuideline: is.word('unrestricted', 'small', 'medium', 'large'),

  permissions,
  sandbox,
  env: is.table(anything),
  attribution: is.anyOf(
    'is not true, false or an object with strings "commit" and "pr"',
    is.flag,
    is.fields({ commit: is.text, pr: is.text, sessionUrl: is.flag }),
  ),
  statusLine: is.fields(
    { ...command, padding: is.number, hideVimModeIndicator: is.flag },
    'type',
    'command',
  ),
  fileSuggestion: is.fields(command, 'type', 'command'),
  breakReminder: is.fields({
    enabled: is.flag,
    intervalMinutes: minutes,
    breakThresholdMinutes: minutes,
    message: is.text,
  }),
  quietHours: is.fields({ enabled: is.flag, start: time, end: time }),
  enabledPlugins: is.table(is.anyOf('is not true, false or an array of strings', is.flag, texts)),
  modelOverrides: is.table(is.text),
  skillOverrides: is.table(is.word('on', 'name-only', 'user-invocable-only', 'off')),
  worktree: is.fields({
    ...each(texts, 'symlinkDirectories sparsePaths'),
    baseRef: is.word('fresh', 'head'),
  }),
  spinnerVerbs: is.fields({ mode: is.word('append', 'replace'), verbs: texts }, 'mode', 'verbs'),
  pluginConfigs: is.table(
    is.fields({ mcpServers: is.table(is.table(scalar)), options: is.table(scalar) }),
  ),
  remote: is.fields({ defaultEnvironmentId: is.text }),
  remoteTools: is.fields({ allowUnattendedServing: is.flag }),
  voice: is.fields({ enabled: is.flag, mode: is.word('hold', 'tap'), autoSubmit: is.flag }),
  sshConfigs: is.list(
    is.fields(
      { ...each(is.text, 'id name sshHost sshIdentityFile startDirectory'), sshPort: is.integer() },
      'id',
      'name',
      'sshHost',
    ),
  ),
  allowedChannelPlugins: is.list(
    is.fields({ marketplace: is.text, plugin: is.text }, 'marketplace', 'plugin'),
  ),
  ...each(
    is.orNull(is.list(is.fields({ source }, 'source'))),
    'allowedMarketplaces strictKnownMarketplaces',
  ),
  blockedMarketplaces: is.orNull(
    is.list(
      is.fields(
        { source: is.anyOf('is not a known source', source, is.word('pluginDirectory')) },
        'source',
      ),
    ),
  ),
  // A malformed part of an entry is skipped, unless it is a source of an unknown kind.
  ...each(
    is.ifObject(is.table(is.ifObject(is.fields({ source: is.ifObject(is.fields({ source })) })))),
    'additionalMarketplaces extraKnownMarketplaces',
  ),
});
