import type pg from 'pg';
import type { EntryType, RecordStatus } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import {
  type AppendCommand,
  CLAIM_MAC_BYTES,
  idempotencyId,
  type LoadedState,
  type RecordState,
  traceKey,
  type TracePlace,
} from '@answer-evidence/ledger';
import { StoredDamageError } from '@answer-evidence/ports';
import { type HeadRow, listedOf, type ListedRecord } from '@answer-evidence/tables';
import { queryOn } from '../session.ts';
import { fenceQuery } from '../workspace-setting.ts';
import { type ApprovalFound, queryApprovals, readEntriesSince, readMemberChanges } from './read-approvals.ts';
import { queryEvidence } from './read-evidence.ts';
import { readMembers } from './read-members.ts';

/** The head of a log, whose lock this transaction holds. */
export type LockedHead = {
  readonly row: HeadRow | undefined;
  /** How often the log's keys have been changed below it. */
  readonly keyChanges: number;
};

/** Is told how long the lock of the head was waited for, with the way there and back, and the size of the tree. */
export type LockListener = (waitedMs: number, treeSize: number | undefined) => void;

/** What a batch needs to know, read under the head lock. */
export type BatchReads = {
  readonly known: LoadedState;
  /** First leaf of each command that turned out to be appended already, by its first entry's id. */
  readonly appended: ReadonlyMap<string, number>;
};

type IdempotencyFound = { scope: string; idempotency_key: string; object_id: string; fingerprint: Uint8Array | null };
type TraceFound = TracePlace & { readonly id: string };
type TokenFound = { id: string; revoked: boolean; good_until: number | null };
type NameFound = { name: string; id: string; expires_at: number };
type RecordFound = ListedRecord & {
  id: string;
  record_hash: Uint8Array;
  status: RecordStatus | null;
  sequence: number | null;
  event_hash: Uint8Array | null;
  expiries: number;
};

/**
 * Opens a transaction and locks the head, in one round trip: the statements are pipelined, and each sees what was
 * committed when it runs, so after the lock was given. Locking first is what makes deadlocks impossible.
 */
export async function lockHead(
  client: pg.ClientBase,
  workspaceId: string,
  onLocked?: LockListener,
): Promise<LockedHead> {
  const sentAt = performance.now();
  const [, , heads, changes] = await settle([
    client.query('begin'),
    client.query(fenceQuery(client, 'answer_evidence.workspace_id', workspaceId)),
    client
      .query<HeadRow>({
        name: 'lock_head',
        text: `select tree_size, right_edge, last_at, settings_version, mac from answer_evidence.ledger_heads
        where workspace_id = $1 for update`,
        values: [workspaceId],
      })
      .then((locked) => {
        onLocked?.(performance.now() - sentAt, locked.rows[0]?.tree_size);
        return locked;
      }),
    // Which keys sign is asked always: another process may have changed them.
    querySeries(client, workspaceId, ['ledger_key_changed']),
  ] as const);
  return { row: heads.rows[0], keyChanges: changes.rows[0]?.seq ?? 0 };
}

/** Both in one round trip: what `lockHead` does, and then what `readKnown` does. */
export async function lockAndRead(
  client: pg.ClientBase,
  workspaceId: string,
  commands: readonly AppendCommand[],
  again: boolean,
  onLocked?: LockListener,
): Promise<LockedHead & BatchReads> {
  const [locked, read] = await settle([
    lockHead(client, workspaceId, onLocked),
    readKnown(client, workspaceId, commands, again),
  ] as const);
  return { ...locked, ...read };
}

/**
 * Reads what the commands ask for, in the transaction that holds the head. `again`: the batch was sent before and its
 * outcome was lost, so its ids are looked up too.
 *
 * Each look-up is fenced (`offset 0`, or an order and a limit): plans are kept, and one from when the tables were empty
 * would join all rows of a workspace until the first ANALYZE. To a planner that takes a table for a handful of rows any
 * of its indexes will do, so where a table has several, the order says which.
 */
