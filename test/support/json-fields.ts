/**
 * What is inside the keys of docs/json.md. The types say which keys there are: one that is printed and not here, or here and no
 * longer printed, does not compile.
 */
import type { findingJson, installJson } from '../../src/cli/commands/doctor.ts';
import type { listedJson, managedJson } from '../../src/cli/commands/list.ts';
import type { warningJson } from '../../src/cli/commands/server-warnings.ts';
import type { Shipped } from '../../src/diagnose/shipped.ts';
import type { clientJson } from '../../src/present/render/fired.ts';
import type { proofJson } from '../../src/present/render/proof.ts';
import type { Skipped, statusJson, whyJson } from '../../src/present/render/status.ts';
import type { untriedJson, verifiedJson } from '../../src/present/render/verified.ts';

/** Of each of them, where there may be one or another. */
type KeysOf<T> = T extends unknown ? keyof T & string : never;
type Fields<T> = Readonly<Record<KeysOf<T>, string>>;
/** One of a list, or what may be absent. */
type One<T> = NonNullable<T> extends readonly (infer Inner)[] ? Inner : NonNullable<T>;

type Status = ReturnType<typeof statusJson>;
type Listed = ReturnType<typeof listedJson>;
type Fired = ReturnType<typeof clientJson>;
type Firing = One<Fired['firings']>;
type FiredHook = One<Firing['hooks']>;
type Verified = ReturnType<typeof verifiedJson>;
type VerifiedEvent = One<Verified['events']>;
type VerifiedHook = One<VerifiedEvent['hooks']>;
type Proof = ReturnType<typeof proofJson>;

const CODE = 'its code, for scripts';
const HOOK = 'its place in the declaration, from 1';
const DECLARED = 'the event as it is declared';
const FILE = 'the absolute path of its file';
const DRIFT = 'how it differs from what was installed; null: it does not';

const status = {
  client: 'its id',
  fires: 'whether all of its hooks fire',
  why: 'why some do not',
  hooks: 'each hook that is installed',
  leftOut: 'each hook that is not installed',
} satisfies Fields<Status>;

const why = {
  check: 'the check of `doctor` that found it',
  what: 'what was found',
  where: 'a path, with line and column where they are known',
  todo: 'what to do',
  code: CODE,
} satisfies Fields<ReturnType<typeof whyJson>>;

const clientInList = {
  id: 'its id',
  file: FILE,
  state: 'what has become of the entries in it',
  drift: 'each thing that differs from what was installed, as a `code` with facts',
  backup: 'the absolute path of what the file was before; null: it was not there',
  ...status,
  code: CODE,
} satisfies Fields<One<Listed['clients']>>;

const failure = {
  kind: 'what is not as it should be',
  message: 'why',
  code: 'the same as in `fire` and `doctor`',
} satisfies Fields<One<VerifiedEvent['failure']>> & Fields<One<VerifiedHook['failure']>>;

type Inside = readonly [command: string, at: string, fields: Readonly<Record<string, string>>];

