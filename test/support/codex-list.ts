/**
 * The list of `codex app-server`: every hook in the settings that Codex reads, and whether it is trusted, according to a file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';

interface Group {
  readonly hooks?: readonly { readonly command?: string }[];
}
interface Settings {
  readonly hooks?: Readonly<Record<string, unknown>>;
}

/** A file that cannot be read has no hooks. */
function read(file: string): Settings {
  const text = readFileSync(file, 'utf8');
  try {
    return file.endsWith('.toml') ? parse(text) : JSON.parse(text);
  } catch {
    return {};
  }
}

function hooksIn(file: string, trustStatus: string): object[] {
  if (!existsSync(file)) return [];
  const { hooks = {} } = read(file);
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap(({ hooks: handlers = [] }: Group, group) =>
      handlers.map(({ command = '' }, handler) => {
        const name = event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
        const key = `${file}:${name}:${group}:${handler}`;
        const currentHash = 'sha256:0';
        return { key, eventName: name, command, currentHash, trustStatus, enabled: true };
      }),
    ),
  );
}

/**
 * The list on one line. @param folders The folders of Codex's settings. @param said The file that says whether hooks are
 * trusted.
 */
export function codexList(folders: readonly string[], said: string): string {
  const trustStatus = existsSync(said) ? readFileSync(said, 'utf8') : 'trusted';
  const files = folders.flatMap((folder) =>
    ['config.toml', 'hooks.json'].map((name) => join(folder, name)),
  );
  return `${JSON.stringify({ data: [{ hooks: files.flatMap((file) => hooksIn(file, trustStatus)) }] })}\n`;
}
