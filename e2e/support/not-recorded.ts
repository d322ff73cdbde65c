/** What no ledger vouches for, and why. Names are `table` or `table.column`. */
export const NOT_RECORDED: Readonly<Record<string, string>> = {
  answered_claims: 'what lists of imported answers are narrowed by; what they show is the sealed claim',
  saved_views: 'lists under a name, for people; nothing is decided by them',
  outbox: 'what is to be done, not what was recorded; its consumers go by the records',
  dead_letters: 'what could not be done, not what was recorded',
  otlp_calls: 'which calls have a record, for a day; what is attached by it is compared with the record first',
  otlp_inbox: 'what is to be recorded, not what was; it opens only as it was sealed',
  otlp_waiting: 'what waits for its record; it opens only as it was sealed',
  otlp_traces: 'when a trace is decided; what waits of it is sealed',
  otlp_trace_parts: 'what waits for the rest of its trace; it opens only as it was sealed',
  otlp_unattached: 'what belongs to no record',
  otlp_ignored: 'how much left no record by the previous release; nothing is decided by it',
  otlp_left_out: 'how much left no record, for people; nothing is decided by it',
  otlp_fates: 'which items left no record, for people; nothing is decided by it',
  witness_states: 'when to ask a witness again; what it signed is a cosignature',
  trust_looks: 'when to look at witnesses and anchors again, within minutes whatever it says',
  anchor_secrets: 'the key to a bucket; what is kept there is confirmed by the attempt',
  erasures: 'of the installation: transactions whose remains are to be vacuumed',
  ledger_checks: 'what checks found, for later ones; only what the service wrote counts, and a whole check needs none',
  clock_marks: 'what time it was for the processes; it can hold creation and erasure up, and vouches for nothing',
  counted_lists: 'counts for the overview, which are counted again from completed reconciliations',
  counted_logs: 'how far the log has been counted for the overview',
  counted_runs: 'counts for the overview, which are counted again from completed reconciliations',
  daily_counts: 'counts for the overview, which are counted again from the log',
  notification_targets: 'where notifications go, which the log says of each change; address and secrets open as sealed',
  notification_states: 'how a target does; what is due waits whatever it says',
  notifications: 'what was told of entries and of what needs somebody, which can be read there',
  notification_deliveries: 'what is on its way to targets',
  notification_conditions: 'what was told of, so that it is told once',
  streams: 'where entries are sent, which the log says of each change; what reaches it opens as sealed',
  stream_states: 'how far entries were sent; one that is set back or on shows where they arrive',
  notification_places: 'how far the log was told to targets',
  word_indexes: 'how far words of texts are indexed; an altered row is made again',
  word_tokens: 'by which words records are found; who alters them hides a record from a search, and shows no other one',
  approvals:
    'what waits for a second person; the log says who asked and who decided, and an act opens only as it was sealed',
  login_tries: 'how many wrong passwords were tried; it only holds logins back',
  login_places: 'where members have signed in; who is known there goes first',
  console_sessions: 'which browsers are signed in; what they may do is what their tokens may',
  triage_texts: 'comments about findings, beside the log; they open only as they were sealed, and are erased',
  device_logins: 'programs that wait for a person to sign them in; a row that somebody altered is none',
  token_uses: 'about when a token was last used, for people; nothing is decided by it',
  'triage_steps.workspace_id': 'a newest step that is moved away is as one that is gone',
  'installation.singleton': 'a constraint lets it be true only',
};

/** Tables of which a row may be gone, and nothing names it, and why. Every alteration of their rows is named. */
export const MAY_BE_GONE: Readonly<Record<string, string>> = {
  triage_steps: 'what people did about findings, beside the log; a newest step that is taken away leaves no gap',
};

/** Columns of tables above whose alteration is named all the same, and why. */
export const NAMED_ANYWAY: Readonly<Record<string, string>> = {
  'triage_texts.run_id': 'a text about a run that does not exist belongs to nothing',
};
