import type { HoldReader, StoredErasure } from '@answer-evidence/audit';
import { RECORD_FILTER_COLUMNS } from '@answer-evidence/contracts';
import { HELD_FROM, type HoldableRecord } from '@answer-evidence/lifecycle';
import type { Query } from '../session.ts';

/** How many leaves are looked through at once, and how many records are read at once. */
const LEAVES_AT_ONCE = 8_192;
const RECORDS_AT_ONCE = 1_000;
/** Before every record. */
const UUID_MIN = '00000000-0000-0000-0000-000000000000';

const RECORD = ['r.id, rl.at', ...RECORD_FILTER_COLUMNS.map((column) => `r.${column}`)].join(', ');
/** An event that redacts, but for one that was made again after a restore. */
const REDACTS = `e.event_type = 'redacted' and e.actor_json not like '%"id":"recovery","kind":"service"%'`;

const OF_RECORDS = `select l.leaf_index, l.type, l.id as entry_id, ${RECORD}
  from answer_evidence.ledger_leaves l
  join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = l.subject
  join answer_evidence.ledger_leaves rl on rl.workspace_id = $1 and rl.leaf_index = r.leaf_index
  where l.workspace_id = $1 and l.leaf_index > $2 and l.leaf_index <= $3
    and (l.type = 'text_expired' or l.type = 'lifecycle_event' and exists (
      select from answer_evidence.lifecycle_events e
        where e.workspace_id = $1 and e.record_id = l.subject and e.id = l.id and ${REDACTS}))
  order by l.leaf_index`;

const OF_ASSETS = `select l.leaf_index, l.type, l.id as entry_id, l.subject as asset_id
  from answer_evidence.ledger_leaves l
  where l.workspace_id = $1 and l.leaf_index > $2 and l.leaf_index <= $3
    and (l.type = 'evidence_expired' or l.type = 'evidence_redacted' and not exists (
      select from answer_evidence.evidence_redactions d
        join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.record_id = d.record_id and e.id = d.event_id
        where d.workspace_id = $1 and d.asset_id = l.subject and d.id = l.id and not (${REDACTS})))
  order by l.leaf_index`;

/** Those that bind an access to the asset and stand before a leaf, and those that were linked to it before the leaf. */
const REFERRING = `select ${RECORD} from (
    select record_id as id from (
      select b.record_id, x.leaf_index
        from answer_evidence.evidence_accesses v
        join answer_evidence.evidence_bindings b on b.workspace_id = $1 and b.access_id = v.id
        join answer_evidence.answer_records x on x.workspace_id = $1 and x.id = b.record_id
        where v.workspace_id = $1 and v.asset_id = $2
      union
      select k.record_id, x.leaf_index
        from answer_evidence.evidence_links k
        join answer_evidence.ledger_leaves x on x.workspace_id = $1 and x.subject = k.record_id and x.id = k.id
        where k.workspace_id = $1 and k.asset_id = $2) referring
    where leaf_index < $3 and record_id > $4 group by record_id order by record_id limit ${RECORDS_AT_ONCE}) asked
  join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = asked.id
  join answer_evidence.ledger_leaves rl on rl.workspace_id = $1 and rl.leaf_index = r.leaf_index
  order by r.id`;

/** What was put on hold, with the record that it is of. */
const ON_HOLD = `select c.object_id, c.due_at, ${RECORD} from (
    select x.object_id, x.due_at from answer_evidence.sealed_contents x
      where x.workspace_id = $1 and x.due_at >= ${HELD_FROM} and (x.due_at, x.object_id) > ($2, $3::uuid)
      order by x.due_at, x.object_id limit ${RECORDS_AT_ONCE}) c
  left join lateral (select x.record_id from answer_evidence.lifecycle_events x
    where x.workspace_id = $1 and x.id = c.object_id offset 0) e on true
  join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = coalesce(e.record_id, c.object_id)
  join answer_evidence.ledger_leaves rl on rl.workspace_id = $1 and rl.leaf_index = r.leaf_index
  order by c.due_at, c.object_id`;

type OnHold = { readonly object_id: string; readonly due_at: number };
type Erased = { readonly leaf_index: number; readonly type: string; readonly entry_id: string };

/** Reads what was erased, and which records referred to evidence, for the ledger check. */
export function createHoldReader(query: Query, workspaceId: string): HoldReader {
  return {
    async *erasuresAfter(leafIndex) {
      const [{ size } = { size: 0 }] = await query<{ size: number }>(
        'erasures_end',
        'select coalesce(max(leaf_index), -1) + 1 as size from answer_evidence.ledger_leaves where workspace_id = $1',
        [workspaceId],
      );
      for (let after = leafIndex; after < size - 1; after += LEAVES_AT_ONCE) {
        const range = [workspaceId, after, after + LEAVES_AT_ONCE];
        const [records, assets] = await Promise.all([
          query<Erased & HoldableRecord & Record<string, unknown>>('erasures_of_records', OF_RECORDS, range),
          query<Erased & { readonly asset_id: string }>('erasures_of_assets', OF_ASSETS, range),
        ]);
        yield [
          ...records.map(({ leaf_index: at, type, entry_id: id, ...record }) => erasure(at, type, id, { record })),
          ...assets.map(({ leaf_index: at, type, entry_id: id, asset_id: assetId }) =>
            erasure(at, type, id, { assetId }),
          ),
        ].toSorted((a, b) => a.leafIndex - b.leafIndex);
      }
    },

    async *contentsOnHold() {
      for (let after: OnHold | undefined = { object_id: UUID_MIN, due_at: 0 }; after !== undefined;) {
        const rows: readonly (OnHold & HoldableRecord)[] = await query<
          OnHold & HoldableRecord & Record<string, unknown>
        >('contents_on_hold', ON_HOLD, [workspaceId, after.due_at, after.object_id]);
        yield rows.map(({ object_id: objectId, due_at: dueAt, ...record }) => ({ objectId, dueAt, record }));
        after = rows.length < RECORDS_AT_ONCE ? undefined : rows.at(-1);
      }
    },

    async *recordsReferringTo(assetId, beforeLeaf) {
      for (let after: string | undefined = UUID_MIN; after !== undefined;) {
        const records: readonly HoldableRecord[] = await query<HoldableRecord & Record<string, unknown>>(
          'records_referring_to_asset',
          REFERRING,
          [workspaceId, assetId, beforeLeaf, after],
        );
        yield records;
        after = records.length < RECORDS_AT_ONCE ? undefined : records.at(-1)?.id;
      }
    },
  };
}

const KINDS: Readonly<Record<string, string>> = {
  lifecycle_event: 'event',
  text_expired: 'expiry',
  evidence_redacted: 'redaction of evidence',
  evidence_expired: 'expiry of evidence',
};

function erasure(leafIndex: number, type: string, id: string, of: StoredErasure['of']): StoredErasure {
  return { object: `${KINDS[type] ?? type} ${id}`, leafIndex, of };
}
