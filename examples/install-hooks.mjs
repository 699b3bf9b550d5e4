// A script that a package can run for its users, for example as `npx notes install-hooks`. It shows everything that would be
// installed, and writes it after a yes. --allow context-tool lets hooks call tools; --remove removes the hooks again.
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { apply, findPlaces, plan, readManifest, render, UserError } from 'mcp-hooks';

const path = fileURLToPath(new URL('commit-reminder.json', import.meta.url));
const isRemoval = process.argv.includes('--remove');
const at = process.argv.indexOf('--allow');
const allow = at === -1 ? [] : (process.argv[at + 1]?.split(',') ?? []);

async function agrees(question) {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}

try {
  const places = findPlaces(process.env); // the home of the user who runs this
  const manifest = await readManifest(path);
  const changes = isRemoval
    ? plan({ kind: 'uninstall', label: manifest.label, places })
    : plan({ manifest, places, allow });
  // Users have to see the texts, the commands and the clients before they say yes.
  console.log(render(changes));

  const refused = changes.clients.filter(({ refusal }) => refusal);
  if (refused.length > 0) {
    // Nothing is written while one file cannot be edited: leave out its client with `clients`, or have the file fixed.
    const names = refused.map(({ name }) => name).join(', ');
    console.error(`Refused for ${names}. Nothing was written.`);
    process.exitCode = 2;
  } else if (!changes.changes) console.log('There is nothing to do.');
  else if (await agrees(isRemoval ? 'Remove?' : 'Install?')) {
    await apply(changes);
    console.log(isRemoval ? 'Removed.' : 'Installed. To remove it again: --remove');
    for (const { todo } of changes.clients) if (todo) console.log(todo);
  } else console.log('Nothing was written.');
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error([error.message, ...error.details].join('\n'));
  process.exitCode = 2;
}
