import { copilotCli } from '../../../src/clients/copilot-cli/client.ts';
import { CLIENTS } from '../../real-clients/clients.ts';
import { isMarked, type Reader } from '../../real-clients/reader.ts';
import type { Scratch } from '../../real-clients/scratch.ts';

const own = (): Reader['file'] => {
  const { placement } = copilotCli;
  if (placement.kind !== 'own-file') throw new Error('GitHub Copilot CLI has a folder for hooks.');
  return placement.folder;
};
const flat = {
  positional: copilotCli.positional,
  event: 'sessionStart',
  group: (command: string) => ({ type: 'command', bash: command, timeoutSec: 15 }),
  reads: async (place: Scratch, write: Parameters<Reader['reads']>[1]) =>
    write(() =>
      isMarked(place, () =>
        CLIENTS['copilot-cli'].run({
          ...place,
          prompts: ['PROMPT-ONE'],
          steps: [{ text: 'done' }],
        }),
      ),
    ),
};

export const READERS: Readonly<Record<string, Reader>> = {
  "GitHub Copilot CLI's file of a label": {
    ...flat,
    file: own(),
    path: '.copilot/hooks/mcp-hooks.annal.json',
  },
  "GitHub Copilot CLI's settings.json": {
    ...flat,
    file: copilotCli.placement.files.user[0],
    isLaxer: true,
    path: '.copilot/settings.json',
  },
};
