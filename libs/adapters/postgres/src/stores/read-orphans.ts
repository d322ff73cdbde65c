import type { OrphanRow } from '@answer-evidence/audit';
import { RECONCILIATION_ORPHANS } from '../reconciliation/read-reconciliations.ts';
import type { Query } from '../session.ts';
import { EVIDENCE_ORPHANS } from './evidence-rows.ts';

/** Most of each kind; there should be none. */
const ORPHANS_MAX = 10_000;

/** Rows that no leaf of their workspace's log is about, a kind at a time. */
export async function* readOrphans(query: Query, workspaceId: string): AsyncGenerator<readonly OrphanRow[]> {
  for (const [kind, sql] of ORPHANS) {
    const rows = await query<{ id: string }>(`orphans_${kind}`, `${sql} limit ${ORPHANS_MAX}`, [workspaceId]);
    if (rows.length > 0) yield rows.map((row) => ({ kind, id: row.id }));
  }
}

const HAS_RECORD_LEAF = (id: string) =>
  `exists (select 1 from answer_evidence.ledger_leaves l
     where l.workspace_id = $1 and l.subject = ${id} and l.id = ${id} and l.type = 'answer_recorded')`;

const ORPHANS: readonly (readonly [OrphanRow['kind'], string])[] = [
  ['reconciliation', RECONCILIATION_ORPHANS],
  ['evidence', EVIDENCE_ORPHANS],
  [
    'record',
    `select r.id from answer_evidence.answer_records r where r.workspace_id = $1 and not ${HAS_RECORD_LEAF('r.id')}`,
  ],
  [
    'event',
    `select e.id from answer_evidence.lifecycle_events e where e.workspace_id = $1 and not ${HAS_RECORD_LEAF('e.record_id')}`,
  ],
  [
    'expiry',
    `select x.id from answer_evidence.text_expiries x where x.workspace_id = $1 and not ${HAS_RECORD_LEAF('x.record_id')}`,
  ],
  [
    'trace',
    `select t.id from answer_evidence.trace_attachments t
       where t.workspace_id = $1 and not ${HAS_RECORD_LEAF('t.record_id')}`,
  ],
  [
    'status',
    `select s.record_id as id from answer_evidence.record_states s
       where s.workspace_id = $1 and not ${HAS_RECORD_LEAF('s.record_id')}`,
  ],
  [
    'sealed',
    `select c.object_id as id from answer_evidence.sealed_contents c where c.workspace_id = $1
       and not ${HAS_RECORD_LEAF('c.object_id')}
       and not exists (
         select 1 from answer_evidence.lifecycle_events e
         join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = e.record_id and l.id = e.id
         where e.workspace_id = $1 and e.id = c.object_id)`,
  ],
  [
    'idempotency_key',
    `select k.object_id as id from answer_evidence.idempotency_keys k where k.workspace_id = $1
       and not exists (select 1 from answer_evidence.answer_records r where r.workspace_id = $1 and r.id = k.object_id
         and k.scope = 'record:' || r.application_key and r.idempotency_key = k.idempotency_key)
       and not exists (select 1 from answer_evidence.lifecycle_events e where e.workspace_id = $1 and e.id = k.object_id
         and k.scope = 'event:' || e.record_id and e.idempotency_key = k.idempotency_key)
       and not exists (select 1 from answer_evidence.evidence_assets a where a.workspace_id = $1 and a.id = k.object_id
         and k.scope = 'evidence:' || a.application_key and a.idempotency_key = k.idempotency_key)`,
  ],
  [
    'workspace_entry',
    `select w.id from answer_evidence.workspace_entries w where w.workspace_id = $1
       and not exists (select 1 from answer_evidence.ledger_leaves l
         where l.workspace_id = $1 and l.subject in ($1, w.id) and l.id = w.id)`,
  ],
  [
    'leaf',
    `select x.id from answer_evidence.ledger_leaves x where x.workspace_id = $1
       and x.type in ('lifecycle_event', 'trace_attached', 'evidence_linked', 'text_expired')
       and not ${HAS_RECORD_LEAF('x.subject')}`,
  ],
];
