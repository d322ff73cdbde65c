import { answer } from '../scenery/test-service.ts';
import type { Scene } from './scene.ts';

const PAUSE_MS = 50;

/** What the other workspace saw during an attack. */
type Probed = { readonly creates: number; readonly slowestMs: number; readonly failed: readonly number[] };

/** Creates of the workspace that is not attacked, one after the other. */
export type Probe = {
  /** Does something while there are none, such as to measure. */
  alone<T>(action: () => Promise<T>): Promise<T>;
  stop(): Promise<Probed>;
};

/** Creates one record after the other for the workspace that is not attacked, until it is stopped. */
export function startProbe({ call, theirs }: Scene, acknowledged: string[]): Probe {
  let isOver = false;
  let pause: Promise<void> | undefined;
  let current = Promise.resolve();
  const failed: number[] = [];
  let [creates, slowestMs] = [0, 0];
  async function create(): Promise<void> {
    const begunMs = performance.now();
    const body = answer('beside an attack', 'an answer', { application_key: theirs.target.applicationKey });
    const reply = await call('POST', '/api/answer-audit-logs', { token: theirs.manager, body }).catch(() => undefined);
    slowestMs = Math.max(slowestMs, performance.now() - begunMs);
    creates += 1;
    if (reply?.status === 201) acknowledged.push(((await reply.json()) as { readonly id: string }).id);
    else failed.push(reply?.status ?? 0);
  }
  async function probe(): Promise<void> {
    while (!isOver) {
      await pause;
      current = create();
      await current;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  const probing = probe();
  return {
    async alone(action) {
      const over = Promise.withResolvers<void>();
      pause = over.promise;
      await current;
      try {
        return await action();
      } finally {
        pause = undefined;
        over.resolve();
      }
    },
    async stop() {
      isOver = true;
      await probing;
      return { creates, slowestMs, failed };
    },
  };
}
