import { type RecordFilters, recordFilters } from '@answer-evidence/contracts';
import { formatIssues } from './issues.ts';
import { given } from './options.ts';
import { UsageError } from './usage-error.ts';

/** Options that filter records. */
export type FilterOptions = {
  readonly application?: string;
  readonly environment?: string;
  readonly status?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly idempotencyKey?: string;
  readonly externalTraceId?: string;
  readonly externalMessageId?: string;
  readonly mode?: string;
  readonly actorIdHash?: string;
  readonly sessionIdHash?: string;
};

/** The filters as the service takes them. Throws `UsageError`. */
export function parseFilters(options: FilterOptions): RecordFilters {
  const named = {
    application_key: options.application,
    environment: options.environment,
    status: options.status,
    created_after: options.createdAfter,
    created_before: options.createdBefore,
    idempotency_key: options.idempotencyKey,
    external_trace_id: options.externalTraceId,
    external_message_id: options.externalMessageId,
    mode: options.mode,
    actor_id_hash: options.actorIdHash,
    session_id_hash: options.sessionIdHash,
  };
  const parsed = recordFilters.safeParse(given(named));
  if (!parsed.success) throw new UsageError(formatIssues(parsed.error.issues));
  return parsed.data;
}
