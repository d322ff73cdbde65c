import type { ProblemCode } from './problems.ts';

/** What to do about each code, in one sentence, for docs/error-codes.md. A code without advice does not compile. */
export const PROBLEM_ADVICE: Readonly<Record<ProblemCode, string>> = {
  malformed_json: 'Send one JSON document in UTF-8 as the body.',
  malformed_request: 'Correct the part of the request line, path or headers that `detail` names.',
  unauthenticated: 'Send a token of this service; the same request will not be accepted later.',
  token_malformed: 'Send `Authorization: Bearer TOKEN` with the whole token as it was issued.',
  token_expired: 'Sign in again, or send a token that was issued since.',
  token_revoked: 'Send another token: this one was rotated or revoked, or its member was disabled or removed.',
  login_failed:
    'Check name, password and workspace. The response is the same for an unknown name, a wrong password and a ' +
    'disabled member, so that names cannot be probed.',
  device_code_not_valid:
    'Start the sign-in again; this code is wrong, has expired or was used. Each code is for one sign-in, for 10 minutes.',
  authorization_pending: 'Wait for `interval_seconds`, and ask again; a person has to approve it in a browser first.',
  slow_down: 'Wait five seconds longer between two questions from now on.',
  access_denied: 'Start the sign-in again if that was a mistake; the person who was asked has denied it.',
  link_not_valid: 'Ask a tenant manager for a new password link; this one is invalid, expired, or already used.',
  role_not_allowed:
    'Ask somebody in one of the roles that `detail` names; a manager gives roles and limits, as the page of roles says.',
  scope_missing: 'Use a token that was issued with the scope that `detail` names.',
  token_kind_not_allowed: 'Use a user API token; application tokens cannot do this, whatever their scopes.',
  application_not_allowed:
    'Use a token of the application that the request is about. Limited members ask somebody who is not; `detail` names ' +
    'their limits.',
  workspace_not_allowed: 'Send the request to the host of the workspace that issued the token.',
  not_found: 'Check the path and its ids; a resource of another workspace looks like one that does not exist.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  request_timeout:
    'Retry with the same idempotency key, over a faster connection or with less in one request; nothing was processed.',
  idempotency_payload_mismatch:
    'Do not retry: send the payload that the key was first used with, or use a new key for a new request.',
  transition_not_allowed: 'Do not retry: read the record and choose an event that its status permits.',
  version_conflict: 'Read the resource again, apply the change to its current version, and send that.',
  name_taken: 'Choose another name, or revoke or remove the current holder of this name.',
  last_manager: 'First let another manager set a password; a workspace needs at least one manager who can sign in.',
  token_not_active: 'Issue a new token; this one is revoked, rotated or expired.',
  run_not_completed:
    'Read the run until its status is `completed`, then retry; a failed run waits until a manager replays its job.',
  record_on_hold: 'Do not retry: a manager has to release each hold on the record first.',
  hold_released: 'Do not retry: place another hold if the records are to be kept again; this one has ended.',
  limit_reached:
    'Remove or revoke what is no longer used, or ask the operator for a higher limit; the response names the limit.',
  csrf_token_not_valid: 'Send the `csrf_token` of the session as `X-CSRF-Token`, from a page of this host.',
  gone_redacted: 'Do not retry: the contents were redacted and no longer exist.',
  proof_link_expired: 'Ask for another one where you got the link.',
  proof_link_revoked: 'Ask for another one where you got the link.',
  proof_links_off:
    'Ask a manager to switch `answer_audit_proof_links_enabled` on, if people concerned may see records.',
  precondition_failed: 'Read the resource again and send its current ETag as `If-Match`.',
  body_too_large: 'Send less in one request; `detail` names the limit.',
  media_type_not_supported: 'Send the content type, and the content encoding, that `detail` names.',
  schema_violation: 'Fix the fields listed in `errors`.',
  multipart_not_valid:
    'Send each part that the API description names once and in that order (RFC 7578); use a library to build the body.',
  duplicate_key: 'Send each member of an object once; parsers disagree on which duplicate counts.',
  nesting_too_deep: 'Flatten the value that `errors` points to.',
  number_out_of_range: 'Send large integers and exact decimals as strings.',
  nul_character: 'Remove U+0000 from the text.',
  lone_surrogate: 'Send well-formed Unicode; the text was probably cut inside a character.',
  version_not_supported: 'Leave out `Service-Version`, or send a version that `detail` lists.',
  cursor_not_valid:
    'Start the list again without a cursor; a cursor works only with the filters that it was created with.',
  page_out_of_reach: 'Continue with `next_cursor` instead of page numbers.',
  text_not_accepted: 'Send hashes only; this workspace does not accept text.',
  caller_hash_not_accepted: 'Send the text without a hash; in this workspace the service computes every commitment.',
  hash_mismatch: 'Hash the exact UTF-8 bytes of the text, or send only the text or only the hash.',
  idempotency_key_mismatch: 'Send the idempotency key in one place only, or the same key in header and body.',
  retention_out_of_range: 'Send a future time within the limit that `detail` gives.',
  source_ref_not_found: 'Send only `source_ref_id`s of this record; nothing was redacted.',
  record_not_found: 'Name only records of this workspace; nothing was put on hold.',
  event_not_found: 'Name only earlier lifecycle events of this record; nothing was redacted.',
  access_event_not_found:
    "Send only access events of this workspace and of the record's application; nothing was recorded.",
  segment_not_found: 'Send only segments of this asset, or none to select all of them; nothing was accessed.',
  content_empty: 'Send at least one byte; an asset without content is not stored.',
  external_uri_not_accepted:
    'Send a URI with an accepted scheme and without user names, passwords or tokens; nothing was stored.',
  hash_key_not_found: 'Send the id of a key that `GET /api/tenant/hash-keys` lists.',
  log_key_conflict: 'Read `GET /api/trust/keys`: at most two keys sign, and at least one must sign.',
  trust_policy_not_valid: 'Fix the fields listed in `errors`; nothing of the policy was stored.',
  approval_required:
    'Ask for it with `POST /api/approvals`; nothing was done. A second person who may do it approves the request.',
  approval_not_open: 'Read the request: it was decided, withdrawn or has expired. Ask again where it is still wanted.',
  approval_outdated: 'Read what changed since the request; decline or withdraw it, and ask again.',
  approval_not_allowed: 'Let another person decide, whose role allows the act and had done so before the request.',
  settings_unusable: 'Allow at least one way to create records: text, or hashes computed by the caller.',
  reason_required:
    'Say why the texts are read in the header `Service-Reason`, or ask without texts; the log keeps the reason for ever.',
  password_not_accepted: 'Choose another password that follows the rule in `detail`; the link remains valid.',
  rate_limited: 'Retry after `Retry-After`; send fewer requests, or ask the operator for a higher limit.',
  headers_too_large: 'Send a shorter path, query or list of headers; `detail` names the limit.',
  internal: 'Retry a few times with backoff; then report the `request_id` to the operator.',
  content_damaged:
    'Do not retry: what is stored was altered, cut or lost, and comes back from a backup only. Report the `request_id` to ' +
    'the operator, who runs a ledger check.',
  connect_not_supported: 'Send requests to the service itself; it is no proxy to other hosts.',
  ledger_unavailable: 'Retry with backoff after `Retry-After`, with the same idempotency key.',
  receipt_unavailable:
    'Retry with the same idempotency key; the record exists, and the retried request returns its receipt.',
  object_store_unavailable: 'Retry with backoff after `Retry-After`; nothing was stored.',
  mail_unavailable: 'Retry with backoff after `Retry-After`; no target was added.',
  overloaded: 'Retry with backoff after `Retry-After`, with the same idempotency key.',
  clock_behind:
    'Retry after `Retry-After`, with the same idempotency key; nothing was recorded. Tell the operator, whose ' +
    'machine has a wrong time.',
};
