import type { ProblemCode } from './problems.ts';

/** How a code looks over HTTP. */
export type ProblemRow = { readonly status: number; readonly title: string };

/** Status and title of every code. A code without a row does not compile. */
export const PROBLEM_TABLE: Readonly<Record<ProblemCode, ProblemRow>> = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_request: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'Authentication failed' },
  login_failed: { status: 401, title: 'The login failed' },
  link_not_valid: { status: 401, title: 'The password link is not valid' },
  role_not_allowed: { status: 403, title: 'The role is not allowed to do this' },
  scope_missing: { status: 403, title: 'The token lacks a scope' },
  token_kind_not_allowed: { status: 403, title: 'This kind of token is not allowed to do this' },
  application_not_allowed: { status: 403, title: 'The token is bound to another application' },
  workspace_not_allowed: { status: 403, title: 'The token belongs to another workspace' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  idempotency_payload_mismatch: { status: 409, title: 'The idempotency key was used with another payload' },
  transition_not_allowed: { status: 409, title: 'The status does not permit this event' },
  version_conflict: { status: 409, title: 'The version is not the current one' },
  name_taken: { status: 409, title: 'The name is taken' },
  last_manager: { status: 409, title: 'The last manager must remain' },
  token_not_active: { status: 409, title: 'The token is not active' },
  run_not_completed: { status: 409, title: 'The run is not completed' },
  gone_redacted: { status: 410, title: 'Redacted' },
  precondition_failed: { status: 412, title: 'The precondition does not hold' },
  body_too_large: { status: 413, title: 'The body is too large' },
  media_type_not_supported: { status: 415, title: 'The media type is not supported' },
  schema_violation: { status: 422, title: 'The request is invalid' },
  multipart_not_valid: { status: 422, title: 'The multipart body is invalid' },
  duplicate_key: { status: 422, title: 'The body contains a key twice' },
  nesting_too_deep: { status: 422, title: 'The body is nested too deeply' },
  number_out_of_range: { status: 422, title: 'A number is out of range' },
  nul_character: { status: 422, title: 'A text contains U+0000' },
  lone_surrogate: { status: 422, title: 'A text contains an unpaired surrogate' },
  version_not_supported: { status: 422, title: 'The version is not supported' },
  cursor_not_valid: { status: 422, title: 'The cursor is not valid' },
  page_out_of_reach: { status: 422, title: 'The page number is too high' },
  text_not_accepted: { status: 422, title: 'The workspace does not accept text' },
  caller_hash_not_accepted: { status: 422, title: 'The workspace does not accept caller-generated hashes' },
  hash_mismatch: { status: 422, title: 'The hash does not match the text' },
  idempotency_key_mismatch: { status: 422, title: 'Header and body have different idempotency keys' },
  retention_out_of_range: { status: 422, title: 'The retention is out of range' },
  source_ref_not_found: { status: 422, title: 'A source ref does not exist' },
  event_not_found: { status: 422, title: 'A lifecycle event does not exist' },
  access_event_not_found: { status: 422, title: 'An access event does not exist' },
  segment_not_found: { status: 422, title: 'A segment does not exist' },
  content_empty: { status: 422, title: 'The content is empty' },
  external_uri_not_accepted: { status: 422, title: 'The external URI is not accepted' },
  hash_key_not_found: { status: 422, title: 'The hash key does not exist' },
  log_key_conflict: { status: 409, title: 'The keys of the log do not allow this' },
  trust_policy_not_valid: { status: 422, title: 'The trust policy is invalid' },
  settings_unusable: { status: 422, title: 'No record could be created under these settings' },
  password_not_accepted: { status: 422, title: 'The password is not accepted' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  ledger_unavailable: { status: 503, title: 'The ledger is unavailable' },
  receipt_unavailable: { status: 503, title: 'The receipt is unavailable' },
  object_store_unavailable: { status: 503, title: 'The object store is unavailable' },
  overloaded: { status: 503, title: 'Overloaded' },
  clock_behind: { status: 503, title: 'The clock of the server is behind' },
};

/** The stable name of a code: RFC 9457 `type`. */
export function problemType(code: ProblemCode): string {
  return `urn:answer-evidence:problem:${code}`;
}
