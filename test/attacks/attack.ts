/**
 * What every attack needs: a machine of its own, and traps. A trap is a program that an attacker wants us to run. It leaves a mark
 * when it runs, so a single line proves that it did not:
 *
 *     attack('a server of a clone is not started', async ({ world, trap, expect }) => {
 *       await world.write('.mcp.json', JSON.stringify({ mcpServers: { evil: trap.server('evil') } }));
 *       await world.run('scan', { env });
 *       expect(trap.sprung()).toEqual([]);
 *     });
 *
 * A title says what happens, because "a clone starts its server" reads as if it did.
 * `docs/security.md` names every attack by its title; `threat-model.test.ts` fails if the two differ.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type World } from '../support/world.ts';

/** The machine's own PATH, for node and the clients' shells. */
export const env = { PATH: process.env.PATH };

export class Trap {
  readonly #folder: string;

  constructor(world: World) {
    this.#folder = join(world.root, 'sprung');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** JavaScript that only leaves the mark of this name. */
  script(name: string): string {
    return `require('node:fs').writeFileSync(${JSON.stringify(join(this.#folder, name))}, '')`;
  }

  /** The same as a command of a POSIX shell. */
  shell(name: string): string {
    return `: > '${join(this.#folder, name)}'`;
  }

  /** The absolute path of a file with that script, for `node --require` and the like. */
  file(name: string): string {
    const path = join(this.#folder, '..', `${name}.cjs`);
    writeFileSync(path, this.script(name));
    return path;
  }

  /** An MCP server as clients configure it: it leaves the mark, declares one text, and answers every tool call. */
  server(name: string): { readonly command: string; readonly args: readonly string[] } {
    return { command: process.execPath, args: ['-e', `${this.script(name)};${SERVER}`] };
  }

  /** The same server as code for `sh -c`, which takes a tenth of the time. */
  shellServer(name: string): string {
    return `${this.shell(name)}\n${SHELL_SERVER}`;
  }

  /** The names of the traps that ran, sorted. */
  sprung(): string[] {
    return readdirSync(this.#folder).sort();
  }

  /** Removes all marks. */
  reset(): void {
    for (const name of this.sprung()) rmSync(join(this.#folder, name));
  }
}

const DECLARATIONS = JSON.stringify([
  { event: 'session_start', context: 'Hello.', priority: 'suggestion' },
]);

const SERVER = `
const declarations = [{ event: 'session_start', context: 'Hello.', priority: 'suggestion' }];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    serverInfo: { name: 'trap', version: '1' },
    capabilities: { tools: {}, experimental: { hooks: { declarations } } },
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'An answer.' }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || !answers[method]) return;
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method](params) }) + '\\n');
});`;

const SHELL_SERVER = `while read -r line; do
  id=\${line#*'"id":'}
  id=\${id%%,*}
  case $line in
  *'"method":"initialize"'*)
    version=\${line#*'"protocolVersion":"'}
    result="{\\"protocolVersion\\":\\"\${version%%'"'*}\\","'"serverInfo":{"name":"trap","version":"1"},"capabilities":{"tools":{},"experimental":{"hooks":{"declarations":${DECLARATIONS}}}}}'
    ;;
  *'"method":"tools/call"'*) result='{"content":[{"type":"text","text":"An answer."}]}' ;;
  *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done`;

export const attack = test.extend<{ trap: Trap }>({
  trap: async ({ world }, use) => use(new Trap(world)),
});
