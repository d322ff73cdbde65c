import { performance } from 'node:perf_hooks';
import type { Caller } from '@answer-evidence/access';
import type { ProblemCode } from '@answer-evidence/contracts';
import type { HttpMetrics } from '../observability/metrics.ts';
import type { Logger } from '../observability/logger.ts';

/** Logged for a request whose caller left before its body was whole; nobody receives it. */
export const CALLER_LEFT = 499;

/** One request and its answer, as far as it has come. */
export type Exchange = {
  readonly requestId: string;
  readonly startedMs: number;
  /** Template of the matched path; `unmatched` until then. */
  route: string;
  caller: Caller | null;
  /** Headers about the limit that the request was counted against; empty when there is none. */
  rateLimitPolicy: string;
  rateLimit: string;
};

/** How an exchange ended. `error` is described without its message before it is logged. */
export type Outcome = { readonly status: number; readonly code?: ProblemCode; readonly error?: unknown };

/** Counts and logs exchanges; each that begins ends exactly once. */
export type Journal = {
  begin(): Exchange;
  end(exchange: Exchange, method: string | undefined, outcome: Outcome): void;
};

/** A journal of one log line and one observation for each exchange, made only of names, ids and numbers of our own. */
export function createJournal(options: {
  readonly logger: Logger;
  readonly metrics: HttpMetrics;
  readonly nextRequestId: () => string;
}): Journal {
  const { logger, metrics, nextRequestId } = options;
  return {
    begin() {
      metrics.requestStarted();
      return {
        requestId: nextRequestId(),
        startedMs: performance.now(),
        route: 'unmatched',
        caller: null,
        rateLimitPolicy: '',
        rateLimit: '',
      };
    },
    end(exchange, method = 'UNKNOWN', outcome) {
      const durationMs = performance.now() - exchange.startedMs;
      metrics.requestEnded(exchange.route, method, outcome.status, durationMs / 1000);
      const level = outcome.status < 500 ? 'info' : 'error';
      if (!logger.isLevelEnabled(level)) return;
      logger[level](
        {
          method,
          route: exchange.route,
          status: outcome.status,
          duration_ms: Math.round(durationMs * 1000) / 1000,
          request_id: exchange.requestId,
          workspace_id: exchange.caller?.workspaceId,
          token_id: exchange.caller?.tokenId,
          code: outcome.code,
          err: outcome.error,
        },
        'request',
      );
    },
  };
}
