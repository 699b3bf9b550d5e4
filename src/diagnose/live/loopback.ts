/** Whether a model can stand in on this machine at all: something has to listen on 127.0.0.1, and be reached there. */

import { Model } from '../../clients/driver/model.ts';
import { reasonOf, type SystemReason } from '../../system/errors.ts';

const DEADLINE = 2000;

/** Why not; undefined: it can. The port is a free one that the system chooses. */
export async function loopbackTrouble(): Promise<SystemReason | undefined> {
  try {
    const model = await Model.start(undefined, { steps: [] });
    try {
      await fetch(model.url, { signal: AbortSignal.timeout(DEADLINE) });
    } finally {
      await model.close();
    }
    return undefined;
  } catch (error) {
    return reasonOf(error instanceof Error ? (error.cause ?? error) : error);
  }
}
