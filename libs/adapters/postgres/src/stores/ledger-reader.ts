import { deriveRecordKey } from '@answer-evidence/commitments';
import type {
  CommitRow,
  CredentialRow,
  EventRow,
  HashKeyRow,
  HeadRow,
  IdempotencyRow,
  LeafRow,
  LedgerKeyRow,
  MemberRow,
  RecordRow,
  SealedRow,
  StateRow,
  TallyRow,
  TextExpiryRow,
  TileRow,
  TokenRow,
  TraceAttachmentRow,
  WorkspaceEntryRow,
} from '@answer-evidence/contracts';
import { equalBytes, parseJsonText } from '@answer-evidence/encoding';
import { credentialMacParts, macOfHead } from '@answer-evidence/ledger';
import type { Workspace } from '@answer-evidence/ports';
import type { LedgerReader, OrphanRow } from '@answer-evidence/verifier';
import {
  COMMITS,
  CREDENTIALS,
  EVENTS,
  EXPIRIES,
  HASH_KEYS,
  IDEMPOTENCY,
  LEAVES,
  LEDGER_KEYS,
  MEMBERS,
  RECORDS,
  SEALED,
  TILES,
  TOKENS,
  TRACES,
  WORKSPACE_ENTRIES,
} from '../append/tables.ts';
import { createReconciliationReader, RECONCILIATION_ORPHANS } from '../reconciliation/read-reconciliations.ts';
import type { Query } from '../session.ts';
import { createEvidenceRowReader, EVIDENCE_ORPHANS } from './evidence-rows.ts';
import { readVouchers } from './read-vouchers.ts';
import { HEAD_COLUMNS } from './rows.ts';
import { isMacValid, TALLIES } from './trust-macs.ts';

const LEAVES_A_BATCH = 4_096;
const TILES_A_BATCH = 128;
const ORPHANS_MAX = 10_000;
/** Before every row, also one whose key was made negative. */
const BIGINT_MIN = '-9223372036854775808';
const INTEGER_MIN = -2_147_483_648;

function select(alias: string, table: { readonly columns: readonly string[] }): string {
  return table.columns.map((column) => `${alias}.${column}`).join(', ');
}

const RUN = `from answer_evidence.ledger_leaves l`;
const IN_RUN = `l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3`;
const RECORDED_IN_RUN = `${IN_RUN} and l.type = 'answer_recorded'`;

