import type { EmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import type { Report } from '../ground/report.ts';

/** What is needed of a running PostgreSQL to keep it running. */
export type KeptPostgres = Pick<EmbeddedPostgres, 'exited' | 'close'>;

const PAUSE_MS = 500;

/** Restarts PostgreSQL whenever it ends unasked; the result ends it for good and resolves when none runs. */
export function keepPostgresRunning(
  first: KeptPostgres,
  start: () => Promise<KeptPostgres>,
  report: Report,
  pauseMs: number = PAUSE_MS,
): () => Promise<void> {
  let running = first;
  let closing = false;
  let endPause: (() => void) | undefined;

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function startAgain(): Promise<void> {
    let refused = '';
    while (!closing) {
      try {
        running = await start();
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown reason';
        // One line for as long as the reason is the same, however many attempts it takes.
        if (reason !== refused) report(`PostgreSQL does not start; still trying: ${reason}`);
        refused = reason;
        await pause();
      }
    }
  }

  async function keep(): Promise<void> {
    for (;;) {
      await running.exited;
      if (closing) return;
      report('PostgreSQL exited unexpectedly; restarting it');
      await startAgain();
      if (closing) return;
    }
  }
  const keeping = keep();

  return async () => {
    closing = true;
    endPause?.();
    await running.close();
    await keeping;
    // A start that was under way when the close came has put its server here.
    await running.close();
  };
}
