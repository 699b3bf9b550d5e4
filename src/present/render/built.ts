/** The result of `build`, for people and for scripts. */

import type { BuiltBundle } from '../../compile/bundles/bundle.ts';
import { FLEET, type Fleet } from '../../compile/bundles/fleet.ts';
import type { Shipment } from '../../compile/bundles/shipment.ts';
import type { LoweredHook } from '../../compile/report.ts';
import { grantsOf } from '../../declaration/grants.ts';
import type { BuildPlan } from '../../install/built.ts';
import type { Fragment } from '../../sources/manifests/fragments.ts';
import type { Message } from '../../system/errors.ts';
import { listed } from '../../system/plurals.ts';
import { quoted } from '../../system/strings.ts';
import { paint, type Terminal, wrap } from '../../system/terminal.ts';
import { inLine } from '../../system/visible.ts';
import { built as words } from '../messages/built.ts';
import { sentence, sentences } from '../messages/sentence.ts';
import { grouped } from '../messages/several.ts';
import { hookLines, hookView } from './client-view.ts';
import { headed, indented } from './lines.ts';

export interface Built {
  readonly shipment: Shipment;
  readonly bundles: readonly BuiltBundle[];
  readonly fragments: readonly BuiltFragment[];
  readonly fleet?: Fleet;
  /** Errors and doubts about the manifest, with their positions. */
  readonly problems: readonly Message[];
  readonly plan: BuildPlan;
}

interface BuiltFragment {
  readonly kind: Fragment;
  readonly path: string;
  /** Why the fragment is missing. */
  readonly refusal?: Message;
}

interface BuildOptions {
  /** The path as typed by the user. */
  readonly out: string;
  /** The same as an absolute path: clients take a relative one for a repository on GitHub. */
  readonly folder: string;
  /** Only compare with the existing files; write nothing. */
  readonly check: boolean;
  readonly verbose: boolean;
}

export function showBuild(terminal: Terminal, built: Built, around: BuildOptions): string {
  const { shipment, plan } = built;
  const { check } = around;
  const changed = check || around.verbose ? plan.stale.map(stale) : [];
  const lines = [
    ...(check ? [] : showParts(terminal, built, around)),
    ...changed.map((line) => `  ${line}`),
    wrap(
      check
        ? words.checked(inLine(around.out), plan.stale.length)
        : words.done(shipment.label, inLine(around.out), plan.changes.length),
      terminal.columns,
      '  ',
      '',
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const stale = ({ path, is }: Built['plan']['stale'][number]): string =>
  `${is.replace('-', ' ')}: ${inLine(path, 1000)}`;

function showParts(terminal: Terminal, built: Built, { out, folder }: BuildOptions): string[] {
  const { shipment, bundles, fragments, fleet } = built;
  const { name, label, version, unshipped } = shipment;
  const note = (text: string) => headed(terminal, 'yellow', 'note', inLine(text, 1000));
  return [
    words.heading(label, name, version),
    ...(unshipped ? [note(sentence(unshipped))] : []),
    '',
    ...bundles.flatMap(({ client, bundle, files, hooks, notes }) => [
      `${paint(terminal, 'bold', client.name)}  ${words.isBuilt(bundle.noun, client.id, files.length)}`,
      ...hookLines(
        terminal,
        hooks.map((hook) => hookView(hook)),
      ),
      ...notes.map((one) => indented(terminal, inLine(sentence(one), 1000))),
      ...(bundle.note === undefined || files.length === 0
        ? []
        : [indented(terminal, words.otherwise(bundle.note))]),
      ...(files.length === 0 ? [] : bundle.load(name)).map(
        (line) => `  ${paint(terminal, 'dim', filled(line, folder, client.id))}`,
      ),
      '',
    ]),
    ...fragments.map(({ kind, path, refusal }) =>
      refusal
        ? note(words.withoutFragment(kind, sentence(refusal)))
        : `${inLine(path, 1000)}  ${words.toMerge(path.replace(/^.*\//, ''))}`,
    ),
    ...(fragments.length > 0 ? [''] : []),
    ...(fleet ? [...showFleet(terminal, fleet, out), ''] : []),
  ];
}

function showFleet(terminal: Terminal, { clients, files }: Fleet, out: string): string[] {
  const placed = clients.flatMap(({ place, ...one }) =>
    place === undefined ? [] : { ...one, place },
  );
  const unknown = clients.filter(({ place }) => place === undefined);
  const fires = placed.flatMap(({ hooks }) => hooks.filter(isShipped));
  const needed = grantsOf(fires.map(({ declaration }) => declaration));
  const notes = grouped(
    placed.flatMap(({ client, hooks }) =>
      [...new Set(hooks.flatMap(reservations))].map((text) => ({ client, text })),
    ),
    ({ text }) => text,
  );
  return [
    `${paint(terminal, 'bold', FLEET)}  ${words.isFleet(FLEET, files.length)}`,
    ...placed.map(({ client, hooks, place }) =>
      indented(
        terminal,
        words.inFleet(client.name, hooks.filter(isShipped).length, hooks.length, place),
      ),
    ),
    ...(unknown.length > 0
      ? [indented(terminal, words.notInFleet(unknown.map(({ client }) => client.name)))]
      : []),
    ...notes.map((some) => {
      const names = some.map(({ client }) => client.name);
      const whose = names.length === placed.length ? '' : `${listed(names)}: `;
      return headed(terminal, 'yellow', 'note', inLine(whose + some[0].text, 1000));
    }),
    ...(needed.length > 0 ? [indented(terminal, words.allowFleet(needed))] : []),
    `  ${paint(terminal, 'dim', words.playFleet(quoted(`${inLine(out)}/${FLEET}/playbook.yml`)))}`,
  ];
}

const isShipped = ({ grade }: LoweredHook): boolean => grade !== 'none';

/** Why a client cannot deliver a hook, or what is different in this client. */
const reservations = ({ grade, when, notes }: LoweredHook): string[] => [
  ...(grade === 'none' ? [sentence(when)] : []),
  ...sentences(notes),
];

const filled = (line: string, folder: string, id: string): string =>
  line.replace(/\{out\}(\/[\w.-]+)?/g, (_, below = '') =>
    quoted(`${inLine(folder)}/${id}${below}`),
  );

const hookJson = ({ declaration, grade, when, notes, native }: LoweredHook): object => ({
  event: declaration.event,
  grade,
  why: sentence(when),
  notes: sentences(notes),
  native,
});

export const buildJson = (
  { shipment, bundles, fragments, fleet, problems, plan }: Built,
  check: boolean,
): object => ({
  label: shipment.label,
  name: shipment.name,
  version: shipment.version,
  declaration: shipment.declaration,
  out: plan.out,
  written: !check,
  stale: plan.stale,
  notes: sentences([...(shipment.unshipped ? [shipment.unshipped] : []), ...problems]),
  targets: [
    ...bundles.map(({ client, files, hooks, notes }) => ({
      target: client.id,
      files: files.map(({ path }) => path),
      hooks: hooks.map(hookJson),
      notes: sentences(notes),
    })),
    ...fragments.map(({ kind, path, refusal }) => ({
      target: kind,
      files: refusal ? [] : [path],
      notes: refusal ? [sentence(refusal)] : [],
    })),
    ...(fleet
      ? [
          {
            target: FLEET,
            files: fleet.files.map(({ path }) => path),
            clients: fleet.clients.map(({ client, hooks, place }) => ({
              client: client.id,
              place,
              hooks: hooks.map(hookJson),
            })),
            notes: [],
          },
        ]
      : []),
  ],
});