/** Reads everything that is stored of one workspace, within the snapshot that `query` belongs to. */
export function createLedgerReader(query: Query, workspace: Workspace): LedgerReader {
  const { id: workspaceId, vault } = workspace;

  /** Rows in ascending order of a key, a batch at a time; each batch begins after the last row of the one before. */
  async function* batches<Row extends object>(
    name: string,
    sql: (after: string) => string,
    size: number,
    keyOf: (row: Row) => readonly unknown[],
    start: readonly unknown[],
  ): AsyncGenerator<readonly Row[]> {
    let key = start;
    for (;;) {
      const places = key.map((_, n) => `$${n + 2}`).join(', ');
      const rows = await query<Row & Record<string, unknown>>(name, `${sql(`(${places})`)} limit ${size}`, [
        workspaceId,
        ...key,
      ]);
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (rows.length < size || last === undefined) return;
      key = keyOf(last);
    }
  }

  const all = <Row extends object>(name: string, sql: string, values: readonly unknown[] = []) =>
    query<Row & Record<string, unknown>>(name, sql, [workspaceId, ...values]);

  return {
    workspaceId,
    logId: workspace.logId,
    origin: workspace.origin,
    vkey: workspace.vkey,

    head: async () =>
      (
        await all<HeadRow>(
          'check_head',
          `select ${HEAD_COLUMNS} from answer_evidence.ledger_heads where workspace_id = $1`,
        )
      )[0],

    leaves: () =>
      batches<LeafRow>(
        'check_leaves',
        (after) =>
          `select ${select('l', LEAVES)} ${RUN} where l.workspace_id = $1 and (l.leaf_index) > ${after} order by l.leaf_index`,
        LEAVES_A_BATCH,
        (row) => [row.leaf_index],
        [BIGINT_MIN],
      ),

    commits: () =>
      batches<CommitRow>(
        'check_commits',
        (after) =>
          `select ${select('c', COMMITS)} from answer_evidence.ledger_commits c
             where c.workspace_id = $1 and (c.tree_size) > ${after} order by c.tree_size`,
        LEAVES_A_BATCH,
        (row) => [row.tree_size],
        [BIGINT_MIN],
      ),

    tiles: () =>
      batches<TileRow>(
        'check_tiles',
        (after) =>
          `select ${select('t', TILES)} from answer_evidence.ledger_tiles t
             where t.workspace_id = $1 and (t.level, t.tile_index) > ${after} order by t.level, t.tile_index`,
        TILES_A_BATCH,
        (row) => [row.level, row.tile_index],
        [INTEGER_MIN, BIGINT_MIN],
      ),

    async rowsOf(from, to) {
      const run = [from, to];
      const [leaves, records, subjectLeaves, events, states, expiries, traces, sealed, idempotency, workspaceEntries] =
        await Promise.all([
          all<LeafRow>('run_leaves', `select ${select('l', LEAVES)} ${RUN} where ${IN_RUN} order by l.leaf_index`, run),
          all<RecordRow>(
            'run_records',
            `select ${select('r', RECORDS)} ${RUN}
             join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<LeafRow>(
            'run_subject_leaves',
            `select ${select('s', LEAVES)} ${RUN}
             join answer_evidence.ledger_leaves s on s.workspace_id = $1 and s.subject = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<EventRow>(
            'run_events',
            `select ${select('e', EVENTS)} ${RUN}
             join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.record_id = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<StateRow>(
            'run_states',
            `select s.record_id, s.status ${RUN}
             join answer_evidence.record_states s on s.workspace_id = $1 and s.record_id = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<TextExpiryRow>(
            'run_expiries',
            `select ${select('x', EXPIRIES)} ${RUN}
             join answer_evidence.text_expiries x on x.workspace_id = $1 and x.record_id = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<TraceAttachmentRow>(
            'run_traces',
            `select ${select('t', TRACES)} ${RUN}
             join answer_evidence.trace_attachments t on t.workspace_id = $1 and t.record_id = l.id where ${RECORDED_IN_RUN}`,
            run,
          ),
          all<SealedRow>(
            'run_sealed',
            `select ${select('c', SEALED)} from answer_evidence.sealed_contents c
             where c.workspace_id = $1 and c.object_id in (
               select l.id ${RUN} where ${RECORDED_IN_RUN}
               union
               select s.id ${RUN} join answer_evidence.ledger_leaves s on s.workspace_id = $1 and s.subject = l.id
                 where ${RECORDED_IN_RUN})`,
            run,
          ),
          all<IdempotencyRow>(
            'run_idempotency',
            `select ${select('k', IDEMPOTENCY)} from answer_evidence.idempotency_keys k
             where k.workspace_id = $1 and (k.scope, k.idempotency_key) in (
               select 'record:' || r.application_key, r.idempotency_key ${RUN}
                 join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = l.id where ${RECORDED_IN_RUN}
               union
               select 'evidence:' || a.application_key, a.idempotency_key ${RUN}
                 join answer_evidence.evidence_assets a on a.workspace_id = $1 and a.id = l.subject and a.entry_id = l.id
                 where ${IN_RUN}
               union
               select 'event:' || e.record_id, e.idempotency_key ${RUN}
                 join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.record_id = l.id
                 where ${RECORDED_IN_RUN})`,
            run,
          ),
          all<WorkspaceEntryRow>(
            'run_workspace_entries',
            `select ${select('w', WORKSPACE_ENTRIES)} ${RUN}
             join answer_evidence.workspace_entries w on w.workspace_id = $1 and w.id = l.id where ${IN_RUN}`,
            run,
          ),
        ]);
      return {
        leaves,
        records,
        subjectLeaves,
        events,
        states,
        expiries,
        traces,
        sealed,
        idempotency,
        workspaceEntries,
      };
    },

    tokensCreated: (from, to) =>
      all<TokenRow>(
        'tokens_created',
        `select ${select('t', TOKENS)} from answer_evidence.tokens t
           where t.workspace_id = $1 and t.created_at >= $2 and t.created_at < $3 order by t.created_at`,
        [from, to],
      ),
    tokensRevoked: (from, to) =>
      all<TokenRow>(
        'tokens_revoked',
        `select ${select('t', TOKENS)} from answer_evidence.tokens t
           where t.workspace_id = $1 and (t.revoked_at >= $2 and t.revoked_at < $3 or t.cut_at >= $2 and t.cut_at < $3)
           order by t.revoked_at`,
        [from, to],
      ),
    hashKeys: () =>
      all<HashKeyRow>(
        'check_hash_keys',
        `select ${select('h', HASH_KEYS)} from answer_evidence.hash_keys h where h.workspace_id = $1`,
      ),

    members: () =>
      all<MemberRow>(
        'check_members',
        `select ${select('m', MEMBERS)} from answer_evidence.members m where m.workspace_id = $1`,
      ),
    credentials: () =>
      all<CredentialRow>(
        'check_credentials',
        `select ${select('c', CREDENTIALS)} from answer_evidence.member_credentials c where c.workspace_id = $1`,
      ),

    ledgerKeys: () =>
      all<LedgerKeyRow>(
        'check_ledger_keys',
        `select ${select('k', LEDGER_KEYS)} from answer_evidence.ledger_keys k where k.workspace_id = $1`,
      ),
    publicKeyOf: (row) => vault.openLedgerKey(row.vkey, row.wrapped_seed).publicKey,

    ...createReconciliationReader(query, workspaceId, vault),
    ...createEvidenceRowReader(query, workspaceId, vault),
    async *orphans() {
      for (const [kind, sql] of ORPHANS) {
        const rows = await all<{ id: string }>(`orphans_${kind}`, `${sql} limit ${ORPHANS_MAX}`);
        if (rows.length > 0) yield rows.map((row): OrphanRow => ({ kind, id: row.id }));
      }
    },

    vouchers: () => readVouchers(query, workspaceId, vault),
    async voucherTally() {
      const [row] = await all<TallyRow>(
        'check_tally',
        `select ${select('t', TALLIES)} from answer_evidence.trust_tallies t where t.workspace_id = $1`,
      );
      return row === undefined ? undefined : { counts: row, isMacValid: isMacValid(vault, TALLIES, row) };
    },

    isHeadMacValid: (row) =>
      equalBytes(
        row.mac,
        macOfHead(row, (parts) => vault.mac('ledger_heads', parts)),
      ),
    isIdempotencyMacValid: (row) =>
      equalBytes(
        row.mac,
        vault.mac('idempotency_keys', [row.scope, row.idempotency_key, row.object_id, row.fingerprint]),
      ),
    isCredentialMacValid: (row) => equalBytes(row.mac, vault.mac('member_credentials', credentialMacParts(row))),
    openSealed(row) {
      const key = vault.openObjectKey(row.object_id, row.wrapped_key);
      const open = (field: string, sealed: Uint8Array | null) =>
        sealed === null ? null : parseJsonText(key.open(field, sealed));
      return Promise.resolve({ texts: open('texts', row.texts), items: open('items', row.items) });
    },
    async recordKey(hashKeyId, salt) {
      const [row] = await all<HashKeyRow>(
        'check_hash_key',
        'select id, wrapped_key from answer_evidence.hash_keys where workspace_id = $1 and id = $2',
        [hashKeyId],
      );
      if (row === undefined) throw new Error(`the hash key ${hashKeyId} is missing`);
      return deriveRecordKey(vault.openHashKey(row.id, row.wrapped_key), salt);
    },
    fingerprintOf: (row) => Promise.resolve(vault.fingerprintOfHashKey(vault.openHashKey(row.id, row.wrapped_key))),
  };
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
