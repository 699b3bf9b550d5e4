// An agent on the OpenAI Agents SDK that evaluates the hooks of an MCP server itself. It answers one prompt:
//   node agent.mjs <manifest> <prompt>
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { createEngine } from 'mcp-hooks/engine';

const [manifest, prompt] = process.argv.slice(2);
setTracingDisabled(true);

// What the user of this agent has approved.
const engine = createEngine({ manifest: resolve(manifest), allow: ['block', 'modify'] });
const session = { sessionId: randomUUID(), cwd: process.cwd(), agent: 'example' };
const fire = (event, more) => engine.fire({ event, ...session, ...more });

/** A tool whose calls hooks see: before the call, when they may block it or change its input, and after it. */
const hooked = ({ execute, ...definition }) =>
  tool({
    ...definition,
    async execute(given) {
      const { name } = definition;
      const before = await fire('pre_tool_use', { tool: { name, input: given } });
      if (before.action === 'block')
        return [before.reason, ...before.additionalContext].join('\n\n');
      const input = before.modifiedInput ?? given;
      const output = await execute(input);
      const after = await fire('post_tool_use', { tool: { name, input, output, success: true } });
      const texts = [...before.additionalContext, ...after.additionalContext];
      if (after.action === 'block') return [after.reason, ...texts].join('\n\n');
      return [after.modifiedOutput ?? output, ...texts].join('\n\n');
    },
  });

const files = new Map([['notes.txt', 'Buy milk.']]);
const parameters = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};
const tools = [
  hooked({
    name: 'read',
    description: 'Reads a file.',
    parameters,
    strict: true,
    execute: ({ name }) => files.get(name) ?? 'There is no such file.',
  }),
  hooked({
    name: 'remove',
    description: 'Removes a file.',
    parameters,
    strict: true,
    execute: ({ name }) => (files.delete(name) ? 'Removed.' : 'There is no such file.'),
  }),
];

try {
  const started = await fire('session_start', { source: 'startup' });
  const asked = await fire('pre_request', { prompt });
  if (asked.action === 'block') console.log(asked.reason);
  else {
    const texts = [...started.additionalContext, ...asked.additionalContext];
    const agent = new Agent({ name: 'Example', instructions: 'You look after files.', tools });
    const { finalOutput } = await run(agent, [
      ...texts.map((content) => ({ role: 'system', content })),
      { role: 'user', content: prompt },
    ]);
    console.log(finalOutput);
    console.log(`Files: ${[...files.keys()].join(', ')}`);
  }
} finally {
  await fire('session_end', {});
  engine.close();
}
