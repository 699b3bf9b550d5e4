/** How the runner reaches the server to call its tools, or why it cannot. */

import type { Client } from '../clients/contract.ts';
import type { ConfiguredServer, ServerEnvironment } from '../declaration/configured-server.ts';
import {
  type ServerHooks,
  type ServerLaunch,
  typedHeaders,
  unkept,
} from '../declaration/declared.ts';
import type { CompileMessage } from './messages.ts';
import type { CopiedStart, ProgramServer } from './program.ts';
import { passingMark, steeringMark } from './steering.ts';

export function whyNotCalled({ source, found }: ServerHooks): CompileMessage | undefined {
  // A header that is not stored would be missing, so our call would differ from the user's.
  const headers = unkept(source);
  if (headers.length > 0) return { code: 'tools-not-called', names: headers };
  return found?.transport === 'sse' ? { code: 'tools-not-over-sse' } : undefined;
}

/** Values of `env` and `headers` are not copied; the runner reads them where they are. */
export function programServer(
  declared: ServerHooks,
  { givenToServers: given }: Client,
  tokens: string | undefined,
): ProgramServer | undefined {
  const { server, source } = declared;
  if (!server || whyNotCalled(declared) !== undefined) return undefined;
  const known = {
    ...(server.deciding && { deciding: server.deciding }),
    ...copied(server),
  };
  if (server.configured) {
    const { entry } = server.configured;
    return {
      given: givenAs(server.configured, given),
      entry,
      ...known,
      ...(tokens && { tokens }),
    };
  }
  const from = (key: string, values: Readonly<Record<string, string>> | undefined) =>
    source.kind === 'manifest' && values && Object.keys(values).length > 0
      ? ({
          file: source.path,
          format: 'json',
          path: [...(server.valuesAt ?? ['server']), key],
          names: Object.keys(values),
          ...marked('passing', passingMark(values)),
        } as const)
      : undefined;
  if ('url' in server) {
    const headers = from('headers', server.headers);
    const templates = typedHeaders(source);
    return {
      given,
      url: server.url,
      ...(headers && { headers }),
      ...(Object.keys(templates).length > 0 && { templates }),
      // Even before the user signs in, which may happen later and more than once.
      ...(tokens && { tokens }),
    };
  }
  const values = from('env', server.env);
  const env = values && { ...values, ...marked('steering', steeringMark(server)) };
  const { command, args = [], cwd } = server;
  return {
    given,
    command,
    args,
    ...known,
    ...(cwd !== undefined && { cwd }),
    ...(env && { env }),
  };
}

const copied = ({ copy }: ServerLaunch): { readonly copy?: CopiedStart } =>
  copy ? { copy: { folder: copy.folder, npx: copy.npx, spec: copy.spec, after: copy.after } } : {};

const marked = (key: 'passing' | 'steering', mark: string | undefined) =>
  mark === undefined ? {} : { [key]: mark };

/**
 * The environment comes from the client that fires the hook. The meaning of variables is defined by the client that has the
 * server in its configuration.
 */
function givenAs(
  { given: owner }: ConfiguredServer,
  { expansion, refused: _, ...given }: ServerEnvironment,
): ServerEnvironment {
  const { expansion: own, refused } = owner;
  const except = [own?.except, expansion?.except].filter((one) => one !== undefined);
  return {
    ...given,
    ...(refused !== undefined && { refused }),
    ...(own && { expansion: { ...own, except: except.join('|') } }),
  };
}
