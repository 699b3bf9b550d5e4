// The commands `install-hooks` and `uninstall-hooks`. Users see every text, command and changed file before they say yes.
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apply, findPlaces, plan, readManifest, render, UserError } from 'mcp-hooks';

async function agrees(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function run(command, { allow, yes }) {
  const manifest = await readManifest(fileURLToPath(new URL('mcp-hooks.json', import.meta.url)));
  const places = findPlaces(process.env); // the home of the user who runs this
  const removes = command === 'uninstall-hooks';
  const changes = removes
    ? plan({ kind: 'uninstall', label: manifest.label, places })
    : plan({ manifest, places, allow: allow?.split(',') });
  console.log(render(changes));
  const open = changes.needs.flatMap(({ grant, allowed }) => (allowed ? [] : grant));
  if (open.length > 0) console.log(`To allow that, add --allow ${open.join(',')}.`);
  if (!changes.changes) return;

  const refused = changes.clients.filter(({ refusal }) => refusal);
  if (refused.length > 0) {
    // Nothing is written while one file cannot be edited.
    const names = refused.map(({ name }) => name).join(', ');
    throw new UserError(`Refused for ${names}. Nothing was written.`, [], 'refused');
  }
  if (!yes && !process.stdin.isTTY)
    throw new UserError(
      'There is no terminal to ask in: add --yes. Nothing was written.',
      [],
      'no-terminal',
    );
  if (!yes && !(await agrees(removes ? 'Remove?' : 'Install?'))) {
    console.log('Nothing was written.');
    return;
  }
  await apply(changes);
  console.log(removes ? 'Removed.' : 'Installed. npx example-notes uninstall-hooks removes it.');
  for (const { todo } of changes.clients) if (todo) console.log(todo);
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { allow: { type: 'string' }, yes: { type: 'boolean' } },
  });
  await run(positionals[0], values);
} catch (error) {
  if (!(error instanceof UserError || error.code?.startsWith('ERR_PARSE_ARGS'))) throw error;
  console.error([error.message, ...(error.details ?? [])].join('\n'));
  process.exitCode = 2;
}
