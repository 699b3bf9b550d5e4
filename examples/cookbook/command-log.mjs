// Adds each command that an agent has run to ~/agent-commands.jsonl. Secrets are masked before it reads them.
import { appendFileSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const { timestamp, client, cwd, tool_input: input, tool } = JSON.parse(readFileSync(0, 'utf8'));
const line = { timestamp, client, cwd, command: input?.command, success: tool?.success };
appendFileSync(join(homedir(), 'agent-commands.jsonl'), `${JSON.stringify(line)}\n`, {
  mode: 0o600,
});
