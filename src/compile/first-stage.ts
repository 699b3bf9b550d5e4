/**
 * The decisions of the runner's first stage for one event of a client, as shell text for `templates/run.sh`. It may leave too
 * much to the second stage, but never too little.
 */

import { basename } from 'node:path';
import { NOT_EMPTY, type Wire } from '../clients/contract.ts';
import { logFolder, sessionsFolder } from '../clients/places.ts';
import { policyPath } from '../declaration/policy.ts';
import { runnerCode } from '../system/runner-code.ts';
import { type ShippedPlace, shellQuote, shippedPath } from './command.ts';
import { guardLines, singleQuoted } from './denial.ts';
import type { EventProgram } from './program.ts';
import type { Foresee, Foreseen } from './second-stage.ts';

export type FirstStagePlaces =
  | { readonly node: string; readonly here: string; readonly linux: boolean }
  /** A shipped runner finds all of this when it fires. */
  | { readonly shipped: ShippedPlace };

/** Lines for the beginning, and words for a shell. */
interface PlaceWords {
  readonly before: readonly string[];
  readonly node: string;
  readonly here: string;
  readonly memories: string;
  readonly log: string;
  /** On macOS, grep's flag for zero bytes means compressed files. */
  readonly zeros: string;
}

function wordsFor(places: FirstStagePlaces, { state }: EventProgram): PlaceWords {
  if (!('shipped' in places))
    return {
      before: [],
      node: shellQuote(places.node),
      here: shellQuote(places.here),
      memories: shellQuote(sessionsFolder(state)),
      log: shellQuote(logFolder(state)),
      zeros: places.linux ? 'yes' : 'no',
    };
  return {
    // As in templates/shipped.cts.
    before: [
      'case $MCP_HOOKS_HOME in',
      '/*) state=$MCP_HOOKS_HOME ;;',
      '*) case $HOME in /*) state=$HOME/.mcp-hooks ;; *) exit 0 ;; esac ;;',
      'esac',
      'linux=no',
      '[ ! -d /proc/self ] || linux=yes',
    ],
    node: "''",
    here: shippedPath(places.shipped),
    memories: '$state/sessions',
    log: '$state/log',
    zeros: '$linux',
  };
}

/**
 * The first stage of one event: `templates/run.sh` with the facts of the event, without the functions that it does not need.
 */
