// What a package can run for its users, for example as `npx notes install-hooks`: it shows the plan, and writes after a yes.
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { apply, findPlaces, plan, readManifest, UserError } from 'mcp-hooks';

const manifest = fileURLToPath(new URL('commit-reminder.json', import.meta.url));

try {
  const declared = await readManifest(manifest, 'commit-reminder.json');
  const changes = plan(declared, { places: findPlaces(process.env, process.cwd(), 'user') });
  for (const { client, path } of changes.clients) console.log(`${client.name}: ${path}`);

  let agreed = process.argv.includes('--yes');
  if (!agreed && process.stdin.isTTY) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    agreed = /^y/i.test(await terminal.question('Install? [y/N] '));
    terminal.close();
  }
  if (agreed) await apply(changes);
  console.log(
    agreed
      ? 'Installed. Remove it with: npx mcp-hooks uninstall commit-reminder'
      : 'Nothing was written.',
  );
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error([error.message, ...error.details].join('\n'));
  process.exitCode = 2;
}
