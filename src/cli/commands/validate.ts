/** `mcp-hooks validate`: everything that is wrong with a manifest, of any kind, with places. */

import { resolve } from 'node:path';
import type { Problem } from '../../declaration/declared.ts';
import { locate } from '../../declaration/document.ts';
import { checkWrittenDown } from '../../sources/manifests/read.ts';
import { commandInWords } from '../../sources/shown-launch.ts';
import { type Message, said, UserError } from '../../system/errors.ts';
import { count } from '../../system/plurals.ts';
import { inLine, toJson } from '../../system/visible.ts';
import type { CliMessage } from '../messages/cli.ts';
import { sentence } from '../messages/sentence.ts';
import { unsupportedJson } from '../render/plan.ts';
import { type Command, OK, TROUBLE } from './context.ts';

/** What a manifest is in, by its name. */
const NAMED = /\.(?:jsonc?|mcpb|dxt|tgz)$/i;

export const validate: Command<[path: string | undefined]> = async (context, path, flags) => {
  const { terminal, cwd, launch } = context;
  const { name = '<label>' } = flags;
  const command = launch ? commandInWords(launch) : '...';
  const hint = said<CliMessage>({ code: 'manifests-only', name, command });
  if (path === undefined || launch) throw new UserError<Message>(hint);
  const { declared, shown } = await reading(path, cwd, flags.name, hint);
  const { label, hooks, source, unsupported = [] } = declared;
  const isEmpty = hooks.length + unsupported.length + declared.problems.length === 0;
  const found: readonly Problem<Message>[] = isEmpty ? [NO_HOOK] : declared.problems;
  const problems = found.map((problem) =>
    flags.strict ? { ...problem, level: 'error' as const } : problem,
  );
  const file = source.kind === 'manifest' ? source.path : resolve(cwd, path);
  const valid = !problems.some(({ level }) => level === 'error');
  if (flags.json) {
    const all = problems.map(({ path: at, ...rest }) => {
      const { message } = rest;
      return { ...rest, message: sentence(message), path: at, code: message.code };
    });
    const found = { file, valid, label, hooks: hooks.length, problems: all };
    terminal.out(toJson({ ...found, ...unsupportedJson(declared) }));
    return valid ? OK : TROUBLE;
  }
  for (const line of locate(shown, problems)) terminal.out(`${inLine(sentence(line))}\n`);
  const declares = `${label} declares ${count(hooks.length, 'hook')}.`;
  if (valid) terminal.out(`${inLine(shown)}: all good: ${declares}\n`);
  return valid ? OK : TROUBLE;
};

const NO_HOOK = {
  level: 'warning',
  message: said<CliMessage>({ code: 'declares-none' }),
  path: [],
  line: 1,
  column: 1,
} as const;

/** Throws UserError for what cannot be read, and for what is no manifest at all: then also how a server is checked. */
async function reading(path: string, cwd: string, name: string | undefined, hint: Message) {
  const isNamed = NAMED.test(path);
  try {
    const found = await checkWrittenDown(resolve(cwd, path), path, name);
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