export async function readKnown(
  client: pg.ClientBase,
  workspaceId: string,
  commands: readonly AppendCommand[],
  again: boolean,
): Promise<BatchReads> {
  const keys = commands.flatMap((command) =>
    command.reads.idempotency === undefined ? [] : [command.reads.idempotency],
  );
  const calls = commands.flatMap((command) => command.reads.call ?? []);
  const recordIds = commands.flatMap((command) => command.reads.recordId ?? []);
  const traces = commands.flatMap((command) => command.reads.trace ?? []);
  const tokenIds = commands.flatMap((command) => command.reads.tokenId ?? []);
  const readsMembers = commands.some((command) => command.reads.members === true);
  const tokenNames = commands.flatMap((command) => command.reads.tokenName ?? []);
  const series = [...new Set(commands.flatMap(({ reads }) => reads.series ?? []))];
  const approvalIds = commands.flatMap((command) => command.reads.approvalId ?? []);
  const changesSince = Math.min(...commands.map(({ reads }) => reads.memberChangesSince ?? Infinity));
  const exportsSince = Math.min(...commands.map(({ reads }) => reads.exportsSince ?? Infinity));
  const sent = commands.filter((command) => command.entryIds.length > 0);
  const none = Promise.resolve({ rows: [] as never[] });
  const query = queryOn(client);

  const [
    idempotency,
    called,
    records,
    attached,
    tokens,
    names,
    live,
    newest,
    members,
    approvals,
    changes,
    exported,
    appended,
    evidence,
  ] = await settle([
    keys.length === 0
      ? none
      : client.query<IdempotencyFound>({
          name: 'find_idempotency',
          text: `select asked.scope, asked.idempotency_key, k.object_id, k.fingerprint
            from unnest($2::text[], $3::text[]) as asked (scope, idempotency_key)
            cross join lateral (
              select x.object_id, x.fingerprint from answer_evidence.idempotency_keys x where x.workspace_id = $1
                and x.scope = asked.scope and x.idempotency_key = asked.idempotency_key
              union all
              select x.id, substring(x.key_claim from ${CLAIM_MAC_BYTES + 1}) from answer_evidence.answer_records x
                where x.workspace_id = $1 and x.idempotency_key = asked.idempotency_key
                  and 'record:' || x.application_key = asked.scope and (x.key_claim is not null or not exists (
                    select from answer_evidence.idempotency_keys y where y.workspace_id = $1
                      and y.scope = asked.scope and y.idempotency_key = asked.idempotency_key))
              offset 0) k`,
          values: [workspaceId, keys.map((key) => key.scope), keys.map((key) => key.key)],
        }),
    calls.length === 0
      ? none
      : client.query<{ call: Uint8Array; record_id: string }>({
          name: 'find_calls',
          text: `select c.call, c.record_id from unnest($2::text[]) as asked (call)
            cross join lateral (select * from answer_evidence.otlp_calls x
              where x.workspace_id = $1 and x.call = decode(asked.call, 'hex') offset 0) c`,
          values: [workspaceId, calls],
        }),
    recordIds.length === 0
      ? none
      : client.query<RecordFound>({
          name: 'find_record_states',
          text: `select r.id, r.leaf_index, r.application_key, r.environment, r.mode, r.actor_id_hash,
              l.hash as record_hash, s.status, e.sequence, h.hash as event_hash, x.expiries
            from unnest($2::uuid[]) as asked (id)
            cross join lateral (select * from answer_evidence.answer_records x
              where x.workspace_id = $1 and x.id >= asked.id order by x.id limit 1) r
            cross join lateral (select l.hash from answer_evidence.ledger_leaves l
              where l.workspace_id = $1 and l.subject = asked.id and l.id = asked.id
                and l.type = 'answer_recorded' offset 0) l
            left join lateral (select s.status from answer_evidence.record_states s
              where s.workspace_id = $1 and s.record_id = asked.id offset 0) s on true
            left join lateral (select e.id, e.sequence from answer_evidence.lifecycle_events e
              where e.workspace_id = $1 and e.record_id = asked.id order by e.sequence desc limit 1) e on true
            left join lateral (select h.hash from answer_evidence.ledger_leaves h
              where h.workspace_id = $1 and h.subject = asked.id and h.id = e.id offset 0) h on true
            cross join lateral (select count(*) as expiries from answer_evidence.text_expiries x
              where x.workspace_id = $1 and x.record_id = asked.id) x
            where r.id = asked.id`,
          values: [workspaceId, recordIds],
        }),
    traces.length === 0
      ? none
      : client.query<TraceFound>({
          name: 'find_traces',
          text: `select t.record_id, t.trace_id, t.span_id, t.id
            from unnest($2::uuid[], $3::text[], $4::text[]) as asked (record_id, trace_id, span_id)
            cross join lateral (select * from answer_evidence.trace_attachments x
              where x.workspace_id = $1 and x.record_id = asked.record_id and x.trace_id = asked.trace_id
                and coalesce(x.span_id, '') = asked.span_id offset 0) t`,
          values: [
            workspaceId,
            traces.map((trace) => trace.record_id),
            traces.map((trace) => trace.trace_id),
            traces.map((trace) => trace.span_id ?? ''),
          ],
        }),
    tokenIds.length === 0
      ? none
      : client.query<TokenFound>({
          name: 'find_token_states',
          text: `select id, revoked_at is not null as revoked, case when cut_at is null then overlap_until end as good_until
            from answer_evidence.tokens
            where workspace_id = $1 and id = any($2::uuid[])`,
          values: [workspaceId, tokenIds],
        }),
    tokenNames.length === 0
      ? none
      : client.query<NameFound>({
          name: 'find_token_names',
          text: `select distinct on (name) name, id, expires_at from answer_evidence.tokens
            where workspace_id = $1 and name = any($2::text[]) and revoked_at is null order by name, expires_at desc`,
          values: [workspaceId, tokenNames],
        }),
    tokenNames.length === 0
      ? none
      : client.query<{ live: number }>({
          name: 'count_live_tokens',
          text: `select count(*) as live from answer_evidence.tokens
            where workspace_id = $1 and revoked_at is null
              and expires_at > (select last_at from answer_evidence.ledger_heads where workspace_id = $1)`,
          values: [workspaceId],
        }),
    series.length === 0 ? none : querySeries(client, workspaceId, series),
    readsMembers ? readMembers(query, workspaceId) : [],
    approvalIds.length === 0 ? none : queryApprovals(client, workspaceId, approvalIds),
    changesSince === Infinity ? [] : readMemberChanges(query, workspaceId, changesSince),
    exportsSince === Infinity ? [] : readEntriesSince(query, workspaceId, 'export_made', exportsSince),
    again
      ? client.query<{ id: string; leaf_index: number }>({
          name: 'find_appended',
          text: `select l.id, l.leaf_index
            from unnest($2::uuid[], $3::uuid[]) as asked (subject, id)
            cross join lateral (select * from answer_evidence.ledger_leaves x
              where x.workspace_id = $1 and x.subject = asked.subject and x.id = asked.id offset 0) l`,
          values: [workspaceId, sent.map((command) => command.subject), sent.map((command) => command.entryIds[0])],
        })
      : none,
    queryEvidence(client, workspaceId, commands),
  ] as const);

  return {
    known: {
      idempotency: new Map(
        idempotency.rows.map((row: IdempotencyFound) => [
          idempotencyId(row.scope, row.idempotency_key),
          { objectId: row.object_id, fingerprint: fingerprintOf(row) },
        ]),
      ),
      calls: new Map(
        called.rows.map((row: { call: Uint8Array; record_id: string }) => [formatHex(row.call), row.record_id]),
      ),
      records: new Map(records.rows.map((row: RecordFound) => [row.id, recordState(row)])),
      traces: new Map(attached.rows.map((row: TraceFound) => [traceKey(row), row.id])),
      tokens: new Map(
        tokens.rows.map((row: TokenFound) => [
          row.id,
          { revoked: row.revoked, goodUntil: row.good_until ?? undefined },
        ]),
      ),
      tokenNames: new Map(
        names.rows.map((row: NameFound) => [row.name, { tokenId: row.id, expiresAt: row.expires_at }]),
      ),
      liveTokens: live.rows[0]?.live ?? 0,
      series: new Map(newest.rows.map((row: { type: EntryType; seq: number }) => [row.type, row.seq])),
      members,
      approvals: new Map(
        approvals.rows.flatMap(({ id, state }: ApprovalFound) => (state === null ? [] : [[id, state] as const])),
      ),
      openApprovals: approvals.rows[0]?.open ?? 0,
      memberChanges: changes,
      exports: exported,
      ...evidence,
    },
    appended: new Map(appended.rows.map((row: { id: string; leaf_index: number }) => [row.id, row.leaf_index])),
  };
}

