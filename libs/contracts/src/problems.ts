import * as z from 'zod';
import { OPEN_VALUES } from './primitives.ts';

/** Every code that an error answer can carry. The list only grows. */
export const PROBLEM_CODES = [
  'malformed_json',
  'malformed_request',
  'unauthenticated',
  'token_malformed',
  'token_expired',
  'token_revoked',
  'login_failed',
  'link_not_valid',
  'device_code_not_valid',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'role_not_allowed',
  'scope_missing',
  'token_kind_not_allowed',
  'application_not_allowed',
  'workspace_not_allowed',
  'not_found',
  'method_not_allowed',
  'idempotency_payload_mismatch',
  'transition_not_allowed',
  'version_conflict',
  'name_taken',
  'last_manager',
  'token_not_active',
  'run_not_completed',
  'gone_redacted',
  'proof_link_expired',
  'proof_link_revoked',
  'proof_links_off',
  'precondition_failed',
  'request_timeout',
  'body_too_large',
  'media_type_not_supported',
  'schema_violation',
  'multipart_not_valid',
  'duplicate_key',
  'nesting_too_deep',
  'number_out_of_range',
  'nul_character',
  'lone_surrogate',
  'version_not_supported',
  'cursor_not_valid',
  'page_out_of_reach',
  'text_not_accepted',
  'caller_hash_not_accepted',
  'hash_mismatch',
  'idempotency_key_mismatch',
  'retention_out_of_range',
  'source_ref_not_found',
  'event_not_found',
  'access_event_not_found',
  'segment_not_found',
  'content_empty',
  'external_uri_not_accepted',
  'hash_key_not_found',
  'settings_unusable',
  'password_not_accepted',
  'trust_policy_not_valid',
  'log_key_conflict',
  'rate_limited',
  'headers_too_large',
  'internal',
  'connect_not_supported',
  'ledger_unavailable',
  'receipt_unavailable',
  'object_store_unavailable',
  'overloaded',
  'clock_behind',
  'limit_reached',
  'csrf_token_not_valid',
  'content_damaged',
  'reason_required',
  'approval_required',
  'approval_not_open',
  'approval_outdated',
  'approval_not_allowed',
  'record_on_hold',
  'hold_released',
  'record_not_found',
  'mail_unavailable',
] as const;
/** What went wrong, for programs. */
export const problemCode = z.enum(PROBLEM_CODES).meta(OPEN_VALUES);
export type ProblemCode = z.infer<typeof problemCode>;

/**
 * One fault of a request, and what is wrong there: an RFC 6901 pointer into the body, `?name` for the query, `{name}`
 * for a part of the path.
 */
export const problemError = z.strictObject({ pointer: z.string(), detail: z.string() });
export type ProblemError = z.infer<typeof problemError>;

/** Every error answer: RFC 9457 `application/problem+json`. Submitted text is never echoed. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: problemCode,
  errors: z.array(problemError),
  request_id: z.string(),
});
export type Problem = z.infer<typeof problem>;

/** What anyone who meets an error should do about it. */
export type Remedy = 'fix-request' | 'retry' | 'give-up' | 'stop-process';

/** The one error that crosses layers: a closed code, a sentence without submitted text, and where the fault lies. */
export class ServiceError extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ProblemError[];
  readonly remedy: Remedy;
  /** After how many seconds the same request may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: readonly ProblemError[]; remedy?: Remedy; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.remedy = options.remedy ?? 'fix-request';
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
