// As much of `codex app-server` as tells whether hooks are trusted: what a file says, for every hook
// in the settings that Codex reads here.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'smol-toml';

const [, , said] = process.argv;
const trustStatus = existsSync(said) ? readFileSync(said, 'utf8') : 'trusted';

/** What cannot be read has no hooks. */
function read(file) {
  const text = readFileSync(file, 'utf8');
  try {
    return file.endsWith('.toml') ? parse(text) : JSON.parse(text);
  } catch {
    return {};
  }
}

function hooksIn(file) {
  if (!existsSync(file)) return [];
  const { hooks = {} } = read(file);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap(({ hooks: handlers = [] }, group) =>
      handlers.map(({ command = '' }, handler) => {
        const name = event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
        const key = `${file}:${name}:${group}:${handler}`;
        return {
          key,
          eventName: name,
          command,
          currentHash: 'sha256:0',
          trustStatus,
          enabled: true,
        };
      }),
    ),
  );
}

function answer(method, params) {
  if (method === 'initialize') return { userAgent: 'codex/0.169.0 (Debian)' };
  if (method !== 'hooks/list') return { layers: [] };
  const user = process.env.CODEX_HOME ?? join(homedir(), '.codex');
  const folders = [user, ...params.cwds.map((cwd) => join(cwd, '.codex'))];
  const files = folders.flatMap((folder) =>
    ['config.toml', 'hooks.json'].map((name) => join(folder, name)),
  );
  return { data: [{ hooks: files.flatMap(hooksIn) }] };
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  console.log(JSON.stringify({ id, result: answer(method, params) }));
});