/** A key that a record names and of which nothing is kept is damage: what it was used for cannot be compared. */
function fingerprintOf({ fingerprint, object_id: objectId }: IdempotencyFound): Uint8Array {
  if (fingerprint === null)
    throw new StoredDamageError(`what the idempotency key of the record ${objectId} was used for is missing`);
  return fingerprint;
}

/** The newest number of each of these series of workspace entries. */
function querySeries(client: pg.ClientBase, workspaceId: string, series: readonly EntryType[]) {
  return client.query<{ type: EntryType; seq: number }>({
    name: 'find_series',
    text: `select type, max(seq) as seq from answer_evidence.workspace_entries
        where workspace_id = $1 and type = any($2::text[]) group by type`,
    values: [workspaceId, series],
  });
}

function recordState(row: RecordFound): RecordState {
  return {
    listed: listedOf(row),
    status: row.status ?? 'recorded',
    sequence: row.sequence ?? 0,
    lastHash: `sha256:${formatHex(row.event_hash ?? row.record_hash)}`,
    expiries: row.expiries,
  };
}

/**
 * Waits for a whole pipeline, then throws its first error. The statements after a failed one fail too, and none may be
 * unobserved or in flight when the connection is released.
 */
export async function settle<T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason as Error;
  return results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)) as never;
}
