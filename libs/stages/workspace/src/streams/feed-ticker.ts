import type { Ticker } from '@answer-evidence/ports';
import type { StreamDeps } from './deps.ts';
import { feedStream } from './feed-stream.ts';

const FEED_MS = 1_000;
/** Streams that one process sends at once, and how many of one workspace; others wait for their turn. */
const AT_ONCE = 16;
const AT_ONCE_OF_ONE = 4;

/**
 * Sends what streams have still to send. Every process may run it: a lease decides which one sends a stream. A stream
 * that hangs holds up no other, so a run begins with those that are due and does not wait for them.
 */
export function feedStreamsTicker(deps: StreamDeps): Ticker {
  const running = new Map<string, { readonly workspaceId: string; readonly done: Promise<void> }>();
  const failures: Error[] = [];
  let first = 0;
  let stopping: AbortSignal | undefined;

  function begin(workspaceId: string, streamId: string, fed: Promise<void>): void {
    const done = fed
      .catch((error: unknown) => void failures.push(error instanceof Error ? error : new Error(String(error))))
      .finally(() => running.delete(streamId));
    running.set(streamId, { workspaceId, done });
  }

  /** A workspace whose collectors take their time must leave places to others. */
  function hasPlace(workspaceId: string): boolean {
    const own = [...running.values()].filter((one) => one.workspaceId === workspaceId).length;
    return running.size < AT_ONCE && own < AT_ONCE_OF_ONE;
  }

  return {
    name: 'feed-streams',
    intervalMs: FEED_MS,
    // What failed is said by the next run.
    work: () => (failures.length > 0 ? undefined : [{ kind: 'unstreamed' }]),
    // The last run waits for those that still send.
    atStop: true,
    async run(signal) {
      if (stopping?.aborted === true) {
        await Promise.all([...running.values()].map(({ done }) => done));
        return;
      }
      stopping = signal;
      const workspaces = await deps.work.unstreamed();
      first = workspaces.length === 0 ? 0 : (first + 1) % workspaces.length;
      // Each time another one is first, so that a few workspaces cannot take all places.
      for (const workspace of [...workspaces.slice(first), ...workspaces.slice(0, first)]) {
        if (signal.aborted || running.size >= AT_ONCE) break;
        for (const streamId of await deps.streams.dueStreams(workspace.id))
          if (!running.has(streamId) && hasPlace(workspace.id))
            begin(workspace.id, streamId, feedStream(deps, workspace, streamId, signal));
      }
      const failure = failures.splice(0)[0];
      if (failure !== undefined) throw failure;
    },
  };
}
