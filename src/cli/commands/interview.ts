/** Decides which hooks `init` drafts: those that fit the server's tools, or those that the user chooses. */

import type { CliMessage } from '../../present/messages/cli.ts';
import { initMessages as messages } from '../../present/messages/init.ts';
import {
  argumentsFor,
  type Chosen,
  choose,
  needsOf,
  someArgumentsFor,
} from '../../sources/draft/choose.ts';
import {
  type DraftHook,
  exampleHook,
  lookupHook,
  noteHook,
  recallBy,
  recallInWords,
  summaryHook,
  USUAL,
  type Usual,
} from '../../sources/draft/manifest.ts';
import { checkArguments, type Tool } from '../../sources/protocol/tools.ts';
import { attempt, UserError } from '../../system/errors.ts';
import { inLine } from '../../system/visible.ts';
import type { SourceFlags } from './command.ts';
import { chosen, chosenSome, typedIn } from './confirm.ts';

export interface InitFlags extends SourceFlags {
  readonly hooks?: readonly Usual[];
}

export interface Wishes {
  readonly flags: InitFlags;
  /** The user can answer, and has not passed --yes. */
  readonly asks: boolean;
}

/** The proposed hooks, or those that the user chose. */
export async function hooksFor(
  { flags, asks }: Wishes,
  label: string,
  tools: readonly Tool[],
): Promise<DraftHook[]> {
  const picked = choose(tools);
  const { keeping } = picked;
  const proposed: Readonly<Record<Usual, DraftHook | undefined>> = {
    recall:
      flags.tool === undefined ? byDefault(picked) : recallNamed(flags.tool[0] ?? '', label, tools),
    note: keeping && noteHook(keeping),
    summary: keeping && summaryHook(keeping),
    lookup: lookupHook(picked.listing),
  };
  const possible = USUAL.filter((usual) => proposed[usual]);
  if (tools.length === 0) throw new UserError<CliMessage>({ code: 'nothing-to-propose', label });
  const lacking = flags.hooks?.find((usual) => !possible.includes(usual));
  if (lacking) throw new UserError<CliMessage>({ code: 'no-tool-for', label, hook: lacking });
  if (possible.length === 0) return [exampleHook];
  const wanted = flags.hooks ?? (asks ? await chooseHooks(possible, proposed, picked) : possible);
  if (wanted.length === 0) throw new UserError<CliMessage>({ code: 'declined' });
  const hooks: DraftHook[] = [];
  for (const usual of USUAL.filter((one) => wanted.includes(one))) {
    const isAsked = usual === 'recall' && asks && flags.tool === undefined;
    const hook = isAsked ? await askForRecall(picked) : proposed[usual];
    if (hook) hooks.push(hook);
  }
  return hooks;
}

const byDefault = ({ recall, finding }: Chosen): DraftHook | undefined =>
  recall ? recallBy(recall) : recallInWords(finding);

/** The hook for the tool of `--tool`, with arguments that a session provides. */
function recallNamed(name: string, label: string, tools: readonly Tool[]): DraftHook {
  const tool = tools.find((one) => one.name === name);
  if (!tool) {
    const known = tools.slice(0, 30).map((one) => inLine(one.name, 100));
    throw new UserError<CliMessage>({
      code: 'tool-unknown',
      label,
      tool: inLine(name, 200),
      known,
    });
  }
  const args = argumentsFor(tool) ?? someArgumentsFor(tool);
  const names = needsOf(tool, args).map((one) => inLine(one, 100));
  if (names.length > 0)
    throw new UserError<CliMessage>({ code: 'tool-needs', tool: inLine(name, 200), names });
  return recallBy({ tool, args });
}

async function chooseHooks(
  possible: readonly Usual[],
  proposed: Readonly<Record<Usual, DraftHook | undefined>>,
  { keeping, listing }: Chosen,
): Promise<Usual[]> {
  const tools: Readonly<Record<Usual, string | undefined>> = {
    recall: proposed.recall?.hook.context_tool,
    note: keeping?.name,
    summary: keeping?.name,
    lookup: listing[0]?.name,
  };
  const choices = possible.map((usual) => ({
    name: messages.hook(usual, tools[usual]),
    checked: true,
  }));
  const indexes = await chosenSome(messages.whichHooks, choices);
  return indexes.flatMap((index) => possible[index] ?? []);
}

/** How many tools to offer. */
const OFFERED = 15;

async function askForRecall({ recall, finding }: Chosen): Promise<DraftHook | undefined> {
  const first = recall ? [recall.tool] : [];
  const offered = [...new Set([...first, ...finding])].slice(0, OFFERED);
  const index = await chosen({ code: 'which-tool' }, [
    ...(recall ? [] : [messages.noTool]),
    ...offered.map(({ name }) => name),
    ...(recall ? [messages.noTool] : []),
  ]);
  const tool = offered[recall ? index : index - 1];
  if (!tool) return recallInWords(finding);
  const args = await askForArguments(tool);
  const event = await chosen({ code: 'which-moment' }, messages.moments);
  return recallBy({ tool, args }, event === 1 ? 'pre_request' : 'session_start');
}

/** Asks for the arguments that sessions do not provide, until they fit the schema. */
async function askForArguments(tool: Tool): Promise<Record<string, unknown>> {
  const args = argumentsFor(tool) ?? someArgumentsFor(tool);
  for (const name of needsOf(tool, args))
    for (;;) {
      const line = await typedIn(messages.whatFor(tool.name, name));
      // Input that fits the schema only as JSON, such as a number, is stored as JSON.
      const tried = [line, attempt((): unknown => JSON.parse(line))].find(
        (value) => value !== undefined && isFine(tool, { ...args, [name]: value }, name),
      );
      if (line === '' || tried === undefined) continue;
      args[name] = tried;
      break;
    }
  return args;
}

const isFine = (tool: Tool, args: Record<string, unknown>, name: string): boolean =>
  checkArguments(tool, args).every(({ path }) => path[0] !== name);
