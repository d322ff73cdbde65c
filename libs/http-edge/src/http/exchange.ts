import { performance } from 'node:perf_hooks';
import type { Caller } from '@answer-evidence/access';
import type { ProblemCode } from '@answer-evidence/contracts';

/** Logged for a request whose caller left before its body was whole; nobody receives it. */
export const CALLER_LEFT = 499;

/** What the edge reports of its requests. */
export interface HttpMetrics {
  requestStarted(): void;
  /** `route` is the template, never a path: labels must stay few and tell nothing of callers. */
  requestEnded(route: string, method: string, status: number, seconds: number): void;
  /** A request met something stored that is damaged. */
  damageFound(route: string): void;
}

/** Where the line of each request goes. It must describe the error under `err` without the messages of others. */
export type RequestLogger = {
  isLevelEnabled(level: 'info' | 'error'): boolean;
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

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
  /** Headers, as a list, by which a browser lets the page that asks read the reply; undefined where no page may. */
  readableBy: readonly string[] | undefined;
  /** Value of `Strict-Transport-Security`; undefined where the reply has none. */
  transportSecurity: string | undefined;
  /** What the caller has before the paths of the API, besides the base path: that of the console, or nothing. */
  below: string;
};

/** How an exchange ended. `error` is described without its message before it is logged. */
export type Outcome = { readonly status: number; readonly code?: ProblemCode; readonly error?: unknown };

/** Counts and logs exchanges; each that begins ends exactly once. */
export type Journal = {
  begin(): Exchange;
  end(exchange: Exchange, method: string | undefined, outcome: Outcome): void;
};

/** How often a refusal for want of capacity is described as an error; a flood of them must not cost a stack each. */
const OVERLOAD_DESCRIBED_EVERY_MS = 10_000;

/** A journal of one log line and one observation for each exchange, made only of names, ids and numbers of our own. */
export function createJournal(options: {
  readonly logger: RequestLogger;
  readonly metrics: HttpMetrics;
  readonly nextRequestId: () => string;
  /** Left out: the time of this process. */
  readonly nowMs?: () => number;
}): Journal {
  const { logger, metrics, nextRequestId, nowMs = () => performance.now() } = options;
  let describedMs = -Infinity;
  let undescribed = 0;

  /** What the line says of the error, and how many were passed over before it. */
  function describe({ status, code, error }: Outcome) {
    if (status < 500) return { level: 'info' } as const;
    if (code !== 'overloaded') return { level: 'error', error } as const;
    if (nowMs() - describedMs < OVERLOAD_DESCRIBED_EVERY_MS) {
      undescribed += 1;
      return { level: 'info' } as const;
    }
    const described = { level: 'error', error, more: undescribed } as const;
    describedMs = nowMs();
    undescribed = 0;
    return described;
  }

  return {
    begin() {
      metrics.requestStarted();
      return {
        requestId: nextRequestId(),
        startedMs: nowMs(),
        route: 'unmatched',
        caller: null,
        rateLimitPolicy: '',
        rateLimit: '',
        readableBy: undefined,
        transportSecurity: undefined,
        below: '',
      };
    },
    end(exchange, method = 'UNKNOWN', outcome) {
      const durationMs = nowMs() - exchange.startedMs;
      metrics.requestEnded(exchange.route, method, outcome.status, durationMs / 1000);
      if (outcome.code === 'content_damaged') metrics.damageFound(exchange.route);
      const { level, error, more }: { level: 'info' | 'error'; error?: unknown; more?: number } = describe(outcome);
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
          overloaded_before: more,
          err: error,
        },
        'request',
      );
    },
  };
}
