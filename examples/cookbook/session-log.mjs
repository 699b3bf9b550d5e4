// Adds a line about the session that ends to ~/agent-sessions.csv: for a time sheet, or to see which project takes the tokens.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const event = JSON.parse(readFileSync(0, 'utf8'));
const file = join(homedir(), 'agent-sessions.csv');
const columns = {
  ended: event.timestamp,
  client: event.client,
  project: event.project_name,
  branch: event.branch,
  minutes: Math.round((event.duration_seconds ?? 0) / 60),
  calls: event.tool_calls,
  tokens: event.tokens_used,
  session: event.session_id,
};
const quoted = (value) => `"${String(value ?? '').replaceAll('"', '""')}"`;
const line = (values) => `${values.map(quoted).join(',')}\n`;
if (!existsSync(file)) appendFileSync(file, line(Object.keys(columns)));
appendFileSync(file, line(Object.values(columns)));
