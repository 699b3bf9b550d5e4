/**
 * The fields inside the keys of docs/json.md. The types list all keys: a key that is printed but missing here, or that is here
 * but no longer printed, does not compile.
 */
import type { findingJson, installJson } from '../../src/cli/commands/doctor.ts';
import type { listedJson, managedJson } from '../../src/cli/commands/list.ts';
import type { warningJson } from '../../src/cli/commands/server-warnings.ts';
import type { Shipped } from '../../src/diagnose/shipped.ts';
import type { clientJson } from '../../src/present/render/fired.ts';
import type { proofJson } from '../../src/present/render/proof.ts';
import type { Skipped, statusJson, whyJson } from '../../src/present/render/status.ts';
import type { untriedJson, verifiedJson } from '../../src/present/render/verified.ts';

/** The keys of every member of a union. */
type KeysOf<T> = T extends unknown ? keyof T & string : never;
type Fields<T> = Readonly<Record<KeysOf<T>, string>>;
/** An element of a list, or a value that may be absent. */
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
const DRIFT = 'the differences from the install; null: none';

const status = {
  client: 'its id',
  fires: 'whether all of its hooks fire',
  why: 'why some hooks do not fire',
  hooks: 'each hook that is installed',
  leftOut: 'each hook that is not installed',
} satisfies Fields<Status>;

const why = {
  check: 'the check of `doctor` that found it',
  what: 'the finding',
  where: 'a path, with line and column where they are known',
  todo: 'the next step',
  code: CODE,
} satisfies Fields<ReturnType<typeof whyJson>>;

const clientInList = {
  id: 'its id',
  file: FILE,
  state: 'the state of its entries',
  drift: 'each difference from the install, as a `code` with facts',
  backup: 'the absolute path of the copy of the original file; null: the file did not exist',
  ...status,
  code: CODE,
} satisfies Fields<One<Listed['clients']>>;

const failure = {
  kind: 'the kind of failure',
  message: 'why',
  code: 'the same as in `fire` and `doctor`',
} satisfies Fields<One<VerifiedEvent['failure']>> & Fields<One<VerifiedHook['failure']>>;

type Inside = readonly [command: string, at: string, fields: Readonly<Record<string, string>>];

