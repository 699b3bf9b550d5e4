/** The result of running the real clients with the installed hooks, for people and for scripts. */

import type { Client } from '../../clients/contract.ts';
import { lacking } from '../../clients/messages.ts';
import { allFire, type ClientStatus } from '../../diagnose/doctor/status.ts';
import type { Delivery } from '../../diagnose/live/delivery.ts';
import type { Trial, Tried } from '../../diagnose/live/trial.ts';
import { drifted } from '../../install/drift.ts';
import type { Drift } from '../../install/messages.ts';
import type { Site } from '../../install/site.ts';
import { count } from '../../system/plurals.ts';
import { redactor } from '../../system/secrets.ts';
import { table } from '../../system/table.ts';
import { paint, type Style, type Terminal, wrap, wrapQuoted } from '../../system/terminal.ts';
import { inLine, visible } from '../../system/visible.ts';
import { messages } from '../messages/output.ts';
import { joinedSentences, sentenceOrText as said, sentence } from '../messages/sentence.ts';
import { showBlocked, statusJson } from './status.ts';

export interface Proof {
  readonly client: Client;
  readonly label: string;
  readonly site: Site;
  readonly file: string;
  /** How the client's file differs from what was installed. */
  readonly altered: readonly Drift[];
  /** What prevents hooks from firing outside of the trial. Absent if the record was lost. */
  readonly status?: ClientStatus;
  /** There is no known way to run this client with a scripted model. */
  readonly cannotRun?: true;
  /** Absent if the client is not on this machine, or was not looked for. */
  readonly executable?: string;
  readonly version?: string;
  /** Absent if there was no session, because the client is missing or too old. */
  readonly trial?: Trial & { readonly milliseconds: number };
}

/** Other entries in the file do not change ours, even if they come first. */
export const isAltered = ({ code }: Drift): boolean => code !== 'entry-moved';

/** An edited entry may still fire, which the trial and the checks of `doctor` determine. */
const isGrave = ({ code }: Drift): boolean =>
  code !== 'entry-edited' && code !== 'entry-holds-more' && code !== 'entry-copied';

/** Whether a hook that should fire does not. A missing client proves nothing. */
export const fails = ({ executable, trial, altered, status }: Proof): boolean =>
  (status !== undefined && !allFire([status])) ||
  (executable !== undefined &&
    (trial === undefined ||
      trial.trouble !== undefined ||
      altered.some(isGrave) ||
      trial.broken.length > 0 ||
      trial.hooks.some(({ delivery }) => delivery.kind === 'missing' || isUninstalled(delivery))));

/** The hook was not tried because it is in no client. */
const isUninstalled = (delivery: Delivery): boolean =>
  delivery.kind === 'not-tried' && (delivery.why === 'grant' || delivery.why === 'policy');

export function proofJson(proof: Proof) {
  const { client, label, site, executable = null, version = null, trial, status } = proof;
  const { project, local } = site;
  const found = problems(proof);
  const failing = fails(proof);
  const isOff = trial?.hooks.some(({ delivery }) => delivery.kind === 'off') === true;
  return {
    ...{ client: client.id, label, project, local, executable, version },
    /** Null if the client is missing. A hook that the policy switches off does not fire, but that is not a failure. */
    fires: executable === null && !failing ? null : !failing && !isOff,
    problems: found.map(({ words }) => words),
    codes: found.map(({ code }) => code),
    status: status && statusJson(status),
    milliseconds: trial?.milliseconds,
    requests: trial?.requests,
    lastWords: trial?.trouble?.output.slice(-LAST_WORDS),
    hooks: trial?.hooks.map((tried) => hookJson(tried, proof)),
  };
}

const hookJson = (tried: Tried, proof: Proof) => ({
  ...{ hook: tried.number, event: tried.event, natives: tried.natives, tool: tried.tool },
  state: tried.delivery.kind,
  ...(tried.delivery.kind === 'arrived'
    ? { request: tried.delivery.request, place: tried.delivery.place }
    : { why: deliveryInWords(tried, proof), code: deliveryCode(tried.delivery) }),
});

const LAST_WORDS = 1000;

export function showProof(terminal: Terminal, proof: Proof): string {
  const { client, label, version, trial } = proof;
  const seconds = trial && `${(trial.milliseconds / 1000).toFixed(1)} s`;
  const requests = trial && (trial.requests === 1 ? '1 request' : `${trial.requests} requests`);
  const { project, local } = proof.site;
  const where = project === null ? '' : ` of ${inLine(project)}${local ? ', local scope,' : ''}`;
  const named = `${inLine(label)}${where} in ${client.name}${version ? ` ${version}` : ''}`;
  const head = paint(terminal, 'bold', named) + (trial ? `  ${seconds}, ${requests}` : '');
  const lines = trial && trial.hooks.length > 0 ? hookLines(terminal, proof, trial) : [];
  const said = problems(proof).map(({ words: line }) =>
    paint(terminal, 'red', wrap(inLine(line), terminal.columns, '  ')),
  );
  const blocked = proof.status ? showBlocked(terminal, [proof.status]) : [];
  const last = trial?.trouble?.output.trim();
  const shown = last && wrapQuoted(visible(last.slice(-LAST_WORDS)), terminal.columns, '    | ');
  const words = shown ? [`  ${messages.lastWords}`, shown] : [];
  return `${[head, ...lines, ...said, ...words, ...blocked].join('\n')}\n`;
}