export function firstStage(
  template: string,
  program: EventProgram,
  places: FirstStagePlaces,
  foresee: Foresee,
): string {
  const { client, native, occasion, wire } = program;
  const { before, node, here, memories, log, zeros } = wordsFor(places, program);
  const wanted = needles(program) ?? [];
  const words = {
    node,
    here,
    client: shellQuote(client),
    event: shellQuote(native),
    memories,
    log,
    begins: shellQuote(wire.begins.replace('{event}', native)),
    // Such a payload only reports the start of a session or subagent, without any contents.
    short: occasion === undefined ? 'no' : 'yes',
    // Leave some time for the second stage.
    patience: String(Math.min(PATIENCE, Math.floor(program.most / 1000))),
    zeros,
    // grep searches for one word after the other.
    piece: String(Math.floor(PIECE / Math.ceil(Math.max(1, wanted.length - ESCAPED.length) / FEW))),
  };
  const { lines, needs } = decide(program, foresee);
  const guards = guardLines(program);
  const known = [
    ...before,
    ...Object.entries(words).map(([name, word]) => `${name}=${word}`),
    setWords(wanted),
    ...whetherElsewhere(program),
    ...(guards.length > 0 ? [`policy=${shellQuote(policyPath(program.state))}`] : []),
    ...(program.hosts?.never ?? []).map((name) => `[ -z "\${${name}-}" ] || exit 0`),
    '',
  ].join('\n');
  const decision = [
    'mcp_decide() {',
    ...lines.map((line) => `  ${line}`),
    ...(lines.at(-1) === 'exit 0' ? [] : ['  return 0']),
    '}',
    'mcp_decide "$@"',
    '',
  ];
  const all = [...template.matchAll(FUNCTION)];
  // A shell reads the part after the decision only if it continues.
  const denial = all.flatMap(([text, name = '']) =>
    DENYING.includes(name) && !needs.includes(name) ? [text] : [],
  );
  const guarding = [
    '',
    '# The first hook that blocks when it fails and may be for a call of this tool.',
    'mcp_guards() {',
    ...guards.map((line) => `  ${line}`),
    '}',
    '',
    ...denial,
  ];
  return (guards.length > 0 ? denying(template) : template)
    .replace(FUNCTION, (text, name) => (needs.includes(name) ? text : ''))
    .replace(/^mcp_decide\(\) .*\nmcp_decide .*\n/m, () =>
      [...decision, ...(guards.length > 0 ? guarding : [])].join('\n'),
    )
    .replace(/^node=node\n[\s\S]*?^(?=# End of what install)/m, () => known);
}

/** Words for grep, as the shell's arguments. */
const setWords = (parts: readonly string[]): string =>
  ['set --', ...parts.map((part) => `-e '${part}'`)].join(' ');

/**
 * Sets `elsewhere` unless the shell is in the only folder for these hooks. Then it searches for the folder's name and no words.
 */
function whetherElsewhere({ onlyIn }: EventProgram): string[] {
  if (onlyIn === undefined) return [];
  const inside = `/ in ${shellQuote(onlyIn)}/*) ;; *)`;
  return [
    'elsewhere=',
    `case $PWD${inside}`,
    '  unset -f pwd || :',
    `  case $(pwd -P)${inside} elsewhere=yes; ${setWords(folderWords(onlyIn))} ;; esac ;;`,
    'esac',
  ];
}

/**
 * Every payload of a session in the folder contains one of these texts, wherever the client runs hooks. Empty: no such text
 * exists.
 */
function folderWords(folder: string): string[] {
  const part = rawPart(basename(folder)) ?? rawPart(folder);
  return part === undefined ? [] : [part, ...ESCAPED];
}

/** Leaves if the session is certainly not in the only folder for these hooks. Only the second stage can be sure that it is. */
function leaveElsewhere({ onlyIn }: EventProgram, decision: Decision): Decision {
  if (onlyIn === undefined) return decision;
  const words = folderWords(onlyIn);
  const lines = [...(words.length > 0 ? search(words) : []), 'return 0'];
  return {
    lines: [
      'if [ -n "$elsewhere" ]; then',
      ...lines.map((one) => `  ${one}`),
      'fi',
      ...decision.lines,
    ],
    needs: ['take', 'rest', 'find', ...decision.needs],
  };
}

/** The template's functions that block if node does not run. */
const DENYING = ['take', 'field', 'note', 'clock', 'deny', 'since'];

/** The template for an event that is blocked if node does not run or the runner is missing. */
const denying = (template: string): string =>
  template
    .replace(/^(\[ -[xr] .*) \|\| exit 0$/gm, '$1 || { mcp_deny; exit 0; }')
    .replace(/^(.*"\$@" (?:stream|whole).*) \|\| :/gm, '$1 || mcp_deny $?');

/** Seconds to wait for a stdin that the client does not close. Long, because a payload may be late on a busy machine. */
const PATIENCE = 5;

/** Characters that a shell reads and searches by itself, for up to `FEW` words. Beyond that, grep is faster. */
const PIECE = 65_536;
const FEW = 8;

/**
 * A function of `templates/run.sh` with its name and the comment and lines next to it. Functions that the event does not need
 * are removed, so that the shell need not read them.
 */
const FUNCTION = /^(?:#.*\n)*mcp_(\w+)\(\) \{\n[\s\S]*?\n\}\n(?:.+\n)*\n/gm;

interface Decision {
  readonly lines: readonly string[];
  /** The template's functions that the lines call, directly or indirectly. */
  readonly needs: readonly string[];
}

function decide(program: EventProgram, foresee: Foresee): Decision {
  const { lines, needs } = leaveElsewhere(program, leave(program, foresee));
  const reads = lines.length > 0 ? [BYTES, ...lines] : [];
  if (program.hooks.some(({ call, extended }) => call || extended?.command))
    return { lines: ['mcp_aside', ...reads], needs: ['aside', ...needs] };
  const fast = [
    '# No tool is called, so node need not read its options and certificates when it starts.',
    'unset NODE_OPTIONS NODE_EXTRA_CA_CERTS',
    'export OPENSSL_CONF=/dev/null',
  ];
  return { lines: [...fast, ...reads], needs };
}

/** A shell that decodes its input by the locale it was started with loses bytes that are not text. */
const BYTES = '[ -z "$YASH_VERSION" ] || return 0';

/** The cases in which the first stage need not start the second. */
function leave(program: EventProgram, foresee: Foresee): Decision {
  const wanted = needles(program);
  if (wanted) return { lines: search(wanted), needs: ['take', 'rest', 'find'] };
  const empty = unlessEmpty(program.wire);
  const second =
    empty.length === 0
      ? { lines: [], needs: [] }
      : { lines: ['mcp_take', 'mcp_rest || return 0', ...empty], needs: ['take', 'rest'] };
  // Both depend on more than a shell can see, unless every hook waits for a mark.
  const isChain = program.chain && !program.hooks.every(({ marked }) => marked);
  if (isChain || (program.wire.onlyIf && empty.length === 0)) return second;
  const { occasion } = program;
  const foreseen = occasion === undefined ? undefined : foresee(program);
  const needs = ['take', 'rest', 'remember'];
  if (foreseen && occasion !== undefined)
    return {
      lines: tellOnce(program, occasion, foreseen),
      needs: [...needs, 'field', 'claim', 'note', 'clock'],
    };
  const lines = recall(program);
  if (lines.length === 0) return second;
  const cuts = lines.some((line) => line.trimStart().startsWith('mcp_field '));
  return { lines, needs: [...needs, ...(cuts ? ['field'] : [])] };
}

/**
 * Leaves if the payload contains none of these. A shell that can read without another process searches the beginning itself.
 * For the rest, it continues only if grep finds something.
 */
function search(wanted: readonly string[]): string[] {
  const own = wanted.filter((part) => !ESCAPED.includes(part));
  return [
    '[ -z "$payload" ] || return 0 # grep has read it',
    'mcp_take',
    `case $payload in ${own.map((part) => `*'${part}'* | `).join('')}${ANY_ESCAPED}) mcp_rest && return 0 ;; esac`,
    '# When time is up, a word may be in what has not arrived.',
    `[ -n "$more" ] || case $late-$payload in *'}' | *'}'[[:space:]]) exit 0 ;; 1[2-9]?-*) return 0 ;; *) exit 0 ;; esac`,
    '# A word may go on beyond the beginning.',
    `case $end in ${beginnings(wanted)
      .map((part) => `*'${part}'`)
      .join(' | ')}) mcp_rest && return 0 ;; esac`,
    'mcp_find "$@" || mcp_rest',
  ];
}

/** The beginnings of these texts, for a chunk that ends in the middle of one. */
const beginnings = (parts: readonly string[]): string[] => [
  ...new Set(parts.flatMap((part) => [...part.slice(1)].map((_, i) => part.slice(0, i + 1)))),
];

/**
 * Continues if a file does not exist, not even as a broken link, which the second stage could not read. @param file As a shell
 * word.
 */
const isMissing = (file: string): string => `[ ! -e ${file} ] && [ ! -L ${file} ] || return 0`;

/** Tells a known text once for each occasion. */
function tellOnce(
  { label, state, shipped, client, wire, native, hooks, hosts }: EventProgram,
  occasion: string,
  { answer, characters, shown, lengths, noRoom }: Foreseen,
): string[] {
  const [name] = hooks.map(({ id }) => id).sort();
  const markers = Object.values(hosts?.others ?? {}).flat();
  const each = [
    ...shown.map((hook, index) => ({ hook, characters: lengths[index] })),
    ...noRoom.map((hook) => ({ hook, characters: 0, noRoom: true })),
  ];
  const note = ['mcp_note', label, shellQuote(JSON.stringify(shown)), characters];
  if (each.length > 1) note.push(shellQuote(`"each":${JSON.stringify(each)}`));
  return [
    ...(shipped
      ? [
          ...STATE_FOLDER,
          '# Perhaps a user has installed the same.',
          `[ ! -e "$state/servers/${label}/${client}.${native}.sh" ] || return 0`,
          '[ ! -d "$state/projects" ] || return 0',
          isMissing('"$state/policy.json"'),
          ...(shipped.policy === undefined ? [] : [isMissing('"$here/policy.json"')]),
        ]
      : [isMissing(shellQuote(policyPath(state)))]),
    ...(markers.length > 0
      ? [
          '# Perhaps another client that runs these hooks, too.',
          `[ -z "${markers.map((name) => `\${${name}-}`).join('')}" ] || return 0`,
        ]
      : []),
    `mcp_remember ${label} || return 0`,
    `mcp_field ${occasion}`,
    `case $value in ${["''", ...wire.recurring, '*[!A-Za-z0-9-]*'].join(' | ')}) return 0 ;; esac`,
    '# One session in 256 goes the long way, where what is old is swept out.',
    `case $session in *00) ${shipped ? WITH_NODE : ''}export MCP_HOOKS_TIDY=1; return 0${shipped ? '; }' : ''} ;; esac`,
    `mcp_claim "\${memory}${name}.${native}-$value" || exit 0`,
    `printf %s ${singleQuoted(answer)}`,
    note.join(' '),
    'exit 0',
  ];
}

/** If nothing can be written, shows nothing, because the text would be shown each time. */
const STATE_FOLDER = [
  '[ -d "$state" ] || command mkdir -m 700 "$state"',
  '[ -w "$state" ] || exit 0',
];

/** Only if node is on the PATH. Without it, the text is still printed. */
const WITH_NODE = '! command -v node >/dev/null || { ';

/** Leaves if the event only counts with a prompt and has none. Quotes within a value are escaped. */
const unlessEmpty = ({ onlyIf, prompt }: Wire): string[] =>
  onlyIf?.at === prompt && onlyIf.like === NOT_EMPTY
    ? [`case $payload in *'"${prompt}":""'*) exit 0 ;; *'"${prompt}":"'*) ;; *) return 0 ;; esac`]
    : [];

/** Sets the marks that later events wait for, and leaves if every other hook was already shown or has no mark. */
function recall({ label, shipped, hooks, wire }: EventProgram): string[] {
  const marks = hooks.filter(({ act }) => act === 'mark');
  const others = hooks.filter(({ act }) => act !== 'mark');
  if (!others.every(({ once, marked }) => once || marked)) return [];
  // The calls that they match cannot be checked here.
  if (marks.some(({ when }) => when)) return [];
  const { history } = wire;
  const starts = others.filter(({ event, once }) => once && event === 'session_start');
  const begun = [history.anew, ...(history.back === undefined ? [] : [history.back])];
  return [
    ...(shipped ? STATE_FOLDER : []),
    `mcp_remember ${label} || return 0`,
    ...unlessEmpty(wire),
    ...others
      .filter((hook) => !starts.includes(hook))
      .map(({ id, act, marked, once }) =>
        [
          ...(marked ? [`[ ! -e "\${memory}${id}.mark" ]`] : []),
          ...(once ? [`[ -e "\${memory}${id}.${act}-once" ]`] : []),
          'return 0',
        ].join(' || '),
      ),
    ...(starts.length === 0
      ? []
      : [
          '# Whether the history, in which it was shown, began anew since. A line that only has the words makes it ask the second stage.',
          ...findTranscript(wire),
          'begun=',
          '# As in the second stage: a pipe would wait, and some files of the system, which say that they are empty, never end.',
          '[ ! -f "$value" ] || [ ! -s "$value" ] ||',
          `  begun=$(LC_ALL=C command grep -c -F ${begun.map(({ part }) => `-e '${part}'`).join(' ')} -- "$value")`,
        ]),
    ...starts.map(({ id }) => `[ -e "\${memory}${id}.history-$begun" ] || return 0`),
    ...(marks.length === 0
      ? []
      : [
          ...unlessOwnPrompt(wire),
          "# The second stage puts right what stands in the folder's place.",
          '[ -d "$memories" ] || return 0',
          '# Otherwise the second stage does. Nothing is started any more that needs the umask of the user.',
          'umask 077',
          ...marks.map(({ id }) => `[ -e "\${memory}${id}.mark" ] || true >"\${memory}${id}.mark"`),
        ]),
    'exit 0',
  ];
}

/** Sets `value` to the transcript's path. */
function findTranscript({ transcript, transcriptFile }: Wire): string[] {
  if (!transcriptFile)
    return [`mcp_field ${transcript}`, 'case $value in *\\\\*) return 0 ;; esac'];
  const { variable, folder, name } = transcriptFile;
  const path = name.replace('{session}', '$session').replace(/[^*]+/g, '"$&"');
  const home = `"\${${variable}:-$HOME/${folder}}"`;
  return [`for value in ${home}/${path}; do [ ! -f "$value" ] || break; done`];
}

/** Leaves a prompt to the second stage if it may not be the user's and so would not begin a turn. */
function unlessOwnPrompt({ prompt, ownPrompt, promptPrefix, subagent }: Wire): string[] {
  const beginnings = [ownPrompt, promptPrefix]
    .flatMap((pattern) => pattern?.split(/\|(?=\^)/) ?? [])
    .map((pattern) => /^\^([\w #</]+)/.exec(pattern)?.[1] ?? '');
  const unlike = [...BLANKS, '\\', ...beginnings].map((text) => `'${text}'*`);
  return [
    `case $payload in *'"${prompt}":'*)`,
    ...(subagent === undefined ? [] : [`  case $payload in *'"${subagent}":'*) return 0 ;; esac`]),
    `  mcp_field ${prompt}`,
    `  case $value in '' | ${unlike.join(' | ')}) return 0 ;; esac ;;`,
    'esac',
  ];
}

/** A prompt that begins with one of these may be blank. */
const BLANKS =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * The longest part of `input_contains` that is unchanged in every JSON text whose value contains the whole, however the client
 * serialises it; undefined: there is none.
 *
 * Excludes characters that JSON or one of its writers escapes (quotes, backslashes, `/`, `<`, `>`, `&`, control characters,
 * `=`, everything that is not ASCII), characters that may have white space around them between values, and runs that may be a
 * number, which can be written in several ways.
 */
export function rawPart(needle: string): string | undefined {
  const runs = needle
    .replace(/\\(?:u[0-9a-f]{4}|.)/gis, '\n') // an escape, in the serialised input
    .split(/[^A-Za-z0-9 !#$%()*;?@^_`|~.-]+/)
    .filter((run) => /[^0-9.eE-]/.test(run));
  return runs.sort((a, b) => b.length - a.length)[0];
}

/** Escapes that could encode those characters, although no client writes them. */
const ESCAPED = ['\\u002', '\\u003', '\\u004', '\\u005', '\\u006', '\\u007'];
/** The same as one pattern, because a shell searches for one after the other. */
const ANY_ESCAPED = "*'\\u00'[2-7]*";

/** The maximum number of characters of a part. A part of a part is enough, and if there are many, long ones only cost time. */
const LENGTHS = [40, 20, 10];
const MANY = 500;

/** The payload must contain one of these texts for any hook of the event to fire; undefined: there is no such simple test. */
function needles({ hooks, names: { inputs = {} } }: EventProgram): string[] | undefined {
  // A pattern for a key means our key, which is not in the payload.
  const ours = Object.values(inputs).flatMap(({ keys = {}, patch }) => [
    ...Object.values(keys),
    ...(patch === undefined ? [] : runnerCode('./vocabulary.cjs').OURS),
  ]);
  const parts = hooks.map(({ when }) => {
    const part = when?.input === undefined ? undefined : rawPart(when.input);
    return ours.some((key) => part !== undefined && key.includes(part)) ? undefined : part;
  });
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 || known.length < parts.length) return undefined;
  const cut = LENGTHS.map((length) => [...new Set(known.map((part) => part.slice(0, length)))]);
  const some = cut.find((parts) => beginnings(parts).length <= MANY) ?? cut.at(-1) ?? [];
  return [...some, ...ESCAPED];
}
