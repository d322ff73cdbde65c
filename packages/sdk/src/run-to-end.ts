import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@answer-evidence/client';
import type { CreateRunRequest, ReconciliationRun } from '@answer-evidence/contracts';
import { TimeoutError } from './errors.ts';

const POLL_MS = 500;

/** Asks for a run, and returns it when it is over. Throws `TimeoutError`, and the errors of the client. */
export async function runToEnd(
  { reconciliations }: Pick<Client, 'reconciliations'>,
  body: CreateRunRequest,
  idempotencyKey: string | undefined,
  timeoutMs: number,
): Promise<ReconciliationRun> {
  let run = await reconciliations.create(body, idempotencyKey);
  for (const end = performance.now() + timeoutMs; run.status === 'queued' || run.status === 'running';) {
    if (performance.now() > end)
      throw new TimeoutError(`the run ${run.id} was not over in ${timeoutMs} ms: get it later`);
    await delay(POLL_MS);
    run = await reconciliations.get(run.id);
  }
  return run;
}
