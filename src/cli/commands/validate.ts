/** `mcp-hooks validate`: reports all problems of a manifest of any kind, and notes for its author, with their locations. */

import { resolve } from 'node:path';
import { findPlaces } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import type { Problem } from '../../declaration/declared.ts';
import { locate } from '../../declaration/document.ts';
import type { Doubts } from '../../declaration/manifest.ts';
import { linter } from '../../diagnose/lint/lint.ts';
import { namedTools } from '../../diagnose/lint/named-tools.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { helpFor } from '../../present/messages/codes.ts';
import { messages } from '../../present/messages/output.ts';
import { sentence } from '../../present/messages/sentence.ts';
import { folded } from '../../present/render/lines.ts';
import { unsupportedJson } from '../../present/render/plan.ts';
import { showProblems } from '../../present/render/problems.ts';
import { sarif } from '../../present/render/sarif.ts';
import { declaredServer } from '../../sources/declared-server.ts';
import { checkManifestFile, type FoundManifest } from '../../sources/manifests/read.ts';
import type { SourceMessage } from '../../sources/messages.ts';
import type { ToolList } from '../../sources/protocol/tools.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import { inLine, toJson, toPlainJson } from '../../system/visible.ts';
import {
  type Command,
  type Context,
  type Flags,
  OK,
  option,
  TROUBLE,
  timeoutOption,
  yesOption,
} from './command.ts';
import { toolsFrom } from './read-declaration.ts';

/** Matches the names of files that may contain a manifest. */
const NAMED = /\.(?:jsonc?|mcpb|dxt|tgz)$/i;

export const validate: Command = {
  name: 'validate',
  group: 'Author',
  summary: 'check a manifest',
  operands: '<manifest>',
  operandsBeforeLaunch: '[manifest]',
  usage: ['[options] <manifest>'],
  options: [
    option('--name <label>', 'the label under which it would be installed'),
    option('--strict', 'treat warnings as errors'),
    option('--sarif', 'print SARIF 2.1.0, for code scanning').conflicts(['json']),
    option('--server', 'also start its server, and check the tools that hooks call or name'),
    yesOption('start the server without asking'),
    timeoutOption('how long the server may take to answer', 20),
  ],
  examples: [
    'validate annal.json',
    'validate annal.json --strict --server',
    'validate annal.json --sarif > annal.sarif',
  ],
  run,
};

async function run(context: Context, path: string | undefined, flags: Flags): Promise<number> {
  const { terminal, cwd, launch, version } = context;
  const { name = '<label>' } = flags;
  const command = launch ? commandInWords(launch) : '...';
  const hint = said<CliMessage>({ code: 'manifests-only', name, command });
  if (path === undefined || launch) throw new UserError<Message>(hint);
  const read = (own: Doubts) => reading(path, cwd, flags.name, hint, own);
  const written = await read(linter());
  const tools = flags.server ? await toolsOf(context, written, flags) : undefined;
  const { declared, shown } = tools ? await read(linter(tools, written.declared.label)) : written;
  const { label, hooks, source, unsupported = [] } = declared;
  const isEmpty = hooks.length + unsupported.length + declared.problems.length === 0;
  const found = isEmpty ? [NO_HOOK] : [...declared.problems, ...unsaid(written)];
  const problems = found.map((problem) =>
    flags.strict && problem.level === 'warning' ? { ...problem, level: 'error' as const } : problem,
  );
  const file = source.kind === 'manifest' ? source.path : resolve(cwd, path);
  const valid = !problems.some(({ level }) => level === 'error');
  if (flags.sarif) {
    terminal.out(toPlainJson(sarif(problems, { file, cwd, version })));
    return valid ? OK : TROUBLE;
  }
  if (flags.json) {
    const all = problems.map(({ path: at, ...rest }) => {
      const { code } = rest.message;
      return { ...rest, message: sentence(rest.message), path: at, code, help: helpFor(code) };
    });
    const found = { file, valid, label, hooks: hooks.length, problems: all };
    terminal.out(toJson({ ...found, ...unsupportedJson(declared) }));
    return valid ? OK : TROUBLE;
  }
  // Editors and scripts parse one line per problem.
  const columns = terminal.tty ? terminal.columns : Number.POSITIVE_INFINITY;
  const levels = problems.map(({ level }) => level);
  // A single problem needs no count.
  const sum = valid
    ? [messages.valid(shown, levels, label, hooks.length)]
    : levels.length > 1
      ? [messages.invalid(shown, levels)]
      : [];
  const lines = showProblems(terminal, columns, locate(shown, problems));
  terminal.out(`${[...lines, ...folded(sum, columns)].join('\n')}\n`);
  return valid ? OK : TROUBLE;
}

const ofWhole = (level: Problem['level'], message: Message): Problem<Message> => ({
  level,
  message,
  path: [],
  line: 1,
  column: 1,
});

const NO_HOOK = ofWhole('warning', said<CliMessage>({ code: 'declares-none' }));

/** What an install needs besides the file: which server the hooks belong to, and how it is started. */
function unsaid({ several, named: name }: FoundManifest): Problem<Message>[] {
  if (several)
    return [ofWhole('warning', said<CliMessage>({ code: 'tools-of-several', names: several }))];
  if (name === undefined) return [];
  return [ofWhole('note', said<SourceMessage>({ code: 'server-start-missing', name }))];
}

/** @throws UserError for a file that cannot be read or is not a manifest; the error also tells how to check a server. */
async function reading(
  path: string,
  cwd: string,
  name: string | undefined,
  hint: Message,
  own: Doubts,
) {
  const isNamed = NAMED.test(path);
  try {
    const found = await checkManifestFile(resolve(cwd, path), path, name, own);
    const { hooks, problems } = found.declared;
    const isCode =
      hooks.length === 0 && problems.some(({ message }) => message.code === 'json-mistake');
    if (!isNamed && isCode) throw new UserError<Message>(hint, locate(found.shown, problems));
    return found;
  } catch (error) {
    if (!(error instanceof UserError) || isNamed || error.problem.code === hint.code) throw error;
    throw new UserError<Message>(error.problem, [...error.details, hint]);
  }
}

/** The tools of the manifest's own server, after the user agreed to start it. Undefined if no hook calls or names a tool. */
async function toolsOf(
  context: Context,
  { declared, shown }: FoundManifest,
  flags: Flags,
): Promise<ToolList | undefined> {
  const { env, cwd } = context;
  const { label, source, server, hooks } = declared;
  const asks = (hook: HookDeclaration) =>
    hook.context_tool !== undefined || namedTools(hook, label).length > 0;
  if (!hooks.some(asks)) return undefined;
  const [first] = CLIENTS;
  if (!server || !first) throw new UserError<CliMessage>({ code: 'no-server-to-ask', path: shown });
  const given = first.givenToServers;
  const target = {
    ...declaredServer({ label, source, server }, { given, env, cwd }),
    consent: said<SourceMessage>({ code: 'manifest-names-it', path: shown }),
  };
  const { json, sarif: asSarif } = flags;
  const places = findPlaces(env, cwd, 'user');
  return toolsFrom(context, target, inLine(label), { ...flags, json: json || asSarif }, places);
}
