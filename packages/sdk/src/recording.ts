import { setTimeout as delay } from 'node:timers/promises';
import type { AnswerRecord } from '@answer-evidence/contracts';
import { TimeoutError } from './errors.ts';

const RESULT_TIMEOUT_MS = 30_000;

/** An answer that was handed over. */
export type Recording = {
  /** The key that makes sending it again harmless. */
  readonly idempotencyKey: string;
  /** Settles when the service has recorded or refused the answer. Nobody has to listen. */
  readonly recorded: Promise<AnswerRecord>;
  /**
   * The record, waited for at most that long, 30 s by default. Rejects as `recorded` does, and with `TimeoutError`,
   * which says why the newest attempt failed; the answer then still waits.
   */
  result(timeoutMs?: number): Promise<AnswerRecord>;
};

/** The recording of an answer; `lastFailure` says why the newest attempt to send it, or one before it, failed. */
export function createRecording(
  idempotencyKey: string,
  recorded: Promise<AnswerRecord>,
  lastFailure: () => unknown = () => undefined,
): Recording {
  return {
    idempotencyKey,
    recorded,
    async result(timeoutMs = RESULT_TIMEOUT_MS) {
      const waiting = new AbortController();
      const late = delay(timeoutMs, undefined, { signal: waiting.signal }).then(() => {
        const cause = lastFailure();
        const why = cause instanceof Error ? `: ${cause.message}` : '; it is being sent';
        throw new TimeoutError(`the answer was not recorded in ${timeoutMs} ms${why}`, { cause });
      });
      late.catch(() => undefined);
      return Promise.race([recorded, late]).finally(() => waiting.abort());
    },
  };
}
