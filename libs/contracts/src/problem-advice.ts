import type { ProblemCode } from './problems.ts';

/** What to do about each code, in one sentence, for docs/error-codes.md. A code without advice does not compile. */
export const PROBLEM_ADVICE: Readonly<Record<ProblemCode, string>> = {
  malformed_json: 'Send one JSON document in UTF-8 as the body.',
  malformed_request: 'Correct the request line, path or headers that `detail` names.',
  unauthenticated: 'Sign in again or get a new token; the same token will not be accepted later.',
  login_failed:
    'Check name, password and workspace. The answer is the same for an unknown name, a wrong password and a disabled member, so that nobody can ask who is a member',
  link_not_valid: 'Ask a tenant manager for a new password link: this one was used, replaced, or has expired',
  role_not_allowed: 'Ask a tenant manager to do it.',
  scope_missing: 'Use a token that was issued with the scope that `detail` names.',
  token_kind_not_allowed: 'Use a user API token; no application token may do this, whatever its scopes.',
  application_not_allowed: 'Use the token of the application that the request is about.',
  workspace_not_allowed: 'Send the request to the host of the workspace that issued the token.',
  not_found: 'Check path and ids; what belongs to another workspace looks the same as what does not exist.',
  method_not_allowed: 'Use one of the methods in the header `Allow`.',
  idempotency_payload_mismatch:
    'Do not retry: send the payload that the key was first used with, or use a new key for a new request.',
  transition_not_allowed: 'Do not retry: read the record and choose an event that its status permits.',
  version_conflict: 'Read the resource again, apply the change to its current version, and send that.',
  name_taken: 'Choose another name, or end what has this one.',
  last_manager: 'First let another manager set a password: somebody must be able to manage the workspace',
  token_not_active: 'Issue a new token: this one was revoked, rotated or has expired.',
  run_not_completed:
    'Read the run until its status is `completed`, and ask again; a failed one waits for a manager to replay its job.',
  gone_redacted: 'Do not retry: the contents were redacted and no longer exist.',
  precondition_failed: 'Read the resource again and send its current ETag as `If-Match`.',
  body_too_large: 'Send less in one request; `detail` names the limit.',
  media_type_not_supported: 'Send the content type that `detail` names, without a content encoding.',
  schema_violation: 'Correct the members that `errors` points to.',
  multipart_not_valid:
    'Send the parts that the description names, each once and in its order, as RFC 7578 has it; a library makes such bodies.',
  duplicate_key: 'Name each member of an object once; which of two counts is decided differently along the way.',
  nesting_too_deep: 'Flatten the value that `errors` points to.',
  number_out_of_range: 'Send large integers and exact decimals as strings.',
  nul_character: 'Remove U+0000 from the text.',
  lone_surrogate: 'Send well-formed Unicode; a text was probably cut inside of a character.',
  version_not_supported: 'Send no `Service-Version`, or one that `detail` lists.',
  cursor_not_valid: 'Start the list again without a cursor; a cursor belongs to the filters that it was made with.',
  page_out_of_reach: 'Go on with `next_cursor` instead of page numbers.',
  text_not_accepted: 'Send commitments only; the workspace takes no text.',
  caller_hash_not_accepted: 'Send the text without a hash; the policy of the workspace has the service commit to it.',
  hash_mismatch: 'Hash the exact UTF-8 bytes of the text that is sent, or send only one of the two.',
  idempotency_key_mismatch: 'Give the idempotency key once, or the same in header and body.',
  retention_out_of_range: 'Name a time ahead of now within the limit that `detail` gives.',
  source_ref_not_found: 'Name only `source_ref_id`s that the record has; nothing was redacted.',
  access_event_not_found:
    'Bind only access events of this workspace and of the application of the record; nothing was recorded.',
  segment_not_found: 'Name only segments of this asset, or none for all of them; nothing was accessed.',
  content_empty: 'Send at least one byte; an asset without content is not kept.',
  external_uri_not_accepted:
    'Send a URI of an accepted scheme, without user names, passwords or tokens in it; nothing was kept.',
  hash_key_not_found: 'Name a key that `GET /api/tenant/hash-keys` lists.',
  log_key_conflict: 'Read `GET /api/trust/keys`: two keys sign at most, and one always does.',
  trust_policy_not_valid: 'Mend what `errors` names; nothing of the policy was kept.',
  settings_unusable: 'Leave at least one way to create records open: texts, or hashes of the caller.',
  password_not_accepted: 'Choose another password, as `detail` says; the link still works',
  rate_limited: 'Retry after `Retry-After`; send less often, or ask the operator for a higher limit.',
  internal: 'Retry a few times with backoff; then report the `request_id` to the operator.',
  ledger_unavailable: 'Retry with backoff after `Retry-After`, with the same idempotency key.',
  receipt_unavailable:
    'Retry with the same idempotency key: it was recorded, and the answer to the repetition has the receipt.',
  object_store_unavailable:
    'Retry with backoff after `Retry-After`; nothing was kept. Where `detail` names an asset, its original is lost: report that to the operator.',
  overloaded: 'Retry with backoff after `Retry-After`, with the same idempotency key.',
};
