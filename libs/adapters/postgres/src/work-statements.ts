import { HELD_FROM } from '@answer-evidence/lifecycle';
import { type AttestingPart, LOOKS_MICROS_MAX, type WorkKind } from '@answer-evidence/ports';

/** Every workspace has one head, and these rows are few and small: questions about workspaces begin with them. */
export const OF_ALL = 'select h.workspace_id from answer_evidence.ledger_heads h where';

/** Whether a row of the table is there for the workspace of the head `h`. */
export function isThere(table: string, condition: string): string {
  return `exists (select from answer_evidence.${table} t where t.workspace_id = h.workspace_id and ${condition})`;
}

/** Whether something of the table was put on hold before the newest release. */
function isBack(table: string): string {
  const released = `(select coalesce(max(e.seq), 0) from answer_evidence.workspace_entries e
    where e.workspace_id = h.workspace_id and e.type = 'hold_released')`;
  return isThere(table, `t.due_at >= ${HELD_FROM} and t.due_at < ${HELD_FROM} + ${released}`);
}

/** The number of entries of the log that a row of the table, one for each workspace, has come to. */
function placeIn(table: string): string {
  return `coalesce((select t.tree_size from answer_evidence.${table} t where t.workspace_id = h.workspace_id), 0)`;
}

/** Whether the policy of the workspace of the head `h` was ever set. */
export const HAS_TRUST_POLICY = isThere('workspace_entries', `t.type = 'trust_policy_changed'`);

/** What is to be asked of witnesses or authorities, where nothing puts it off for the newest tree and policy. */
function attestation(part: AttestingPart, at: string): string {
  return `select found.* from (
      select h.workspace_id, coalesce((select max(t.tree_size) from answer_evidence.published_checkpoints t
          where t.workspace_id = h.workspace_id), 0) as tree_size,
        (select max(t.seq) from answer_evidence.workspace_entries t
          where t.workspace_id = h.workspace_id and t.type = 'trust_policy_changed')::bigint as policy_version
      from answer_evidence.ledger_heads h where ${HAS_TRUST_POLICY}) found
    where not exists (select from answer_evidence.trust_looks t
      where t.workspace_id = found.workspace_id and t.part = '${part}' and t.tree_size = found.tree_size
        and t.policy_version = found.policy_version and t.due_at > ${at} and t.due_at <= ${at} + ${LOOKS_MICROS_MAX})`;
}

const HAS_TARGET = isThere('notification_targets', 't.removed_at is null');

/** Where each kind of work is to be found, as a statement; `at` is the parameter with the time that it is about. */
export const WORK: Readonly<Record<WorkKind, (at: string) => string>> = {
  grown: (at) => `select workspace_id, tree_size from answer_evidence.ledger_heads where last_at >= ${at}`,
  unpublished: () =>
    `${OF_ALL} h.tree_size is distinct from (select t.tree_size from answer_evidence.published_checkpoints t
       where t.workspace_id = h.workspace_id order by t.tree_size desc limit 1)`,
  'witness-due': (at) => attestation('witness', at),
  'anchor-due': (at) => attestation('anchor', at),
  'expiring-texts': (at) =>
    `${OF_ALL} ${isThere('sealed_contents', `t.due_at < ${at}`)} or ${isBack('sealed_contents')}`,
  'expiring-evidence': (at) =>
    `${OF_ALL} ${isThere('evidence_dues', `t.due_at < ${at}`)} or ${isBack('evidence_dues')}`,
  'expiring-triage': (at) => `${OF_ALL} ${isThere('triage_texts', `t.due_at < ${at}`)}`,
  'otlp-due': (at) =>
    `${OF_ALL} ${isThere('otlp_traces', `(t.is_open or t.due_at <= ${at})`)}
       union ${OF_ALL} ${isThere('otlp_waiting', 'true')}`,
  'otlp-kept': (at) =>
    `${OF_ALL} ${isThere('otlp_inbox', `t.received_at < ${at}`)}
       union ${OF_ALL} ${isThere('otlp_unattached', `t.unattached_at < ${at}`)}`,
  'otlp-calls': (at) => `${OF_ALL} ${isThere('otlp_calls', `t.recorded_at < ${at}`)}`,
  uncounted: () => `${OF_ALL} h.tree_size > ${placeIn('counted_logs')}`,
  'with-targets': () => `${OF_ALL} ${HAS_TARGET}`,
  untold: () => `${OF_ALL} ${HAS_TARGET} and h.tree_size > ${placeIn('notification_places')}`,
  'unindexed-words': () =>
    `select h.workspace_id, h.tree_size from answer_evidence.word_indexes i
       join answer_evidence.ledger_heads h on h.workspace_id = i.workspace_id and h.tree_size > i.next_leaf`,
  'changed-settings': () =>
    `select * from (select h.workspace_id, ${isThere('word_indexes', 'true')} as has_words,
         (select max(t.seq) from answer_evidence.workspace_entries t
           where t.workspace_id = h.workspace_id and t.type = 'settings_changed') as version
       from answer_evidence.ledger_heads h) found where version > 1 or has_words`,
  unstreamed: () => `${OF_ALL} ${isThere('stream_states', `t.state = 'active' and t.tree_size < h.tree_size`)}`,
  'overdue-approvals': (at) => `${OF_ALL} ${isThere('approvals', `t.state = 'open' and t.expires_at <= ${at}`)}`,
  'jobs-due': (at) => `select from answer_evidence.outbox where dispatched_at is null and due_at <= ${at}`,
  'jobs-lost': (at) => `select from answer_evidence.outbox where dispatched_at < ${at}`,
  'jobs-put-off': (at) =>
    `select from answer_evidence.outbox where dispatched_at > ${at}
       or dispatched_at is null and due_at > ${at} and (due_at = created_at or attempts > 0)`,
  'jobs-replayed': (at) => `select from answer_evidence.dead_letters where replayed_at < ${at}`,
};

/** Whether the tables of such work stay with the coordinator where the others are on nodes. */
export function isOfCoordinator(kind: WorkKind): boolean {
  return kind.startsWith('jobs-');
}

/** The workspaces with something that came over OTLP, by its two times. */
export function withOtlp(dueAt: string, keptSince: string): string {
  return `${WORK['otlp-due'](dueAt)} union ${WORK['otlp-kept'](keptSince)}`;
}
