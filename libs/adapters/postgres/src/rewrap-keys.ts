import pg from 'pg';
import type { MasterVault } from '@answer-evidence/ports';
import { INSTALLATION, type Table, TOKEN_KEYS, WORKSPACES } from '@answer-evidence/tables';
import { openOwnerClient } from './open-owner-client.ts';
import { isMacValid, macOfRow } from './rows/row-macs.ts';
import { countConnections, letConnectionsEnd } from './service-connections.ts';

type RowVault = Pick<MasterVault, 'mac'>;

/** What is wrapped by the master key, as functions that wrap it by another one. */
export type Rewrap = {
  check(wrapped: Uint8Array): Uint8Array;
  tokenKey(kid: string, wrapped: Uint8Array): Uint8Array;
  workspace(
    id: string,
    wrappedKey: Uint8Array,
    wrappedLedgerSeed: Uint8Array,
  ): { readonly wrappedKey: Uint8Array; readonly wrappedLedgerSeed: Uint8Array };
  /** Both vaults, for the rows' MACs: what holds under the first is made anew under the second. */
  readonly from: MasterVault;
  readonly to: MasterVault;
};

const INT8_OID = 20;

/** MACs are over numbers, also over one that is no safe integer and so does not hold. */
const NUMBERS = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8_OID && format !== 'binary' ? Number : (pg.types.getTypeParser(oid, format as 'text') as unknown),
};

const SCHEMA_MISSING = `select to_regclass('answer_evidence.installation') is null as missing`;

/**
 * Wraps everything that the master key wraps by another one, in one transaction: either all of it is under the old key
 * or all under the new. `decide` gets the value that recognises a key, under the lock; it returns how to rewrap, or
 * undefined when there is nothing to do. No process of the service may run: it holds the old key in memory. Returns how
 * many are connected instead.
 */
export async function rewrapKeys(
  url: string,
  decide: (check: Uint8Array) => Promise<Rewrap | undefined>,
): Promise<'done' | 'nothing-to-do' | 'empty' | { readonly connected: number }> {
  const own = { lock_timeout: '5s' };
  const client = await openOwnerClient(url, { application_name: 'answer-evidence-rewrap', types: NUMBERS, own });
  try {
    const { rows: schema } = await client.query<{ missing: boolean }>(SCHEMA_MISSING);
    if (schema[0]?.missing === true) return 'empty';
    await letConnectionsEnd(client);
    await client.query('begin');
    // A process that starts now waits here for its first read and then reads the new value.
    await client.query('lock table answer_evidence.installation in access exclusive mode');
    const connected = await countConnections(client);
    if (connected > 0) return { connected };
    const { rows: installations } = await client.query<{ master_key_check: Uint8Array }>(
      'select master_key_check from answer_evidence.installation',
    );
    const [installation] = installations;
    if (installation === undefined) return 'empty';
    const rewrap = await decide(installation.master_key_check);
    if (rewrap === undefined) return 'nothing-to-do';
    await rewrapAll(client, rewrap);
    await client.query('commit');
    // The wrappings by the old key are no use to anybody now; they need not stay in free pages.
    for (const table of ['installation', 'token_signing_keys', 'workspaces'])
      await client.query(`vacuum (full) answer_evidence.${table}`);
    return 'done';
  } finally {
    // Without a commit everything is undone.
    await client.end();
  }
}

/** A row with its MAC. `undefined`: the database is from before rows had MACs; then the next start seals them. */
type Stored<Row> = Row & { readonly mac: Uint8Array | null | undefined };

/** Every wrapping, and every MAC that the new key changes. A MAC that does not hold now does not hold afterwards. */
async function rewrapAll(client: pg.Client, rewrap: Rewrap): Promise<void> {
  const { from, to } = rewrap;

  /** Writes what changes of a row, and its MAC under the new key where it held under the old one. */
  async function replace<Row extends object>(
    table: Table<Row>,
    row: Stored<Row>,
    changes: Partial<Row>,
    vaults: { readonly from: RowVault; readonly to: RowVault } = { from, to },
  ): Promise<void> {
    const { mac, ...before } = row;
    const isSealed = mac !== null && mac !== undefined && isMacValid(vaults.from, table, { ...row, mac });
    const after = { ...before, ...changes };
    const changed = { ...changes, ...(isSealed ? { mac: macOfRow(vaults.to, table, after as unknown as Row) } : {}) };
    const columns = Object.keys(changed);
    const where = table.key.map((column, n) => `${column} = $${columns.length + n + 1}`);
    await client.query(
      `update answer_evidence.${table.name} set ${columns.map((column, n) => `${column} = $${n + 1}`).join(', ')}
         where ${['true', ...where].join(' and ')}`,
      [...Object.values(changed), ...table.key.map((column) => row[column])],
    );
  }

  for (const row of await stored(client, INSTALLATION))
    await replace(INSTALLATION, row, { master_key_check: rewrap.check(row.master_key_check) });
  for (const row of await stored(client, TOKEN_KEYS))
    await replace(TOKEN_KEYS, row, { wrapped_seed: rewrap.tokenKey(row.kid, row.wrapped_seed) });
  for (const row of await stored(client, WORKSPACES)) {
    const fresh = rewrap.workspace(row.id, row.wrapped_key, row.wrapped_ledger_seed);
    // The MAC is under the workspace's own key, which stays what it is.
    const vault = from.openWorkspace(row.id, row.wrapped_key, row.wrapped_ledger_seed);
    const wrapped = { wrapped_key: fresh.wrappedKey, wrapped_ledger_seed: fresh.wrappedLedgerSeed };
    await replace(WORKSPACES, row, wrapped, { from: vault, to: vault });
  }
}

async function stored<Row extends object>(client: pg.Client, { name }: Table<Row>): Promise<readonly Stored<Row>[]> {
  return (await client.query<Stored<Row>>(`select * from answer_evidence.${name} for update`)).rows;
}
