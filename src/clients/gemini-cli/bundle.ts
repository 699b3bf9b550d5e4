// https://geminicli.com/docs/extensions/reference/, measured with 0.61.0.
import { isObject, type JsonValue } from '../../edit/edit.ts';
import { type Bundle, mcpServers } from '../bundle.ts';

const VARIABLE = 'MCP_HOOKS_EXTENSION';

/**
 * Gemini CLI sets no variable for the folder, but fills it into every string of the file. We keep it out of the command,
 * where it would be shell text.
 */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is theirs
const FOLDER = '${extensionPath}';

const withFolder = (group: JsonValue): JsonValue =>
  isObject(group) && Array.isArray(group.hooks)
    ? {
        ...group,
        hooks: group.hooks.map((handler) =>
          isObject(handler) ? { ...handler, env: { [VARIABLE]: FOLDER } } : handler,
        ),
      }
    : group;

export const geminiCli: Bundle = {
  noun: 'extension',
  variable: VARIABLE,
  files(contents) {
    const { name, version, description, hooks, server } = contents;
    const servers =
      server && 'url' in server
        ? { [contents.label]: { httpUrl: server.url, headers: { ...server.headers } } }
        : mcpServers(contents);
    const events = Object.entries(hooks).map(([event, groups]) => [
      event,
      Array.isArray(groups) ? groups.map(withFolder) : groups,
    ]);
    return [
      [
        `${name}/gemini-extension.json`,
        {
          name,
          version,
          description,
          ...(servers && { mcpServers: servers }),
        },
      ],
      [`${name}/hooks/hooks.json`, { hooks: Object.fromEntries(events) }],
    ];
  },
  validate: (name) => ['extensions', 'validate', name],
  load: (name) => [
    `gemini extensions install {out}/${name}`,
    `gemini extensions link {out}/${name}`,
  ],
};
