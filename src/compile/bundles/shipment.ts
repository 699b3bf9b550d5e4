/** A declaration for shipping, without anything from the build machine, and without anything that only a user could allow. */

import { dirname, isAbsolute, win32 } from 'node:path';
import type { BundleServer } from '../../clients/shipping.ts';
import type { HookDeclaration } from '../../declaration/declaration.ts';
import { isExtended } from '../../declaration/declaration.ts';
import type { ServerHooks } from '../../declaration/declared.ts';
import type { JsonObject } from '../../edit/edit.ts';
import type { Message } from '../../system/errors.ts';
import { canonical, sha256 } from '../../system/fingerprint.ts';
import type { CompileMessage } from '../messages.ts';
import { APPROVAL_FILE } from '../runner-files.ts';

/** What a package declares about itself. */
export interface PackageFacts {
  readonly version?: string;
  readonly description?: string;
  readonly author?: string;
  /** The npm package that contains the manifest, so that any user can start the server; or why it cannot be started. */
  readonly npm?: { readonly name: string; readonly version: string } | { readonly why: Message };
}

export interface Shipment {
  readonly label: string;
  /** Lower-case letters, digits and dashes. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** SHA-256 of the declaration. */
  readonly declaration: string;
  readonly server?: BundleServer;
  /** Why the server is not shipped, although the manifest has its command. */
  readonly unshipped?: CompileMessage;
  /** The source of the runners, in which hooks that cannot be shipped are switched off. */
  readonly declared: ServerHooks;
  /** Why these hooks cannot be shipped, by their index in the declaration, from 0. */
  readonly leftOut: ReadonlyMap<number, CompileMessage>;
}

/** The places of possible secrets in a declaration. */
export interface Secrets {
  readonly server?: string | undefined;
  /** The field of a hook, by the hook's index in the declaration, from 0. */
  readonly hooks: ReadonlyMap<number, string>;
}

export function shipmentOf(
  declared: ServerHooks,
  facts: PackageFacts,
  secrets: Secrets = { hooks: new Map() },
): Shipment {
  const { label } = declared;
  const hooks = withoutSecrets(declared.hooks, secrets);
  const server = serverOf(declared, facts, secrets.server);
  const own = server && 'code' in server ? undefined : server;
  const unshipped = server && 'code' in server ? server : undefined;
  const leftOut = new Map(
    hooks.flatMap((hook, index): [number, CompileMessage][] => {
      const where = secrets.hooks.get(index);
      const why: CompileMessage | undefined =
        where === undefined ? whyNotShipped(hook, own) : { code: 'hook-secret-not-shipped', where };
      return why ? [[index, why]] : [];
    }),
  );
  const declaration = sha256(canonical({ label, hooks, server: own ?? null }));
  return {
    label,
    name: label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, ''),
    version: facts.version ?? `0.0.0-h${declaration.slice(0, 12)}`,
    description:
      facts.description ??
      `Hooks of the MCP server ${label}: what it wants its agent to know, and when.`,
    author: facts.author ?? label,
    declaration,
    ...(own && { server: own }),
    ...(unshipped && { unshipped }),
    leftOut,
    declared: {
      label,
      hooks: hooks.map((hook, index) => (leftOut.has(index) ? { ...hook, enabled: false } : hook)),
      ...(own && { server: own }),
      source: { kind: 'manifest', path: APPROVAL_FILE },
      problems: [],
    },
  };
}

/** Replaces a hook that has a secret, so that the other hooks keep their numbers. */
const withoutSecrets = (hooks: readonly HookDeclaration[], secrets: Secrets): HookDeclaration[] =>
  hooks.map((hook, index) =>
    secrets.hooks.has(index)
      ? { event: hook.event, context: 'Left out.', priority: hook.priority, enabled: false }
      : hook,
  );

/**
 * The declaration, for users who open a package, and the server's values, for the runner. The bytes are the same in all
 * packages.
 */
export const declarationFile = ({ label, declaration, declared, server }: Shipment): Buffer =>
  Buffer.from(
    `${JSON.stringify({ label, declaration, ...manifestOf(declared.hooks, server) }, null, 2)}\n`,
  );

