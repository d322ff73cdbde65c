import type { Probe } from './probe.ts';
import type { Scene } from './scene.ts';

/** Most of a processor that one request of a megabyte may take. */
export const PROCESSOR_MS_MAX = 100;
/** A service that rests takes less of a processor than this in so long, and it does so within some tries. */
const [REST_MS, RESTING_MS, RESTS_MAX] = [50, 5, 40];

/** What a request takes of a processor until it is answered, with nothing beside it and nothing left of others. */
export function measureProcessor(
  scene: Scene,
  probe: Pick<Probe, 'alone'>,
  send: () => Promise<unknown>,
): Promise<number> {
  return probe.alone(async () => {
    await rest(scene);
    const before = await scene.processorMs();
    await send();
    return (await scene.processorMs()) - before;
  });
}

async function rest(scene: Scene): Promise<void> {
  for (let n = 0; n < RESTS_MAX; n++) {
    const before = await scene.processorMs();
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    if ((await scene.processorMs()) - before < RESTING_MS) return;
  }
}
