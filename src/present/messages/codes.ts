/** The codes of `validate`. Each has a title, and a section in docs/codes.md that explains it. */

const PAGE = 'https://github.com/mcp-hooks/mcp-hooks/blob/main/docs/codes.md';

/** In the order of the page. */
export const CODES: Readonly<Record<string, string>> = {
  // The file
  'json-mistake': 'The file is not JSON',
  'key-twice': 'A key appears twice',
  'manifest-empty': 'The file is empty',
  'manifest-too-deep': 'The file is nested too deeply',
  'manifest-no-object': 'The manifest is not an object',
  'no-declarations': 'The manifest has no hooks',
  'declares-none': 'The list of hooks is empty',
  'hooks-no-object': '"hooks" is not an object',
  'declarations-missing': '"declarations" is missing',
  'hooks-of-client': 'The hooks are in the form of a client',
  'declarations-no-array': '"declarations" is not an array',
  'too-many-declarations': 'There are too many hooks',
  'name-no-string': '"name" is not a string',
  'bad-label': "The name can't be used as a label",
  'version-elsewhere': 'The version does not apply to hooks in this place',
  // The server
  'url-with-user': 'The address contains a user name or a password',
  'not-http': 'The address is not http or https',
  'tool-needs-server': '"server" is missing',
  'tool-left-out': 'The tool of a hook cannot be called',
  'tools-of-several': 'Hooks call tools of several servers',
  'server-start-missing': 'The file does not say how its server is started',
  // A hook and its fields
  'unknown-key': 'A key is unknown',
  'field-missing': 'A field is missing',
  'value-missing': 'A field with a few allowed values is missing',
  'value-unknown': 'A value is not one of those allowed',
  'wrong-type': 'A value is of the wrong type',
  'not-whole': 'A number is not whole',
  'above-maximum': 'A number is too large',
  'below-minimum': 'A number is too small',
  'value-empty': 'A value is empty',
  'too-many-entries': 'A list is too long',
  'too-many-characters': 'A text is longer than allowed',
  'context-and-tool': 'A hook has both a text and a tool',
  'context-or-tool': 'A hook has neither a text nor a tool',
  'args-need-tool': 'There are arguments, but no tool',
  'handler-missing': 'A hook does nothing',
  'handlers-several': 'A hook does several things',
  'field-without': 'A field needs another field',
  'field-elsewhere': 'A field belongs to another event',
  'field-of-event': 'An event needs a field',
  'one-of': 'Exactly one of some fields is needed',
  'deny-without-block': 'A hook is set to block when it fails, but may not block',
  'answer-unread': 'A background command cannot decide or show anything',
  'warns-too-late': 'A budget warns after it has fired',
  'cannot-decide': 'An event cannot be blocked or changed',
  // Matchers
  'matcher-ignored': 'A matcher has no effect on this event',
  'too-many-wildcards': 'A glob has too many wildcards',
  'pattern-unusable': 'A regular expression cannot be used',
  'missing-tool': 'No client has such a tool',
  'matches-nothing': 'The matcher can never match',
  'tool-not-there': 'A client lacks a tool that the matcher of a program names',
  'tool-of-some': 'Only some clients have a tool with this name',
  'no-output-yet': 'A call has no output yet',
  'only-failed': 'The matcher leaves out every call of this event',
  'text-not-read': 'No model reads the text of a notification',
  // Commands
  'word-with-nul': 'A word of a command contains a null character',
  'command-not-taken': 'A command is not accepted from this source',
  'command-no-file': 'The file of a command is missing',
  'command-not-executable': 'The file of a command is not executable',
  'command-unreadable': 'The file of a command cannot be read',
  'command-too-large': 'The file of a command is too large',
  // Texts
  'gives-orders': 'The text gives the model orders',
  'text-too-long': 'The model reads only the beginning of the text',
  'cut-by-client': 'A client cuts the text',
  'after-each-call': 'The text is shown after every call',
  'empty-field': 'A field is empty, so the hook does nothing',
  'unknown-variable': 'A placeholder looks mistyped',
  // Hooks next to each other
  'costs-a-turn': 'The hook costs a turn of the model',
  'fires-together': 'Two hooks always fire together',
  'hook-repeated': 'A hook is declared twice',
  // The tools of the server (--server)
  'no-such-server-tool': 'The server has no such tool',
  'argument-missing': 'The tool needs another argument',
  'argument-unknown': 'The tool has no such argument',
  'argument-type': 'An argument is of the wrong type',
  'argument-value': 'An argument is not one of the values allowed',
  // Files of other kinds
  'bundle-without': 'A bundle has no hooks',
  'bundle-several': 'A bundle has hooks under several keys',
  'bundle-foreign': "A bundle has hooks under another publisher's key",
  'package-without': 'A package has no hooks',
  'registry-without': 'A registry entry has no hooks',
  'registry-large': 'The hooks are too large for the registry',
  'needs-shell': 'A command needs a shell',
  'tool-without-server': 'A tool is named without its server',
};

export const titleOf = (code: string): string => CODES[code] ?? code;

/** The address of a code's explanation. */
export const helpFor = (code: string): string => `${PAGE}#${code}`;