/** The result of all sessions, on lines of their own; empty if no client could be run. */
export function liveVerdict(proofs: readonly Proof[]): string[] {
  const tried = proofs.flatMap(({ label, client, trial }) =>
    (trial?.hooks ?? []).map(({ number, delivery: { kind } }) => {
      const hook = `${label} ${number}`;
      return { hook, client, kind };
    }),
  );
  const hooksThat = (are: (kind: Delivery['kind']) => boolean) =>
    new Set(tried.filter(({ kind }) => are(kind)).map(({ hook }) => hook));
  const all = hooksThat(() => true);
  if (all.size === 0) return [];
  const were = hooksThat((kind) => kind !== 'not-tried');
  const missing = hooksThat((kind) => kind === 'missing');
  const isFailing = missing.size > 0 || proofs.some((one) => one.trial && fails(one));
  const left = were.size < all.size ? [messages.someTried(were.size, all.size)] : [];
  if (isFailing && (missing.size > 0 || left.length === 0))
    return [messages.notAllFire(missing.size, { isNone: false, clients: [] }), ...left];
  if (left.length > 0) return left;
  const firing = hooksThat((kind) => kind === 'arrived' || kind === 'called');
  const ready = [...hooksThat((kind) => kind === 'ready')].filter((hook) => !firing.has(hook));
  if (firing.size + ready.length === 0) return [messages.allOff];
  const clients = count(new Set(tried.map(({ client }) => client.id)).size, 'client');
  return [
    ready.length > 0
      ? messages.someReady(firing.size, ready.length, clients, [])
      : messages.allFire(count(firing.size, 'hook'), clients, []),
  ];
}

function hookLines(terminal: Terminal, proof: Proof, { hooks }: Trial): string[] {
  return table<Tried>(
    terminal,
    [
      { head: 'hook', cell: ({ number }) => String(number), right: true },
      { head: 'event', cell: ({ event }) => event },
      { head: 'by', cell: ({ natives: [native = ''] }) => native },
      {
        head: '',
        cell: ({ delivery }) => delivery.kind.replace('-', ' '),
        style: ({ delivery }) => STYLES[delivery.kind],
      },
      { head: '', cell: (tried) => inLine(deliveryInWords(tried, proof)) },
    ],
    hooks,
    { indent: '  ' },
  );
}

const STYLES: Readonly<Record<Delivery['kind'], Style>> = {
  arrived: 'green',
  called: 'green',
  ready: 'green',
  off: 'dim',
  'not-tried': 'yellow',
  missing: 'red',
};

function problems(proof: Proof): { code: string; words: string }[] {
  const { client, executable, version, trial, altered, label } = proof;
  if (proof.cannotRun) {
    const lacks = lacking(client, 'driver');
    return [{ code: lacks.code, words: sentence(lacks) }];
  }
  if (executable === undefined)
    return [{ code: 'client-missing', words: messages.clientMissing(client) }];
  if (!trial)
    return [{ code: 'client-too-old', words: messages.clientTooOld(client, version ?? '') }];
  const { broken, trouble } = trial;
  const drift = drifted(altered);
  const words = messages.notAsInstalled(label, sentence(drift));
  return [
    ...(altered.length > 0 ? [{ code: drift.code, words }] : []),
    ...broken.map((native) => ({ code: 'program-broken', words: messages.programBroken(native) })),
    ...(trouble
      ? [
          {
            code: `client-${trouble.kind}`,
            words: messages.clientTrouble[trouble.kind](client.name, said(trouble.what)),
          },
        ]
      : []),
  ];
}

/** Why the model did not read the text. */
function deliveryCode(delivery: Delivery): string {
  if (delivery.kind === 'missing' || delivery.kind === 'not-tried')
    return `${delivery.kind}-${delivery.why}`;
  return delivery.kind === 'called' && delivery.blank ? 'called-blank' : delivery.kind;
}

function deliveryInWords({ event, tool, delivery }: Tried, { label, file, client }: Proof): string {
  switch (delivery.kind) {
    case 'arrived':
      return `in request ${delivery.request}, ${delivery.place}${tool ? ` (${tool})` : ''}`;
    case 'called':
      return delivery.blank ? messages.calledForNothing : messages.calledOnly;
    case 'off':
      return messages.switchedOff;
    case 'ready':
      return messages.readyToShow;
    case 'not-tried': {
      if (delivery.why === 'script') return messages.noScript(client.name);
      if (delivery.why !== 'network') return messages.untried(delivery);
      const { name, packages } = delivery.launcher;
      return messages.needsNetwork(name, packages.map(redactor({})));
    }
    case 'missing': {
      const { reasons, what: cause = '' } = delivery;
      const what = reasons ? joinedSentences(reasons) : said(cause);
      return messages.notArrived[delivery.why]({ what, event, label, file, client });
    }
  }
}
