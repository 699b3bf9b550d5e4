/** `mcp-hooks completion <shell>`, and `complete`, which the printed script calls at each tab. */

import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { Argument, type Command as Commander } from 'commander';
import { findPlaces } from '../../clients/places.ts';
import { CLIENTS } from '../../clients/registry.ts';
import { ALL_EVENTS, LABEL } from '../../declaration/declaration.ts';
import { ALLOWABLE } from '../../declaration/grants.ts';
import { readLedger } from '../../install/ledger.ts';
import { disk } from '../../system/disk.ts';
import { attempt } from '../../system/errors.ts';
import { toJson } from '../../system/visible.ts';
import { type Command, type Context, type Flags, OK } from './command.ts';

const NAMES_LABELS = /^(?:label|server)s?$/;

/** After these words comes a path, even if it is still empty. */
const FILES = /^(?:validate|--payload)$/;

const CLIENT_IDS = CLIENTS.map(({ id }) => id);

export const completion: Command = {
  name: 'completion',
  group: 'Other',
  summary: 'print a completion script for your shell',
  operands: new Argument('<shell>').choices(['bash', 'zsh', 'fish']),
  about: `To have it in every new shell, add this line to ~/.bashrc:
  source <(mcp-hooks completion bash)
or this one to ~/.zshrc, after compinit:
  source <(mcp-hooks completion zsh)`,
  examples: ['completion fish > ~/.config/fish/completions/mcp-hooks.fish'],
  run,
};

async function run({ terminal }: Context, shell: string, { json }: Flags): Promise<number> {
  const text = shell === 'bash' ? BASH : printed(() => script(shell, 'mcp-hooks', 'mcp-hooks'));
  terminal.out(json ? toJson({ shell, script: text }) : text);
  return OK;
}

/**
 * Prints possible completions.
 *
 * @param cli The program with all its commands.
 * @param words The words typed after `mcp-hooks`; the last one is still being typed.
 */
export function complete(
  cli: Commander,
  words: readonly string[],
  { terminal, ...around }: Context,
): number {
  const root = tab(cli, { completionCommandName: 'completions' });
  // Shells call these commands; users do not type them.
  for (const own of ['complete', 'completions']) root.commands.delete(own);
  const typed = words.at(-1) ?? '';
  // The shell completes paths itself if we offer nothing.
  if (/[./]/.test(typed) || (!typed.startsWith('-') && FILES.test(words.at(-2) ?? ''))) {
    terminal.out(':0\n');
    return OK;
  }
  const labels = labelsIn(around);
  for (const one of cli.commands) {
    const offered = root.commands.get(one.name());
    for (const { long } of one.options) {
      const values = long === '--allow' ? ALLOWABLE : CLIENT_IDS;
      const option = /^--(?:client|from|allow)$/.test(long ?? '')
        ? offered?.options.get(long?.slice(2) ?? '')
        : undefined;
      if (option) option.handler = (offer) => offerAll(values, offer);
    }
    for (const argument of one.registeredArguments) {
      const name = argument.name();
      const values = name === 'event' ? ALL_EVENTS : NAMES_LABELS.test(name) ? labels : undefined;
      if (values) offered?.argument(name, (offer) => offerAll(values, offer), argument.variadic);
    }
  }
  // A trailing tab would be an empty description.
  terminal.out(printed(() => root.parse([...words])).replace(/\t$/gm, ''));
  return OK;
}

/**
 * The library's own bash script needs the package bash-completion, cannot be sourced twice in a shell, runs what is typed
 * between $( and ), and never offers files.
 */
const BASH = `# bash completion for mcp-hooks

__mcp_hooks_complete() {
    # As typed, up to the cursor: bash itself also splits at = and :
    local typed="\${COMP_LINE:0:COMP_POINT}" line words word= before= directive=
    read -ra words <<< "$typed"
    case $typed in
        *[[:blank:]]) words+=('') ;;
    esac
    word="\${words[\${#words[@]} - 1]}"

    # The value of --flag=value is offered alone, where bash takes it for a word
    case $word in
        -*=*)
            [[ $COMP_WORDBREAKS == *=* ]] || before="\${word%%=*}="
            word="\${word#*=}"
            ;;
    esac

    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            :*) directive="\${line#:}" ;;
            "$word"*) COMPREPLY+=("$before\${line%%$'\\t'*}") ;;
        esac
    done < <(mcp-hooks complete -- "\${words[@]:1}" 2> /dev/null)

    # 4: nothing else fits here, not even a file
    if [[ $directive == 4 ]]; then
        compopt +o default 2> /dev/null
    fi
}

complete -o default -F __mcp_hooks_complete mcp-hooks
`;

const offerAll = (
  values: readonly string[],
  offer: (value: string, about: string) => void,
): void => {
  for (const value of values) offer(value, '');
};

/** Captures what `work` prints, so that it goes through our own output. */
function printed(work: () => void): string {
  const { log } = console;
  let text = '';
  console.log = (line: string) => {
    text += `${line}\n`;
  };
  try {
    work();
  } finally {
    console.log = log;
  }
  return text;
}

/** Completion ignores a broken ledger. Labels that the shell would interpret are left out. */
function labelsIn({ env, cwd }: Pick<Context, 'env' | 'cwd'>): string[] {
  const found = attempt(() => readLedger(findPlaces(env, cwd, 'user').state, disk.read));
  const labels = found?.ledger.installs.map(({ label }) => label) ?? [];
  return [...new Set(labels)].filter((label) => LABEL.test(label));
}
