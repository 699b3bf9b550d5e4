/** Turns a server's raw capabilities into its declaration. */

import { doubts } from '../../compile/doubts.ts';
import type {
  FoundIn,
  KeyPath,
  Problem,
  ServerHooks,
  Unsupported,
} from '../../declaration/declared.ts';
import { beyondLimits, DEPTH, depthOf } from '../../declaration/limits.ts';
import { type Doubts, formsIn, readDeclarations } from '../../declaration/manifest.ts';
import { formatKeyPath } from '../../declaration/where.ts';
import { SourceError, type SourceMessage } from '../messages.ts';

export interface ServerAnswer extends Omit<FoundIn, 'key' | 'passedOver'> {
  readonly name: string;
  /** The name that the server reports for itself. */
  readonly ownName?: string;
  readonly capabilities: unknown;
}

/** The declaration in an answer, from the first place that has one: our extension, `hooks`, `experimental.hooks`. */
export function declaredIn(
  { name, capabilities, transport, era, protocol }: ServerAnswer,
  host: Pick<ServerHooks, 'label' | 'server' | 'source'>,
): ServerHooks {
  const depth = depthOf(capabilities);
  if (depth > DEPTH) throw new SourceError({ code: 'response-too-deep', name, depth: DEPTH });
  const [form, ...others] = formsIn({ capabilities });
  const found = {
    transport,
    era,
    protocol,
    ...(form && { key: formatKeyPath(form.path) }),
    passedOver: others.map(({ path }) => formatKeyPath(path)),
  };
  if (!form) return { ...host, hooks: [], unsupported: [], problems: [], found };
  const beyond = beyondLimits(form.hooks, form.path);
  if (beyond.length > 0)
    throw new SourceError(
      { code: 'beyond-limits', name },
      beyond.map((one) => placed('problem-at', one)),
    );
  const { declarations, problems, unsupported } = readDeclarations(form.hooks, form.path, ofWhole);
  return {
    ...host,
    hooks: declarations,
    unsupported,
    problems: problems.filter(({ path }) => !isOf(unsupported, path)).map(leftOut),
    found,
  };
}

/** Entries that are left out are not checked any further. */
const ofWhole: Doubts = (hook, path, isPart) => (isPart ? [] : doubts(hook, path));

/** Whether a path belongs to a hook for an unknown event, which cannot be checked. */
const isOf = (unsupported: readonly Unsupported[], path: KeyPath): boolean =>
  unsupported.some((one) => one.path.every((key, index) => path[index] === key));

/** A bad entry does not invalidate a running server's declaration: the server may be newer than us. */
const leftOut = (problem: Problem): Problem<SourceMessage> => ({
  ...problem,
  level: 'warning',
  message: placed(problem.level === 'error' ? 'left-out-at' : 'problem-at', problem),
});

function placed(code: 'left-out-at' | 'problem-at', { path, message }: Problem): SourceMessage {
  return { code, at: formatKeyPath(path), problem: message };
}
