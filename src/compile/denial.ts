/**
 * The data with which the runner's first stage blocks by itself if node does not run, for hooks that block when they fail. The
 * first stage knows less than the second, so it blocks every call that one of these hooks may match.
 */

import { RULES } from '../declaration/policy.ts';
import { shellQuote } from './command.ts';
import { canBegin, type Glob, isLike, piecesOf } from './glob.ts';
import { DECLARED } from './names.ts';
import { type EventProgram, type ProgramHook, whyForbidden } from './program.ts';
import { secondStage } from './second-stage.ts';

/** The lines of `mcp_guards`; empty if no hook of the event blocks when it fails. */
export function guardLines(program: EventProgram): string[] {
  const { policy, wire, label } = program;
  const rules = { ...RULES, ...policy.rules };
  const denying = program.hooks
    .filter(({ extended }) => extended?.onFailure === 'deny')
    .filter(({ extended }) => rules.block && extended?.may.includes('block'))
    .filter((hook) => hook.extended?.can.includes('block') && !hook.marked)
    .filter((hook) => whyForbidden(hook, rules) === undefined)
    .sort((a, b) => (a.extended?.order ?? 0) - (b.extended?.order ?? 0) || a.number - b.number);
  if (denying.length === 0) return [];
  const key = (path: string) => (path.includes('.') ? '' : path);
  return [
    `label=${label} tool=${key(wire.toolName)} input=${key(wire.toolInput)}`,
    ...denying.flatMap((hook) => {
      const { answer, reason } = secondStage().denial(hook, program);
      const { number } = hook;
      const decisions = [{ hook: number, action: 'block', reason }];
      const found = `hook=${number} said=${singleQuoted(answer)} decided=${singleQuoted(JSON.stringify(decisions))}`;
      const fitting = namesOf(hook, program);
      if (!fitting) return [found, 'return'];
      const unknown = ["''", '*[!A-Za-z0-9_-]*'];
      return [`case $1 in ${[...unknown, ...fitting].join(' | ')}) ${found}`, 'return ;; esac'];
    }),
  ];
}

/** Patterns for the names of all tools that a hook may match, as far as they have ordinary characters; undefined: any tool. */
function namesOf({ when }: ProgramHook, { names, wire }: EventProgram): string[] | undefined {
  if (when?.tool === undefined) return undefined;
  const globs = [...when.tool, ...(when.mcpTool ?? [])];
  const isHidden = names.apart !== undefined || wire.serverName !== undefined;
  // The client has a different name for a server's tool.
  if (isHidden && globs.some((glob) => canBegin(glob, DECLARED.prefix))) return undefined;
  const natives = Object.entries(names.aliases).flatMap(([native, declared]) =>
    declared.some((name) => globs.some((glob) => isLike(name, glob))) ? [native] : [],
  );
  return [...new Set([...globs.map(casePattern), ...natives.map(quoted)])];
}

/** A `case` pattern that matches at least the names that the glob matches. */
const casePattern = (glob: Glob): string =>
  glob
    .map((part) =>
      piecesOf(part)
        .map((piece) =>
          typeof piece === 'string'
            ? quoted(piece)
            : '?'.repeat(typeof piece === 'number' ? piece : 1),
        )
        .join(''),
    )
    .join('*') || "''";

const quoted = (text: string): string => (text === '' ? '' : shellQuote(text));

/** ASCII JSON as one word. A JSON escape replaces the apostrophe. */
export const singleQuoted = (json: string): string => `'${json.replaceAll("'", '\\u0027')}'`;
