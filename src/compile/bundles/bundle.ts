/** The package for one client: its own files, the runner, and a report of how each hook is shown. Pure. */

import type { Client } from '../../clients/contract.ts';
import type { Bundle } from '../../clients/shipping.ts';
import { grantsOf, RULE } from '../../declaration/grants.ts';
import { RULES } from '../../declaration/policy.ts';
import type { JsonObject, JsonValue } from '../../edit/edit.ts';
import { type CompileOptions, compile } from '../compile.ts';
import type { CompileMessage } from '../messages.ts';
import type { LoweredHook } from '../report.ts';
import { type RunnerHost, shippedFiles } from '../runner-files.ts';
import { declarationFile, type Shipment } from './shipment.ts';

export interface BuiltFile {
  /** Relative to the output folder, with slashes. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface BuiltBundle {
  readonly client: Client;
  readonly bundle: Bundle;
  readonly files: readonly BuiltFile[];
  readonly hooks: readonly LoweredHook[];
  readonly notes: readonly CompileMessage[];
}

/** The runner's folder in a package. */
const RUNNER = 'mcp-hooks';

/** Includes everything that a user's `policy.json` may allow later. It has no effect until then. */
export const RULES_OF_PACKAGE = { ...RULES, contextTool: true, block: true, modify: true };

export function bundleFor(
  client: Client,
  bundle: Bundle,
  shipment: Shipment,
  options: Pick<RunnerHost, 'template'> & Pick<CompileOptions, 'actNow' | 'extraTurns'>,
): BuiltBundle {
  const { template, ...turns } = options;
  const { declared, name, leftOut } = shipment;
  const place = { variable: bundle.variable, below: RUNNER };
  const { groups, program, hooks, notes } = compile(declared, client, {
    ...turns,
    runner: place,
    ...(bundle.besidePowerShell && { besidePowerShell: true }),
    state: '',
    rules: RULES_OF_PACKAGE,
  });
  const byEvent: Record<string, JsonValue[]> = {};
  for (const { event, group } of groups) byEvent[event] = [...(byEvent[event] ?? []), group];
  const contents = { ...shipment, hooks: byEvent };
  const runner = shippedFiles(template, place, [program], declarationFile(shipment));
  const own = groups.length > 0 ? bundle.files(contents) : [];
  return {
    client,
    bundle,
    files: [
      ...own.map(([path, value]) =>
        file(client, path, typeof value === 'string' ? Buffer.from(value) : jsonBytes(value)),
      ),
      ...(own.length === 0 ? [] : runner).map((one) =>
        file(client, `${name}/${RUNNER}/${one.name}`, one.bytes),
      ),
    ],
    hooks: hooks.map((hook, index) => shipped(hook, leftOut.get(index))),
    notes,
  };
}

export const jsonBytes = (value: JsonObject): Buffer =>
  Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

const file = ({ id }: Client, path: string, bytes: Buffer): BuiltFile => ({
  path: `${id}/${path}`,
  bytes,
});

/** A hook's report for a package. No grants can be given there. */
export function shipped(hook: LoweredHook, why: CompileMessage | undefined): LoweredHook {
  if (why) return { ...hook, grade: 'none', when: why, notes: [] };
  const { declaration, notes, grade } = hook;
  const grants = grantsOf([declaration]);
  const rules = grants.flatMap((grant) => (grant === 'required' ? [] : RULE[grant]));
  const later: CompileMessage[] = [
    ...(rules.length > 0 ? [{ code: 'policy-decides' as const, rules }] : []),
    ...(grants.includes('required') ? [{ code: 'policy-trusts' as const }] : []),
  ];
  if (grade === 'none') return hook;
  return { ...hook, notes: [...notes.filter(({ code }) => code !== 'downgraded-here'), ...later] };
}
