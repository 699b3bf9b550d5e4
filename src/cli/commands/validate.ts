/** `mcp-hooks validate`: everything that is wrong with a manifest, of any kind, with places. */

import { resolve } from 'node:path';
import { locate } from '../../declaration/document.ts';
import { checkWrittenDown } from '../../sources/manifests/read.ts';
import { count } from '../../system/plurals.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { sentence } from '../messages/sentence.ts';
import { unsupportedJson } from '../render/plan.ts';
import { type Command, OK, TROUBLE } from './context.ts';

export const validate: Command<[path: string]> = async ({ terminal, cwd }, path, flags) => {
  const { declared, shown } = await checkWrittenDown(resolve(cwd, path), path, flags.name);
  const { label, hooks, source } = declared;
  const problems = declared.problems.map((problem) =>
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