/** By command, and by place in the output. */
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
      why: '`grant`: it needs a grant; `policy`: there are too many hooks; `declaration`: it is switched off; `client`: the client cannot run it',
      grants: 'the grants that it needs',
      reason: 'why the client cannot run it',
    } satisfies Fields<One<Status['leftOut']>>,
  ],
  ['fire, verify, doctor, list', 'status.why[]', why],
  [
    'list',
    'installed[]',
    {
      label: 'the name under which it is installed',
      scope: '`user`, or the absolute path of the project',
      local: 'true: it is installed only for you in the project',
      onlyIn: "absolute path of the only folder that the hooks are for: that of a team's manifest",
      source: 'where the hooks are from, with absolute paths',
      copy: 'the package that its hooks start without npx, with its version',
      servers:
        'the server in the files of clients, added by `--with-server`; absent: it was added to none',
      events: 'the events of all hooks that are installed in any client, as they are declared',
      clients: 'each client',
    } satisfies Fields<Listed>,
  ],
  [
    'list',
    'installed[].servers[]',
    {
      client: "the client's id",
      name: 'its name there',
      file: FILE,
      state: '`as added`, `changed`, `gone`, or `unread`: the file cannot be read',
    } satisfies Fields<One<Listed['servers']>>,
  ],
  ['list', 'installed[].clients[]', clientInList],
  [
    'list',
    'managed[]',
    {
      label: 'the label of the hooks',
      client: 'its id',
      file: FILE,
      events: 'the events of the client',
      fires: 'whether the file that they start exists',
    } satisfies Fields<ReturnType<typeof managedJson>>,
  ],
  [
    'list',
    'shipped[]',
    {
      label: 'the label under which they have fired',
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
      local: 'true: it is installed only for you in the project',
      ...status,
    } satisfies Fields<ReturnType<typeof installJson>>,
  ],
  [
    'fire',
    'clients[]',
    {
      id: 'its id',
      installed: 'whether the label is installed in the client; if not, the other keys are missing',
      firings: 'each firing, in order',
      obstacles: 'why the client or the runner can show nothing at any event',
      drift: DRIFT,
      status:
        'whether the hooks fire now; absent if this is not known, or if the label is not installed',
    } satisfies Fields<Fired> & { readonly status: string },
  ],
  [
    'fire',
    'clients[].firings[]',
    {
      event: 'the event of the client',
      time: 'the number of the firing in its session, from 1',
      started: 'whether the client would start the hook',
      matcher: 'the matcher of the entry; null: the entry has none',
      value: 'the value that the matcher is compared with; null: none',
      payload: 'the input of the hook',
      text: 'the text that the model would read; null: none',
      extraTurn: 'whether the text starts one more turn of the model',
      decided: '`blocked` or `changed`, if a hook decided so',
      reason: 'why it was blocked',
      milliseconds: 'how long it took; null: it was not run',
      trouble:
        'the problem with the command itself or its answer (`code`, `what`, `message`); null: none',
      message: 'why it was not started',
      why: 'the problem with the event as a whole, not with one hook (`code`, `message`)',
      hooks: 'the result of each declared hook',
    } satisfies Fields<Firing>,
  ],
  [
    'fire',
    'clients[].firings[].hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      act: '`show`, `ask` (with one more turn), `mark` (its text comes later), `call` (no model reads the reply) or `keep` (the reply comes later)',
      shown:
        'whether its text was shown or it changed something; for a `call`: whether the tool was called',
      required: 'false: it counts as `important`, because a grant is missing',
      reason: 'why it showed nothing',
      failed:
        'the result if it failed: `allow`, `allow-again` (after ten minutes of blocking) or `deny`',
      background: 'true: its command was only started, and runs in the background',
    } satisfies Fields<FiredHook>,
  ],
  [
    'fire',
    'clients[].firings[].hooks[].reason',
    {
      code: CODE,
      message: 'the same as a sentence',
      what: 'the subject, in words',
      by: 'why the client drops the text',
      field: 'the condition that does not hold',
      wanted: 'the value that a matcher asks for',
      got: 'the actual value',
      repeat: 'how often, and in which way, a call has to be repeated',
      tool: 'the tool that was called',
      server: 'the server that has it',
      why: "the results of the call or the program, each as a `code` with facts. `said` is the server's message, or its output on stderr before it ended, with secrets masked; `known` lists its tools",
    } satisfies Fields<One<FiredHook['reason']>>,
  ],
  [
    'fire',
    'clients[].obstacles[]',
    {
      code: CODE,
      native: 'the event of the client, if the obstacle is about one',
      what: 'the subject, in words',
      message: 'the same as a sentence',
    } satisfies Fields<One<Fired['obstacles']>>,
  ],
  [
    'verify',
    'verified[]',
    {
      label: 'the name under which it is installed',
      client: 'its id',
      fires: 'whether all of its hooks fire',
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
      failure: 'problems apart from the hooks',
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
      off: 'true: your policy forbids its tool, so it shows nothing, which is correct',
      conditional: 'true: the client starts it, but it has shown nothing yet',
      until: 'what such a hook waits for: `conditions` that hold, or an answer of its `program`',
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
      message: 'what is missing',
      code: CODE,
      todo: 'what to do about it; null: unknown',
    } satisfies Fields<ReturnType<typeof warningJson>>,
  ],
  [
    'verify',
    'skipped[]',
    {
      label: 'the name under which it is installed; absent: it is not installed, only tried',
      hooks: 'their places in the declaration, from 1',
      grants: 'the grants that they need',
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
      grants: 'the grants that it needs',
    } satisfies Fields<ReturnType<typeof untriedJson>>,
  ],
  [
    'verify',
    'live[]',
    {
      client: 'its id',
      label: 'the name under which it is installed',
      project: 'the absolute path of the project; null: it is for the user',
      local: 'true: it is installed only for you in the project',
      executable: 'the absolute path of the client; null: it is not on this machine',
      version: 'its version; null: it is not known',
      fires: 'whether all of its hooks fire; null: not tried',
      problems: 'problems apart from the hooks',
      codes: 'the code of each problem',
      status: 'whether the hooks fire outside of the trial; absent if this is not known',
      milliseconds: 'how long the session took',
      requests: 'how many requests the client sent to the model',
      lastWords: 'the last output of the client, if it failed',
      hooks: 'each declared hook',
    } satisfies Fields<Proof>,
  ],
  [
    'verify',
    'live[].hooks[]',
    {
      hook: HOOK,
      event: DECLARED,
      natives: 'the events of the client at which it shows its text',
      tool: 'the tool that the model called for it',
      state: '`arrived`, `called`, `off`, `ready`, `not-tried` or `missing`',
      request: 'in which request the model read it, from 1',
      place: 'the place of the text in the request',
      why: 'why no model has read it',
      code: CODE,
    } satisfies Fields<One<Proof['hooks']>>,
  ],
];
