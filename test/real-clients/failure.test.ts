// A guard that fails, in the real clients: the call is blocked if the user has chosen that, even without Node.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decisionsIn, installAnnal, node } from './annal.ts';
import { CLIENTS } from './clients.ts';
import { type Scratch, scratch } from './scratch.ts';

let place: Scratch;
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

describe.each(Object.values(CLIENTS))('a guard that fails, in $id', (client) => {
  const ran = async (on_failure: string, more: { script: string; prepare?: () => void }) => {
    const guard = { event: 'pre_tool_use', matcher: { tool_name: 'Bash' }, may: ['block'] };
    const hooks = [{ ...guard, command: node('guard.mjs'), on_failure }];
    const files = { 'guard.mjs': more.script };
    await installAnnal(place, client, hooks, ['block', 'command'], files);
    more.prepare?.();
    const steps = [{ shell: 'touch made-by-call' }, { text: 'done' }];
    const session = { ...place, prompts: ['PROMPT-ONE'], steps };
    const { conversation, exitCode, stepsLeft } = await client.run(session);
    expect({ exitCode, stepsLeft }).toEqual({ exitCode: 0, stepsLeft: 0 });
    return {
      isMade: existsSync(join(place.project, 'made-by-call')),
      isTold: conversation.requestsWith('so this was blocked').length > 0,
      decided: decisionsIn(place),
    };
  };
  const fails = { script: 'process.exit(1);' };
  const blocked = { isMade: false, isTold: true, decided: ['1 block'] };

  test('blocks with deny', async () => {
    expect(await ran('deny', fails)).toEqual(blocked);
  });

  test('lets the call pass without deny', async () => {
    expect(await ran('allow', fails)).toEqual({ isMade: true, isTold: false, decided: [] });
  });

  test('blocks without Node', async () => {
    const passes = { script: 'process.exit(0);', prepare: withoutNode };
    expect(await ran('deny', passes)).toEqual(blocked);
  });
});

/** Hides Node from the first stage, while the client keeps its own. */
function withoutNode() {
  const runner = join(place.home, '.mcp-hooks/servers/annal');
  for (const name of readdirSync(runner).filter((one) => one.endsWith('.sh'))) {
    const file = join(runner, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^node=.*$/m, 'node=/gone/node\nPATH=/gone'));
  }
}
