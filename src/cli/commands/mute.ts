/** `mcp-hooks mute` and `unmute`: switch hooks off and on in the user's policy. The hooks stay installed. */

import { findPlaces, type Places, tilde } from '../../clients/places.ts';
import { mutedAs, withoutTurnMarks } from '../../compile/program.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import { isMuted, policyPath, type Rules } from '../../declaration/policy.ts';
import { applyPolicy } from '../../install/apply.ts';
import { readLedger } from '../../install/ledger.ts';
import { type Meant, muteIn, unmuteIn } from '../../install/mute.ts';
import { readPolicy } from '../../install/policy-file.ts';
import { scopeFlag, siteOf } from '../../install/site.ts';
import type { CliMessage } from '../../present/messages/cli.ts';
import { messages } from '../../present/messages/output.ts';
import { wrapMessage } from '../../present/render/lines.ts';
import { disk } from '../../system/disk.ts';
import { said, UserError } from '../../system/errors.ts';
import { inLine, toJson } from '../../system/visible.ts';
import { type Command, type Context, type Flags, OK, scopeOption } from './command.ts';
import { doctorContext, fromElsewhere } from './doctor-context.ts';
import { notInstalled } from './nothing-installed.ts';
import { installedAs } from './prepare.ts';

export const mute: Command = {
  name: 'mute',
  group: 'Manage',
  summary: 'switch off hooks of a server without uninstalling them',
  operands: '<label> [hooks...]',
  options: [scopeOption()],
  about:
    'Hooks have the numbers that `install` shows. Your policy.json lists the muted hooks by what they declare, so an update never mutes another hook.',
  examples: ['mute annal', 'mute annal 2'],
  run: (context, label, numbers, flags) => change('mute', context, label, numbers, flags),
};

export const unmute: Command = {
  name: 'unmute',
  group: 'Manage',
  summary: 'switch muted hooks on again',
  operands: '<label> [hooks...]',
  options: [scopeOption()],
  examples: ['unmute annal', 'unmute annal 2'],
  run: (context, label, numbers, flags) => change('unmute', context, label, numbers, flags),
};

/** @throws UserError for a label that is not installed, an unknown hook number, or a policy that cannot be edited. */
async function change(
  command: 'mute' | 'unmute',
  context: Context,
  label: string,
  numbers: readonly string[],
  { scope, json }: Flags,
): Promise<number> {
  const { terminal, env, cwd } = context;
  const places = findPlaces(env, cwd, scope);
  const path = policyPath(places.state);
  const { servers = {}, muted: isAll } = readPolicy(places.state, disk.read);
  const hooks = hooksOf(context, places, label);
  // A label may come from an administrator or a plugin, or may have been uninstalled since it was muted.
  const isElsewhere = () => numbers.length === 0 && fromElsewhere(context, label).length > 0;
  if (!hooks && !(command === 'mute' ? isElsewhere() : Object.hasOwn(servers, label)))
    throw notInstalled(context, label, places, readLedger(places.state, disk.read).ledger);
  if (isAll) throw new UserError<CliMessage>({ code: 'all-muted', path: tilde(path, places.home) });
  const chosen = [...new Set(numbers)].map((given) => hookNumbered(given, label, hooks ?? []));
  const meant: Meant = {
    label,
    ...(chosen.length > 0 && {
      hooks: Object.fromEntries(chosen.map(({ id, words }) => [id, words])),
    }),
  };
  const change = command === 'mute' ? muteIn : unmuteIn;
  if (command === 'unmute' && chosen.length > 0 && servers[label]?.muted === true)
    throw new UserError<CliMessage>({ code: 'muted-as-a-whole', label });
  await applyPolicy(places, (text) => change(text, meant, path));
  if (json) {
    const which = chosen.length === 0 ? null : chosen.map(({ number }) => number);
    terminal.out(toJson({ label, hooks: which, file: path }));
    return OK;
  }
  const what = chosen.map(({ number, words }) => inLine(`${number} (${words})`));
  const { muted = false } = Object.hasOwn(servers, label) ? (servers[label] ?? {}) : {};
  const isWhole = chosen.length === 0 || muted === true;
  const numbered = isWhole ? [] : chosen.map(({ number }) => number);
  const words =
    command === 'mute'
      ? messages.mute(label, {
          hooks: isWhole ? [] : what,
          path: tilde(path, places.home),
          undo: ['mcp-hooks unmute', label, ...numbered].join(' ') + scopeFlag(siteOf(places)),
        })
      : messages.unmute(
          label,
          what,
          chosen.length > 0 ? chosen.some(({ id }) => isMuted({ muted }, id)) : isAnyMuted(muted),
        );
  terminal.out(`${wrapMessage(words, terminal.columns, '')}\n`);
  return OK;
}

const isAnyMuted = (muted: Rules['muted']): boolean =>
  typeof muted === 'boolean' ? muted : Object.keys(muted).length > 0;

interface Hook {
  readonly id: string;
  readonly number: number;
  /** Its event, and the beginning of its declaration. */
  readonly words: string;
}

/** The hooks of a label that are installed in any client, in order. Undefined if the label is not installed. */
function hooksOf(context: Context, places: Places, label: string): Hook[] | undefined {
  const install = installedAs(places, label);
  if (!install) return undefined;
  const at = doctorContext(context);
  const declared = at.approval(install)?.hooks ?? [];
  const found = new Map<number, Hook>();
  for (const { hooks } of at.programs(install))
    for (const { id, number, event } of withoutTurnMarks(hooks)) {
      const says = declared[number - 1];
      const words = says ? `${event}: ${essenceOf(says)}` : event;
      found.set(number, { id: mutedAs(id), number, words });
    }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

/** Omits the command of a program: it may be long, and may contain something that does not belong in another file. */
const essenceOf = ({ context, block, context_tool: tool }: HookDeclaration): string =>
  inLine(context ?? block ?? (tool === undefined ? 'runs a program' : `calls ${tool}`), 50);

function hookNumbered(given: string, label: string, hooks: readonly Hook[]): Hook {
  const found = hooks.find(({ number }) => String(number) === given);
  if (found) return found;
  throw new UserError<CliMessage>(
    { code: 'no-such-hook', label, given },
    hooks.map(({ number, words }) => said<CliMessage>({ code: 'hook-numbered', number, words })),
  );
}
