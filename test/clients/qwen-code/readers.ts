import { atHome } from '../../../src/clients/driver/driver.ts';
import { qwenCode } from '../../../src/clients/qwen-code/client.ts';
import { run } from '../../../src/system/child.ts';
import { LAUNCH } from '../../real-clients/clients.ts';
import type { Reader } from '../../real-clients/reader.ts';

export const READERS: Readonly<Record<string, Reader>> = {
  "Qwen Code's settings.json": {
    file: qwenCode.placement.files.user[0],
    positional: qwenCode.positional,
    path: '.qwen/settings.json',
    event: 'SessionStart',
    group: (command) => ({ hooks: [{ type: 'command', command, timeout: 15 }] }),
    // If it cannot read its settings, it does not even list the servers in them.
    reads: (place, write) =>
      write(async () => {
        const { exitCode } = await run(LAUNCH['qwen-code'], ['mcp', 'list'], {
          cwd: place.project,
          env: {
            ...atHome({ home: place.home, outer: process.env }),
            QWEN_CODE_NO_RELAUNCH: 'true',
            HTTPS_PROXY: 'http://127.0.0.1:9',
          },
          deadline: 60_000,
          onStart: (stdin) => stdin.end(),
        });
        return exitCode === 0;
      }),
  },
};
