import type { LedgerReader } from '@answer-evidence/audit';
import { deriveRecordKey } from '@answer-evidence/commitments';
import { equalSecrets } from '@answer-evidence/digest';
import { credentialMacParts, macOfHead, openSealed, providerLinkMacParts } from '@answer-evidence/ledger';
import { algorithmOfLogKey, parseVkey } from '@answer-evidence/note';
import type { Workspace } from '@answer-evidence/ports';
import {
  type AnyTable,
  ATTESTATION_COUNTS,
  type AttestationCountsRow,
  COMMITS,
  CREDENTIALS,
  HASH_KEYS,
  type HashKeyRow,
  type HeadRow,
  LEAVES,
  LEDGER_KEYS,
  MEMBERS,
  PROVIDER_LINKS,
  type Table,
  TABLES,
  TILES,
  type TokenRow,
  TOKENS,
  type WorkspaceRow,
  WORKSPACES,
} from '@answer-evidence/tables';
import { createReconciliationReader } from '../reconciliation/read-reconciliations.ts';
import { isAboutRange, readLeafRange, readRanges, readSpokenOf } from '../rows/read-leaf-range.ts';
import { readTable } from '../rows/read-table.ts';
import { columnsWithMac, isMacValid } from '../rows/row-macs.ts';
import { HEAD_COLUMNS, select } from '../rows/rows.ts';
import type { Query } from '../session.ts';
import { createEvidenceRowReader } from '../stores/evidence-rows.ts';
import { readAttestations } from './read-attestations.ts';
import { createHoldReader } from './read-erasures.ts';
import { readOrphans } from './read-orphans.ts';
import { readWorkspaceRows } from './read-workspace-rows.ts';

const TILES_PER_BATCH = 128;
/** So many that every index of a leaf has its tile. */
const TILE_LEVELS = 7;

/** Reads everything that is stored of one workspace, within the snapshot that `query` belongs to. */
export function createLedgerReader(query: Query, workspace: Workspace, turn: () => Promise<void>): LedgerReader {
  const { id: workspaceId, vault } = workspace;

  async function whole<Row extends object>(table: Table<Row>): Promise<readonly Row[]> {
    const all: Row[] = [];
    for await (const rows of readTable(query, workspaceId, table)) all.push(...rows);
    return all;
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

    leaves: (from = 0) => readTable(query, workspaceId, LEAVES, from === 0 ? {} : { behind: [from - 1] }),
    commits: (beyond = 0) => readTable(query, workspaceId, COMMITS, beyond === 0 ? {} : { behind: [beyond] }),
    tiles: (firstTile) => readTilesFrom(query, workspaceId, firstTile),
    ranges: (within) => readRanges(query, workspaceId, within),
    rangesSpokenOf: (since) => readSpokenOf(query, workspaceId, since),
    isAboutRange: (range, since) => isAboutRange(query, workspaceId, range, since),
    workspaceRows: (from) => readWorkspaceRows(query, workspaceId, from),
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
    hashKeys: () => whole(HASH_KEYS),
    members: () => whole(MEMBERS),
    credentials: () => whole(CREDENTIALS),
    providerLinks: () => whole(PROVIDER_LINKS),
    ledgerKeys: () => whole(LEDGER_KEYS),
    publicKeyOf: (row) =>
      vault.openLedgerKey(row.vkey, row.wrapped_seed, algorithmOfLogKey(parseVkey(row.vkey))).publicKey,

    ...createReconciliationReader(query, workspaceId, vault),
    ...createEvidenceRowReader(query, workspaceId, vault),
    ...createHoldReader(query, workspaceId),
    async workspaceRow() {
      const [row] = await query<WorkspaceRow & { mac: Uint8Array | null }>(
        'check_workspace',
        `select ${columnsWithMac(WORKSPACES)} from answer_evidence.workspaces where id = $1`,
        [workspaceId],
      );
      return row === undefined ? undefined : { ...row, isMacValid: isMacValid(vault, WORKSPACES, row) };
    },
    async *forgedRows() {
      for (const table of Object.values<AnyTable>(TABLES).filter(({ authenticated }) => authenticated)) {
        const columns = { name: 'macs', sql: columnsWithMac(table) };
        for await (const rows of readTable(query, workspaceId, table, { columns }))
          for (const row of rows) {
            await turn();
            if (!isMacValid(vault, table, { ...row, mac: row['mac'] as Uint8Array | null }))
              yield [{ table: table.name, id: table.key.map((column) => String(row[column])).join(' ') }];
          }
      }
    },
    orphans: () => readOrphans(query, workspaceId),

    attestations: () => readAttestations(query, workspaceId, vault, turn),
    async attestationCounts() {
      const [row] = await all<AttestationCountsRow>(
        'check_tally',
        `select ${select('t', ATTESTATION_COUNTS)} from answer_evidence.trust_tallies t where t.workspace_id = $1`,
      );
      return row === undefined ? undefined : { counts: row, isMacValid: isMacValid(vault, ATTESTATION_COUNTS, row) };
    },

    isHeadMacValid: (row) => equalSecrets(row.mac, macOfHead(row, vault.mac)),
    isIdempotencyMacValid: ({ scope, idempotency_key: key, object_id: objectId, fingerprint, mac }, macBytes) =>
      equalSecrets(mac, vault.mac('idempotency_keys', [scope, key, objectId, fingerprint]).subarray(0, macBytes)),
    isCredentialMacValid: (row) => equalSecrets(row.mac, vault.mac('member_credentials', credentialMacParts(row))),
    isProviderLinkMacValid: (row) => equalSecrets(row.mac, vault.mac('provider_links', providerLinkMacParts(row))),
    openSealed: (row) => Promise.resolve(openSealed(vault, row)),
    async recordKey(hashKeyId, salt) {
      return deriveRecordKey(await hashKeyOf(hashKeyId), salt);
    },
    fingerprintOf: (row) => Promise.resolve(vault.fingerprintOfHashKey(vault.openHashKey(row.id, row.wrapped_key))),
  };
}

/** From leaf 0 all tiles, at levels that no tree has as well; later the new ones of each level that a tree has. */
async function* readTilesFrom(query: Query, workspaceId: string, firstTile: (level: number) => number) {
  const whole = { batchSize: TILES_PER_BATCH };
  if (firstTile(0) === 0) yield* readTable(query, workspaceId, TILES, whole);
  else
    for (let level = 0; level < TILE_LEVELS; level++)
      yield* readTable(query, workspaceId, TILES, { ...whole, of: [level], behind: [firstTile(level) - 1] });
}