/** By commands, and where they are in what is printed. */
export const INSIDE: readonly Inside[] = [
  ['fire, verify, doctor, list', 'status', status],
  [
    'any',
    'status.hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      fires: 'whether it fires',
      why: 'why it does not',
    } satisfies Fields<One<Status['hooks']>>,
  ],
  [
    'any',
    'status.leftOut[]',
    {
      hook: HOOK,
      event: DECLARED,
      why: '`grant`: it needs one; `policy`: there are too many; `declaration`: it is switched off; `client`: the client cannot do it',
      grants: 'those that it needs',
    } satisfies Fields<One<Status['leftOut']>>,
  ],
  ['fire, verify, doctor, list', 'status.why[]', why],
  [
    'list',
    'installed[]',
    {
      label: 'the name under which it is installed',
      scope: '`user`, or the absolute path of the project',
      local: 'true: it is for you alone in the project',
      source: 'where the hooks are from, with absolute paths',
      events: 'those of hooks that are installed in any client, as they are declared',
      clients: 'each client',
    } satisfies Fields<Listed>,
  ],
  ['list', 'installed[].clients[]', clientInList],
  [
    'list',
    'managed[]',
    {
      label: 'the name under which they are laid out',
      client: 'its id',
      file: FILE,
      events: 'the events of the client',
      fires: 'whether what they start is there',
    } satisfies Fields<ReturnType<typeof managedJson>>,
  ],
  [
    'list',
    'shipped[]',
    {
      label: 'the name under which they have fired',
      clients: 'the names of the clients',
    } satisfies Fields<Shipped>,
  ],
  [
    'doctor',
    'findings[]',
    {
      ...why,
      check: 'its name',
      level: '`ok`, `info`, `warning` or `error`',
      about: "a client's name, a label, or mcp-hooks itself",
    } satisfies Fields<ReturnType<typeof findingJson>>,
  ],
  [
    'doctor',
    'status[]',
    {
      label: 'the name under which it is installed',
      scope: '`user`, or the absolute path of the project',
      local: 'true: it is for you alone in the project',
      ...status,
    } satisfies Fields<ReturnType<typeof installJson>>,
  ],
  [
    'fire',
    'clients[]',
    {
      id: 'its id',
      installed:
        'whether anything of the label is installed there; if not, there are no other keys',
      firings: 'what has happened, in order',
      obstacles: 'why the client or the runner can say nothing, whatever happens',
      drift: DRIFT,
      status:
        'whether the hooks fire now; absent where that is not known, and of what is not installed',
    } satisfies Fields<Fired> & { readonly status: string },
  ],
  [
    'fire',
    'clients[].firings[]',
    {
      event: 'the event of the client',
      time: 'which one of its session, from 1',
      started: 'whether the client would start the hook',
      matcher: 'that of the entry; null: it has none',
      value: 'what the matcher is compared with; null: nothing',
      payload: 'what the hook was given',
      text: 'what the model would read; null: nothing',
      extraTurn: 'whether the text starts one more turn of the model',
      decided: '`blocked` or `changed`, where something was',
      reason: 'why it was blocked',
      milliseconds: 'how long it took; null: it was not run',
      trouble:
        'what is wrong with the command itself or its answer (`code`, `what`, `message`), or null',
      message: 'why it was not started',
      why: 'what went wrong with the event as a whole, and not with one hook (`code`, `message`)',
      hooks: 'what became of each declared hook',
    } satisfies Fields<Firing>,
  ],
  [
    'fire',
    'clients[].firings[].hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      act: '`tell`, `ask` (with one more turn), `mark` (its text comes later), `call` (no model reads the reply) or `keep` (the reply comes later)',
      told: 'whether its text was shown or it changed something; of a `call`: whether the tool was called',
      required: 'false: it counts as `important`, because a grant is missing',
      reason: 'why it said nothing',
      failed:
        'it failed, and this became of what it may decide about: `allow`, `allow-again` (after ten minutes of blocking) or `deny`',
    } satisfies Fields<FiredHook>,
  ],
  [
    'fire',
    'clients[].firings[].hooks[].reason',
    {
      code: CODE,
      message: 'the same as a sentence',
      what: 'what it is about, in words',
      by: 'why the client drops the text',
      field: 'the condition that does not hold',
      wanted: 'what a matcher asks for',
      got: 'what there was instead',
      repeat: 'how often, and in which way, a call has to be repeated',
      tool: 'the tool that was called',
      server: 'the server that has it',
      why: 'what came of the call or the program: each a `code` with facts. `said` is what the server said, or wrote on stderr before it ended, with secrets masked; `known` are tools that it has',
    } satisfies Fields<One<FiredHook['reason']>>,
  ],
  [
    'fire',
    'clients[].obstacles[]',
    {
      code: CODE,
      native: 'the event of the client, where it is about one',
      what: 'what it is about, in words',
      message: 'the same as a sentence',
    } satisfies Fields<One<Fired['obstacles']>>,
  ],
  [
    'verify',
    'verified[]',
    {
      label: 'the name under which it is installed',
      client: 'its id',
      fires: 'whether all of it fires',
      folderTrusted: 'false: the client runs no hook in this folder until you trust it',
      drift: DRIFT,
      events: 'each event of the client on which there are hooks',
    } satisfies Fields<Verified>,
  ],
  [
    'verify',
    'verified[].events[]',
    {
      event: 'the event of the client',
      runs: 'how many times its hooks were run',
      marks: 'true: this event shows nothing itself; the text comes with a later one',
      failure: 'what is wrong beside the hooks',
      hooks: 'each declared hook',
    } satisfies Fields<VerifiedEvent>,
  ],
  [
    'verify',
    'verified[].events[].hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      fires: 'whether it fires, or is ready to do so',
      off: 'true: your policy forbids its tool, and it is silent as it should be',
      conditional: 'true: the client starts it, and it was not seen to say anything',
      until:
        'what such a hook waits for: that its `conditions` hold, or that its `program` has something to say',
      failure: 'why it does not fire',
    } satisfies Fields<VerifiedHook>,
  ],
  ['verify', 'verified[].events[].failure', failure],
  [
    'verify',
    'warnings[]',
    {
      label: 'the name under which it is installed',
      client: 'its id',
      message: 'what is missing, and the command that adds it where that is known',
      code: CODE,
    } satisfies Fields<ReturnType<typeof warningJson>>,
  ],
  [
    'verify',
    'skipped[]',
    {
      label: 'the name under which it is installed; absent: it is only tried',
      hooks: 'their places in the declaration, from 1',
      grants: 'those that they need',
    } satisfies Fields<Skipped>,
  ],
  [
    'verify',
    'untried[]',
    {
      hook: HOOK,
      event: DECLARED,
      why: 'why it was not tried',
      code: CODE,
      grants: 'those that it needs',
    } satisfies Fields<ReturnType<typeof untriedJson>>,
  ],
  [
    'verify',
    'live[]',
    {
      client: 'its id',
      label: 'the name under which it is installed',
      project: 'the absolute path of the project; null: it is for the user',
      local: 'true: it is for you alone in the project',
      executable: 'the absolute path of the client; null: it is not on this machine',
      version: 'its version; null: it is not known',
      fires: 'whether all of it fires; null: that was not tried',
      problems: 'what is wrong beside the hooks',
      codes: 'the code of each problem',
      status: 'whether the hooks fire outside of the trial; absent where that is not known',
      milliseconds: 'how long the session took',
      requests: 'how many requests the client made of the model',
      lastWords: 'what the client printed last, where it failed',
      hooks: 'each declared hook',
    } satisfies Fields<Proof>,
  ],
  [
    'verify',
    'live[].hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      natives: 'the events of the client on which it speaks',
      tool: 'the tool that the model called for it',
      state: '`arrived`, `called`, `off`, `ready`, `not tried` or `missing`',
      request: 'in which request the model read it, from 1',
      place: 'where in the request',
      why: 'why no model has read it',
      code: CODE,
    } satisfies Fields<One<Proof['hooks']>>,
  ],
];