/** A manifest of these hooks. */
export function manifestOf(hooks: readonly HookDeclaration[], server?: BundleServer): JsonObject {
  const version = hooks.some(isExtended) ? { version: 2 } : {};
  const manifest = { ...version, ...(server && { server }), hooks: { declarations: hooks } };
  return JSON.parse(JSON.stringify(manifest));
}

function whyNotShipped(
  { command, context_tool: tool }: HookDeclaration,
  server: BundleServer | undefined,
): CompileMessage | undefined {
  if (command !== undefined) return { code: 'command-not-shipped' };
  return tool !== undefined && !server ? { code: 'tool-not-shipped', tool } : undefined;
}

/** Undefined: the manifest has no server. */
function serverOf(
  { server, source }: ServerHooks,
  { npm }: PackageFacts,
  secret: string | undefined,
): BundleServer | CompileMessage | undefined {
  if (npm && 'why' in npm) return { code: 'package-not-shipped', why: npm.why };
  if (npm) return { command: 'npx', args: ['-y', `${npm.name}@${npm.version}`] };
  if (!server) return undefined;
  // This check comes first, because a path of the machine is shown unchanged.
  if (secret !== undefined) return { code: 'secret-not-shipped', where: secret };
  if ('url' in server) {
    const { url, headers } = server;
    return { url, ...(headers && { headers }) };
  }
  const { command, args = [], env } = server;
  const folder = source.kind === 'manifest' ? dirname(source.path) : undefined;
  const isHere = (word: string) => folder !== undefined && word.includes(folder);
  const words = isSwitch(command, args[0]) ? [command, ...args.slice(1)] : [command, ...args];
  const values = Object.entries(env ?? {}).map(([name, value]) => `${name}=${value}`);
  const bound = [...words, ...values].find(
    (word, index, all) => isHere(word) || hasPath(word, all[index - 1]),
  );
  if (bound !== undefined) return { code: 'server-not-shipped', word: bound };
  return { command, args, ...(env && { env }) };
}

/** Whether a word contains an absolute path, alone or after something else. */
function hasPath(word: string, before = ''): boolean {
  const isVolume = /^(?:-v|--volume)$/.test(before) || /^(?:-v|--volume=)/.test(word);
  const own = (isVolume ? word.replace(IN_CONTAINER, '') : word).replace(EVERYWHERE, '');
  return (
    own.split(/[=,;]/).some((part) => isAbsolute(part) || win32.isAbsolute(part)) ||
    own
      .split(/[\s"'`()[\]{}<>|&=,;]+/)
      .some((part) => BEHIND.test(part) || (/:\/(?!\/)/.test(part) && !ELSEWHERE.test(part)))
  );
}

/** The mount point of a docker volume. A single letter is a drive. */
const IN_CONTAINER = /(?<!(?:^|=|-v)[a-z]):\/.*$/is;

/** Files that exist on every machine. */
const EVERYWHERE = /\/dev\/(?:null|tty|std(?:in|out|err))\b/g;

/** A path within a part of a word. In a text or a program, a slash with one name may be something else. */
const BEHIND = new RegExp(
  [
    '^/[\\w.~-]+/.',
    '^(?:@|-[a-z])(?:/|[a-z]:[\\\\/])', // after a one-letter option, as in -I/opt
    '^--?[a-z]+/[\\w.~-]+/',
    '^file:.',
    '^(?:[a-z][\\w+.-]*:)+/{3}', // a URL without a host
    '\\b[a-z]:\\\\',
  ].join('|'),
  'i',
);

/** A path after a colon is on this machine, as in `jdbc:sqlite:/opt/db`, unless it belongs to a URL or to another host. */
const ELSEWHERE = /:\/\/|^[^/:]*@|^[\w-]+(?:\.[\w-]+)+:/;

/** `cmd /c`: the way to start a script on Windows. */
const isSwitch = (command: string, word = ''): boolean =>
  /^cmd(?:\.exe)?$/i.test(command) && /^\/[ck]$/i.test(word);
