// The real clients at the versions that this folder's package.json pins, or those in the folder that MCP_HOOKS_CLIENTS names.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { driver as claudeDriver } from '../../src/clients/claude-code/driver.ts';
import { driver as codexDriver } from '../../src/clients/codex/driver.ts';
import { driver as copilotDriver } from '../../src/clients/copilot-cli/driver.ts';
import type {
  ClientDriver,
  Session as DriverSession,
  SessionResult,
} from '../../src/clients/driver/driver.ts';
import { driver as geminiDriver } from '../../src/clients/gemini-cli/driver.ts';
import type { ClientId } from '../../src/clients/registry.ts';
import type { Executable } from '../../src/system/child.ts';

const HERE = process.env.MCP_HOOKS_CLIENTS ?? dirname(fileURLToPath(import.meta.url));

/** A client's JavaScript entry with this node: no `.bin` link, no install script needed. */
const script = (path: string): Executable => [process.execPath, join(HERE, 'node_modules', path)];

export const LAUNCH: Readonly<Record<ClientId, Executable>> = {
  // The package's own launcher: it finds the native binary even if no install script has run.
  'claude-code': script('@anthropic-ai/claude-code/cli-wrapper.cjs'),
  codex: script('@openai/codex/bin/codex.js'),
  'gemini-cli': script('@google/gemini-cli/bundle/gemini.js'),
  'copilot-cli': script('@github/copilot/npm-loader.js'),
};

/** The program is known, unless something should wrap it. */
export type Session = Omit<DriverSession, 'launch'> & { readonly launch?: Executable };

export interface Client extends Omit<ClientDriver, 'run'> {
  id: ClientId;
  /** The pinned version. */
  version: string;
  run(session: Session): Promise<SessionResult>;
}

function pinned(id: ClientId, driver: ClientDriver, name: string): Client {
  const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const version = manifest.dependencies[name] ?? 'not installed';
  const launch = LAUNCH[id];
  return { ...driver, id, version, run: (session) => driver.run({ launch, ...session }) };
}

export const claude = pinned('claude-code', claudeDriver, '@anthropic-ai/claude-code');
export const codex = pinned('codex', codexDriver, '@openai/codex');
export const gemini = pinned('gemini-cli', geminiDriver, '@google/gemini-cli');

export const copilot = pinned('copilot-cli', copilotDriver, '@github/copilot');

export const CLIENTS = {
  'claude-code': claude,
  codex,
  'gemini-cli': gemini,
  'copilot-cli': copilot,
} as const satisfies Record<ClientId, Client>;
