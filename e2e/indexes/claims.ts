/** Unique indexes that no statement looks anything up by: the rule that each is for. */
export const RULES: Readonly<Record<string, string>> = {
  device_logins_user_key_key: 'a code is shown for one login',
  otlp_fates_once: 'what became of items is counted once per trace, reason and sender',
  otlp_ignored_once: 'of the previous release, which counts by it',
  otlp_trace_parts_once: 'a part that is sent again is kept once',
  otlp_unattached_once: 'an item is listed once',
  otlp_waiting_once: 'an item waits once',
  reconciliation_runs_idempotency: 'an application uses a key for one run',
  workspaces_log_id_key: 'a log belongs to one workspace',
  workspaces_origin_key: 'an origin names one log',
  workspaces_slug_key: 'a slug names one workspace',
};

/**
 * Where the statement is that an index is for, where the workspace of the test does not send it or has so few rows that
 * it goes by another: the file, and words of it.
 */
export const STATEMENTS: Readonly<Record<string, readonly [file: string, words: string]>> = {
  console_sessions_member: ['stores/console-session-store.ts', 'member_id = $2 order by expires_at'],
  // A job sends these two, before the notes end or after.
  counted_runs_window: ['overview/count-log.ts', 'o.window_start >= n.window_start'],
  device_logins_address: ['stores/device-login-store.ts', 'd.address_key = own.address_key'],
  device_logins_expiry: ['stores/device-login-store.ts', 'device_logins where expires_at <= $1'],
  device_logins_workspace: ['stores/device-login-store.ts', 'd.workspace_id is not distinct from own.workspace_id'],
  evidence_assets_leaf: ['stores/evidence-store.ts', 'order by a.leaf_index desc'],
  login_places_last: ['stores/login-try-store.ts', 'login_places where last_at < $1'],
  login_tries_free: ['stores/login-try-store.ts', 'login_tries where free_at < $1'],
  notification_deliveries_age: ['notifications/notification-store.ts', 'order by created_at limit $4'],
  notification_deliveries_of: ['notifications/notification-store.ts', 'd.notification_id = n.id'],
  notification_deliveries_order: ['notifications/read-deliveries.ts', 'order by d.position'],
  notification_deliveries_pending: [
    'notifications/read-deliveries.ts',
    "b.state = 'pending' and b.position < d.position",
  ],
  notifications_of_subject: ['notifications/tell-targets.ts', 'type = $2 and subject = $3'],
  reconciliation_findings_type: ['overview/count-log.ts', "type = 'missing_service' and answer_log_id is null"],
  tokens_of_user: ['stores/administration-store.ts', 'user_id = $2 order by id'],
  trace_attachments_trace: ['stores/otlp-fates.ts', 't.workspace_id = $1 and t.trace_id = $2'],
  triage_texts_record: ['migrations/0027_triage_additive.sql', 'answer_log_id = new.record_id'],
  workspace_entries_of_many_records: [
    'stores/workspace-entry-store.ts',
    "w.type = 'texts_revealed' and w.record_id is null",
  ],
  workspace_entries_of_record: ['stores/workspace-entry-store.ts', '(w.record_id = ${parameter}::uuid'],
};
