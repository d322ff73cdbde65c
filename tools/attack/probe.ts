import { answer } from '../../e2e/support/test-service.ts';
import type { Scene } from './scene.ts';

const PAUSE_MS = 50;

/** What the other workspace saw during an attack. */
type Probed = { readonly creates: number; readonly slowestMs: number; readonly failed: readonly number[] };

/** Creates one record after the other for the workspace that is not attacked, until it is stopped. */
export function startProbe({ call, theirs }: Scene, acknowledged: string[]): { stop(): Promise<Probed> } {
  let isOver = false;
  const failed: number[] = [];
  let [creates, slowestMs] = [0, 0];
  async function probe(): Promise<void> {
    while (!isOver) {
      const begunMs = performance.now();
      const body = answer('beside an attack', 'an answer', { application_key: theirs.target.applicationKey });
      const reply = await call('POST', '/api/answer-audit-logs', { token: theirs.manager, body }).catch(
        () => undefined,
      );
      slowestMs = Math.max(slowestMs, performance.now() - begunMs);
      creates += 1;
      if (reply?.status === 201) acknowledged.push(((await reply.json()) as { readonly id: string }).id);
      else failed.push(reply?.status ?? 0);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  const probing = probe();
  return {
    async stop() {
      isOver = true;
      await probing;
      return { creates, slowestMs, failed };
    },
  };
}
