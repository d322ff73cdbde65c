import type { LedgerReader } from '@answer-evidence/audit';
import { deriveRecordKey } from '@answer-evidence/commitments';
import { equalBytes, parseJsonText } from '@answer-evidence/encoding';
import { credentialMacParts, macOfHead } from '@answer-evidence/ledger';
import type { Workspace } from '@answer-evidence/ports';
import {
  type AnyTable,
  ATTESTATION_COUNTS,
  type AttestationCountsRow,
  type ColumnType,
  type CommitRow,
  COMMITS,
  type CredentialRow,
  CREDENTIALS,
  HASH_KEYS,
  type HashKeyRow,
  type HeadRow,
  type LeafRow,
  LEAVES,
  LEDGER_KEYS,
  type LedgerKeyRow,
  type MemberRow,
  MEMBERS,
  TABLES,
  type TileRow,
  TILES,
  type TokenRow,
  TOKENS,
  type WorkspaceRow,
  WORKSPACES,
} from '@answer-evidence/tables';
import { createReconciliationReader } from '../reconciliation/read-reconciliations.ts';
import type { Query } from '../session.ts';
import { createEvidenceRowReader } from './evidence-rows.ts';
import { readAttestations } from './read-attestations.ts';
import { readLeafRange } from './read-leaf-range.ts';
import { readOrphans } from './read-orphans.ts';
import { columnsWithMac, isMacValid } from './row-macs.ts';
import { HEAD_COLUMNS, select } from './rows.ts';

const LEAVES_A_BATCH = 4_096;
const TILES_A_BATCH = 128;
/** Before every row, also one whose key was made negative. */
const BIGINT_MIN = '-9223372036854775808';
const INTEGER_MIN = -2_147_483_648;
const LEAST: Readonly<Record<ColumnType, unknown>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
  bigint: BIGINT_MIN,
  integer: INTEGER_MIN,
  bytea: new Uint8Array(),
  boolean: false,
};

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

  const hashKeys = new Map<string, Promise<Uint8Array>>();

  /** A hash key is read once: most keyed records have the same, and each asks for it. */
  function hashKeyOf(id: string): Promise<Uint8Array> {
    const known = hashKeys.get(id) ?? openHashKey(id);
    hashKeys.set(id, known);
    return known;
  }

  async function openHashKey(id: string): Promise<Uint8Array> {
    const [row] = await all<HashKeyRow>(
      'check_hash_key',
      'select id, wrapped_key from answer_evidence.hash_keys where workspace_id = $1 and id = $2',
      [id],
    );
    if (row === undefined) throw new Error(`the hash key ${id} is missing`);
    return vault.openHashKey(row.id, row.wrapped_key);
  }

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
          `select ${select('l', LEAVES)} from answer_evidence.ledger_leaves l where l.workspace_id = $1 and (l.leaf_index) > ${after} order by l.leaf_index`,
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

    rowsOf: (from, to) => readLeafRange(query, workspaceId, from, to),
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
    async workspaceRow() {
      const [row] = await query<WorkspaceRow & { mac: Uint8Array | null }>(
        'check_workspace',
        `select ${columnsWithMac(WORKSPACES)} from answer_evidence.workspaces where id = $1`,
        [workspaceId],
      );
      return row === undefined ? undefined : { ...row, isMacValid: isMacValid(vault, WORKSPACES, row) };
    },
    async *forgedRows() {
      for (const table of Object.values<AnyTable>(TABLES).filter(({ authenticated }) => authenticated))
        for await (const rows of batches<Record<string, unknown> & { mac: Uint8Array | null }>(
          `check_${table.name}`,
          (after) =>
            `select ${columnsWithMac(table)} from answer_evidence.${table.name}
               where workspace_id = $1 and (${table.key.join(', ')}) > ${after} order by ${table.key.join(', ')}`,
          LEAVES_A_BATCH,
          (row) => table.key.map((column) => row[column]),
          table.key.map((column) => LEAST[table.types[column]?.type ?? 'text']),
        ))
          yield rows
            .filter((row) => !isMacValid(vault, table, row))
            .map((row) => ({ table: table.name, id: table.key.map((column) => String(row[column])).join(' ') }));
    },
    orphans: () => readOrphans(query, workspaceId),

    attestations: () => readAttestations(query, workspaceId, vault),
    async attestationCounts() {
      const [row] = await all<AttestationCountsRow>(
        'check_tally',
        `select ${select('t', ATTESTATION_COUNTS)} from answer_evidence.trust_tallies t where t.workspace_id = $1`,
      );
      return row === undefined ? undefined : { counts: row, isMacValid: isMacValid(vault, ATTESTATION_COUNTS, row) };
    },

    isHeadMacValid: (row) => equalBytes(row.mac, macOfHead(row, vault.mac)),
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
      return deriveRecordKey(await hashKeyOf(hashKeyId), salt);
    },
    fingerprintOf: (row) => Promise.resolve(vault.fingerprintOfHashKey(vault.openHashKey(row.id, row.wrapped_key))),
  };
}
