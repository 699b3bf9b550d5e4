// On Windows without Git Bash, the shell tool is PowerShell: read in a request of Claude Code 2.1.329 for Windows.

import { expect, test } from 'vitest';
import { claudeCode } from '../../../src/clients/claude-code/client.ts';
import { compile } from '../../../src/compile/compile.ts';
import { parseManifest } from '../../../src/sources/manifests/read.ts';

const declared = parseManifest(
  JSON.stringify({
    name: 'notes',
    hooks: {
      declarations: [
        {
          event: 'post_tool_use',
          matcher: { tool_name: 'Bash' },
          context: 'Hello.',
          priority: 'suggestion',
        },
      ],
    },
  }),
  'notes.json',
);

test.each([
  ['Linux', {}, 'Bash', '"aliases":{}'],
  ['Windows', { windows: { node: 'C:\\node.exe' } }, 'Bash|PowerShell', '"PowerShell":["Bash"]'],
])('a matcher for the shell fits all of its tools on %s', (_system, more, matcher, names) => {
  const { groups, program } = compile(declared, claudeCode, { runner: '/r', state: '/s', ...more });
  expect(groups.map(({ group }) => group)).toEqual([
    expect.objectContaining({ matcher }),
    expect.objectContaining({ matcher }),
  ]);
  expect(JSON.stringify(program)).toContain(names);
});
