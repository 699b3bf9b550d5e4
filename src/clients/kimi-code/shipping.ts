/** How hooks are distributed: as a package. */

import { isObject, type JsonObject, type JsonValue } from '../../edit/edit.ts';
import { type Bundle, type BundleContents, mcpServers, valuesOf } from '../shipping.ts';

/** One list, in which each hook names its event. */
const listed = (hooks: JsonObject): JsonValue[] =>
  Object.entries(hooks).flatMap(([event, entries]) =>
    (Array.isArray(entries) ? entries : []).filter(isObject).map((entry) => ({ event, ...entry })),
  );

/** Kimi Code fills in no variables. It passes those of the user on to a server that it starts, and has a key for a token. */
function serversIn(contents: BundleContents): JsonObject | undefined {
  const { label, server } = contents;
  if (!server) return undefined;
  if (!('url' in server))
    return mcpServers({ ...contents, server: { ...server, env: valuesOf(server.env).fixed } });
  const { fixed, bearer } = valuesOf(server.headers);
  return {
    [label]: {
      url: server.url,
      ...(fixed && { headers: fixed }),
      ...(bearer !== undefined && { bearerTokenEnvVar: bearer }),
    },
  };
}

// Its program, and measured with 2.1.0.
export const bundle: Bundle = {
  noun: 'plugin',
  variable: 'KIMI_PLUGIN_ROOT',
  files(contents) {
    const { name, version, description, author, hooks } = contents;
    const servers = serversIn(contents);
    return [
      [
        `${name}/kimi.plugin.json`,
        {
          ...{ name, version, description, author },
          ...(servers && { mcpServers: servers }),
          hooks: listed(hooks),
        },
      ],
    ];
  },
  load: (name) => [`/plugins install {out}/${name}`],
  note: 'you type this command in its terminal',
};
