import { atHome } from '../../../src/clients/driver/driver.ts';
import { kimiCode } from '../../../src/clients/kimi-code/client.ts';
import { run } from '../../../src/system/child.ts';
import { LAUNCH } from '../../real-clients/clients.ts';
import type { Reader } from '../../real-clients/reader.ts';

export const READERS: Readonly<Record<string, Reader>> = {
  "Kimi Code's config.toml": {
    file: kimiCode.placement.files.user[0],
    positional: kimiCode.positional,
    path: '.kimi-code/config.toml',
    event: 'SessionStart',
    group: (command) => ({ command, timeout: 15 }),
    // Its doctor reports a file that it cannot read, and rows that it leaves out.
    reads: (place, write) =>
      write(async () => {
        const { stdout, stderr } = await run(LAUNCH['kimi-code'], ['doctor'], {
          cwd: place.project,
          env: {
            ...atHome({ home: place.home, outer: process.env }),
            HTTPS_PROXY: 'http://127.0.0.1:9',
          },
          deadline: 60_000,
          onStart: (stdin) => stdin.end(),
        });
        return !/Invalid TOML/.test(stdout + stderr);
      }),
  },
};
