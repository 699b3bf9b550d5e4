/** How the runner reaches the server whose tools are to be called, and why it cannot. */

import type { Client } from '../clients/contract.ts';
import type { ConfiguredServer, ServerEnvironment } from '../declaration/configured-server.ts';
import { type ServerHooks, typedHeaders, unkept } from '../declaration/declared.ts';
import type { CompileMessage } from './messages.ts';
import type { ProgramServer } from './program.ts';
import { steeringMark } from './steering.ts';

export function whyNotCalled({ source, found }: ServerHooks): CompileMessage | undefined {
  // Without a header that is kept nowhere it would not be asked as the user asks it.
  const headers = unkept(source);
  if (headers.length > 0) return { code: 'tools-not-called', names: headers };
  return found?.transport === 'sse' ? { code: 'tools-not-over-sse' } : undefined;
}

/** Values of `env` and `headers` stay where they are; the runner reads them there. */
export function programServer(
  declared: ServerHooks,
  { givenToServers: given }: Client,
  tokens: string | undefined,
): ProgramServer | undefined {
  const { server, source } = declared;
  if (!server || whyNotCalled(declared) !== undefined) return undefined;
  if (server.configured) {
    const { entry } = server.configured;
    return { given: givenAs(server.configured, given), entry, ...(tokens && { tokens }) };
  }
  const from = (key: string, values: Readonly<Record<string, string>> | undefined) =>
    source.kind === 'manifest' && values && Object.keys(values).length > 0
      ? ({
          file: source.path,
          format: 'json',
          path: [...(server.valuesAt ?? ['server']), key],
          names: Object.keys(values),
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
      // Also when nobody has signed in yet: that may come later, and may come and go.
      ...(tokens && { tokens }),
    };
  }
  const values = from('env', server.env);
  const steering = steeringMark(server);
  const env = values && { ...values, ...(steering !== undefined && { steering }) };
  const { command, args = [], cwd } = server;
  return { given, command, args, ...(cwd !== undefined && { cwd }), ...(env && { env }) };
}

/** The client that fires the hook gives the environment; what variables mean says the one whose configuration it is. */
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
