import pg from 'pg';
import { countConnections } from './service-connections.ts';

/** What is wrapped by the master key, as functions that wrap it by another one. */
export type Rewrap = {
  check(wrapped: Uint8Array): Uint8Array;
  tokenKey(kid: string, wrapped: Uint8Array): Uint8Array;
  workspace(
    id: string,
    wrappedKey: Uint8Array,
    wrappedLedgerSeed: Uint8Array,
  ): { readonly wrappedKey: Uint8Array; readonly wrappedLedgerSeed: Uint8Array };
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
  const client = new pg.Client({ connectionString: url, application_name: 'answer-evidence-rewrap' });
  // A broken connection also rejects the running query; this keeps it from ending the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`set lock_timeout = '5s'; set statement_timeout = 0; set synchronous_commit = on`);
    const { rows: schema } = await client.query<{ missing: boolean }>(SCHEMA_MISSING);
    if (schema[0]?.missing === true) return 'empty';
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
    await client.query('update answer_evidence.installation set master_key_check = $1', [
      rewrap.check(installation.master_key_check),
    ]);
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

async function rewrapAll(client: pg.Client, rewrap: Rewrap): Promise<void> {
  const { rows: tokenKeys } = await client.query<{ kid: string; wrapped_seed: Uint8Array }>(
    'select kid, wrapped_seed from answer_evidence.token_signing_keys for update',
  );
  for (const { kid, wrapped_seed: wrapped } of tokenKeys)
    await client.query('update answer_evidence.token_signing_keys set wrapped_seed = $2 where kid = $1', [
      kid,
      rewrap.tokenKey(kid, wrapped),
    ]);
  const { rows: workspaces } = await client.query<{
    id: string;
    wrapped_key: Uint8Array;
    wrapped_ledger_seed: Uint8Array;
  }>('select id, wrapped_key, wrapped_ledger_seed from answer_evidence.workspaces for update');
  for (const row of workspaces) {
    const fresh = rewrap.workspace(row.id, row.wrapped_key, row.wrapped_ledger_seed);
    await client.query(
      'update answer_evidence.workspaces set wrapped_key = $2, wrapped_ledger_seed = $3 where id = $1',
      [row.id, fresh.wrappedKey, fresh.wrappedLedgerSeed],
    );
  }
}
