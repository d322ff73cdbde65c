import type { Client } from '@answer-evidence/client';
import { type CreateRunRequest, ENVIRONMENT_DEFAULT, type ReconciliationRun } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import type { Reference } from '@answer-evidence/reconciliation';
import type { Io } from '../io.ts';
import { createProgress } from '../progress.ts';
import type { PlannedWindow } from './plan-windows.ts';

/** What every run of one command is asked for with. */
export type RunQuestion = Pick<CreateRunRequest, 'application_key' | 'match_on'> & {
  readonly environment?: string;
  readonly max_lateness_seconds?: number;
};

const POLL_MS = 1_000;

/**
 * Asks for the runs one after the other, each when the one before is completed, because a run excuses records that an
 * earlier completed one names. Ends early at a run that is not completed: when `timeoutMs` have passed, or when it has
 * failed.
 */
export async function runWindows(
  io: Io,
  client: Client,
  question: RunQuestion,
  windows: readonly PlannedWindow[],
  timeoutMs: number,
): Promise<readonly ReconciliationRun[]> {
  const progress = createProgress(io);
  const endMs = io.elapsedMs() + timeoutMs;
  const runs: ReconciliationRun[] = [];
  try {
    for (const [n, window] of windows.entries()) {
      let run = await client.reconciliations.create(createRequest(question, window));
      while (run.status === 'queued' || run.status === 'running') {
        progress.update(`run ${n + 1} of ${windows.length}: ${run.status}, ${run.progress} %`);
        if (io.elapsedMs() >= endMs) break;
        await (io.wait ?? waitMs)(POLL_MS);
        run = await client.reconciliations.get(run.id);
      }
      runs.push(run);
      if (run.status !== 'completed') break;
    }
  } finally {
    progress.end();
  }
  return runs;
}

/** The body that asks for the run of one window. */
export function createRequest(question: RunQuestion, window: PlannedWindow): CreateRunRequest {
  return {
    ...question,
    window_start: formatTimestamp(window.from),
    window_end: formatTimestamp(window.to),
    references: window.references.map(formatReference),
  };
}

function formatReference({ referenceId, occurredAt, questionHash, answerHash }: Reference) {
  return {
    reference_id: referenceId,
    occurred_at: formatTimestamp(occurredAt),
    ...(questionHash === null ? {} : { question_hash: questionHash }),
    ...(answerHash === null ? {} : { answer_hash: answerHash }),
  };
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const RUNS_LOOKED_AT_MAX = 1_000;

/** Where the newest completed window of the same question ends; undefined when none is completed. */
export async function findLastEnd(client: Client, question: RunQuestion): Promise<string | undefined> {
  const filters = {
    application_key: question.application_key,
    environment: question.environment ?? ENVIRONMENT_DEFAULT,
  };
  let cursor: string | undefined;
  let last: string | undefined;
  for (let seen = 0; seen < RUNS_LOOKED_AT_MAX;) {
    const page = await client.reconciliations.list(filters, { size: 200, ...(cursor === undefined ? {} : { cursor }) });
    for (const run of page.items) {
      // Times of the service are of one width, so they compare as text.
      const counts = run.status === 'completed' && run.match_on === question.match_on;
      if (counts && (last === undefined || run.window_end > last)) last = run.window_end;
    }
    seen += page.items.length;
    if (page.next_cursor === null || page.items.length === 0) break;
    cursor = page.next_cursor;
  }
  return last;
}
