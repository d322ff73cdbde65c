import pg from 'pg';
import { createMasterKey, createMasterVault, systemClock, systemRandom } from '@answer-evidence/node-crypto';
import type { Workspace } from '@answer-evidence/ports';
import {
  createReconciliationStore,
  createWorkspace,
  createWorkspaceDirectory,
  migrate,
  openLogins,
  openPool,
  sealRows,
} from '@answer-evidence/postgres';

/** A workspace in a database of its own, whose records are made by SQL. */
export type Scratch = {
  readonly workspace: Workspace;
  readonly store: ReturnType<typeof createReconciliationStore>;
  /** Connections of the service's role. */
  readonly pool: pg.Pool;
  /** A superuser's connection. */
  readonly owner: pg.Client;
  /** Makes records until there are so many, one a second; returns the size of the log. */
  fillTo(records: number): Promise<number>;
  close(): Promise<void>;
};

/** The application whose records these are. */
export const APPLICATION = 'support-bot';
/** When the n-th record was created, in microseconds. */
export const createdAt = (n: number): number => BEGIN + n * 1_000_000;

const BEGIN = 1_760_000_000_000_000;
const RECORDS_PER_STATEMENT = 50_000;
// Leaf hashes are no hashes here: a decision reads times, places and columns.
const FILL = `with made as (
    select n, overlay(md5('record ' || n) placing '7' from 13)::uuid as id, $1::uuid as workspace
      from generate_series($2::bigint, $3::bigint) as n),
  leaves as (
    insert into answer_evidence.ledger_leaves
      select workspace, n + $4::bigint, 'answer_recorded', id, id, 0, sha256(id::text::bytea), ${BEGIN} + n * 1000000,
          sha256(id::text::bytea) from made)
  insert into answer_evidence.answer_records
    (workspace_id, leaf_index, id, nonce, application_key, environment, idempotency_key, external_message_id, question_hash,
     question_text_state, answer_hash, answer_text_state, semantic_refs_json, source_refs_json, evidence_access_event_ids_json,
     external_trace_id, retention_until, created_by_json, settings_version)
    select workspace, n + $4::bigint, id, decode(md5(n::text), 'hex'), '${APPLICATION}', 'production', 'message-' || n,
        'message-' || n, 'sha256:' || encode(sha256(('question ' || n)::bytea), 'hex'), 'discarded',
        'sha256:' || encode(sha256(('answer ' || n)::bytea), 'hex'), 'discarded', '[]', '[]', '[]', md5(n::text),
        1900000000000000, '{"id":"${APPLICATION}","kind":"application","token_id":null}', 1
      from made`;

/**
 * Makes the records `from` up to `to` of a workspace by SQL, over a superuser's connection without triggers. The n-th
 * has the leaf n after those that were there before.
 */
export async function fillRecords(
  owner: pg.Client,
  workspaceId: string,
  leavesBefore: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let begin = from; begin < to; begin += RECORDS_PER_STATEMENT)
    await owner.query(FILL, [workspaceId, begin, Math.min(begin + RECORDS_PER_STATEMENT, to) - 1, leavesBefore]);
  await owner.query('vacuum analyze answer_evidence.answer_records');
  await owner.query('vacuum analyze answer_evidence.ledger_leaves');
}

/** Makes the database on the server of this URL and drops it at the end. */
export async function openScratch(serverUrl: string): Promise<Scratch> {
  const name = 'reconciliation_bench';
  const admin = new pg.Client({ connectionString: serverUrl });
  // Its server may be stopped first, after an error or an interrupt.
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const vault = createMasterVault(createMasterKey());
  const ownerPool = openPool({ url: url.href, role: 'owner', connectionsMax: 1, onError: () => undefined });
  const logins = await openLogins(url.href, ownerPool, vault.passwordOf);
  await ownerPool.end();
  const pool = openPool({
    url: logins.answer_evidence_app,
    role: 'answer_evidence_app',
    connectionsMax: 4,
    onError: () => undefined,
  });
  // What a first start writes down.
  await pool.query('insert into answer_evidence.installation (master_key_check) values ($1)', [new Uint8Array(1)]);
  await sealRows(pool, vault);
  const deps = { vault, clock: systemClock, random: systemRandom };
  const { workspaceId } = await createWorkspace(pool, deps, {
    slug: 'bench',
    displayName: 'Bench',
    host: 'bench.example',
    member: { username: 'mia', role: 'manager' },
  });
  const directory = createWorkspaceDirectory(pool, deps.vault);
  const owner = new pg.Client({ connectionString: url.href });
  owner.on('error', () => undefined);
  await owner.connect();
  // The leaves of a new log are from today; the records lie before, and times ascend.
  await owner.query('set session_replication_role = replica');
  const { rowCount } = await owner.query(
    `update answer_evidence.ledger_leaves set at = ${BEGIN} - 1000 + leaf_index where workspace_id = $1`,
    [workspaceId],
  );
  const leavesBefore = rowCount ?? 0;
  let filled = 0;
  return {
    workspace: await directory.get(workspaceId),
    store: createReconciliationStore({
      pool,
      directory,
      ...deps,
      onJobs: () => undefined,
      turn: () => Promise.resolve(),
    }),
    pool,
    owner,
    async fillTo(records) {
      await fillRecords(owner, workspaceId, leavesBefore, { from: filled, to: records });
      filled = Math.max(filled, records);
      return filled + leavesBefore;
    },
    async close() {
      await owner.end();
      await pool.end();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
