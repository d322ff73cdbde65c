import type pg from 'pg';
import { formatHex } from '@answer-evidence/encoding';
import { CLAIM_MAC_BYTES } from '@answer-evidence/ledger';
import { type Clock, type KeyedRecord, newId, type OtlpStore, type RandomSource } from '@answer-evidence/ports';
import {
  type JobRow,
  OTLP_INBOX,
  OTLP_WAITING,
  type OtlpInboxRow,
  type OtlpWaitingRow,
  OUTBOX,
} from '@answer-evidence/tables';
import { formatInserts, type Statement } from '../append/insert-rows.ts';
import { sendTransaction } from '../append/send-transaction.ts';
import { constraintOf, isConnectionFailure } from '../failures.ts';
import { select } from '../rows/rows.ts';
import { connect, readRow, readRows, readWorkspace, toCallerError, writeRows, writeWorkspace } from '../session.ts';
import { createFateStore } from './otlp-fates.ts';
import { createIgnoredStore } from './otlp-ignored.ts';
import { createOtlpTraceStore, formatArrivals } from './otlp-trace-store.ts';
import { listUnattached } from './otlp-unattached.ts';
import { writeRoutedItems } from './write-routed-items.ts';

/** About how much of waiting items is brought at once: each may be some hundred kilobytes. */
const RIPE_BYTES_MAX = 8 * 1024 * 1024;

/** What came over OTLP. `onJobs` is called when jobs about it are committed. */
export function createOtlpStore(deps: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly onJobs: () => void;
}): OtlpStore {
  const { pool } = deps;
  return {
    ...createIgnoredStore(pool),
    ...createFateStore(pool),
    ...createOtlpTraceStore(pool),

    async accept(workspaceId, settingsVersion, batches, traces) {
      const now = deps.clock.nowMicros();
      const jobs = batches.map(({ id }): JobRow => ({
        id: newId(deps),
        topic: 'otlp.attach',
        subject: id,
        created_at: now,
        due_at: now,
      }));
      const isInForce = await sendAtOnce(pool, workspaceId, [
        {
          name: 'otlp_assert_settings',
          text: 'select answer_evidence.assert_settings($1, $2)',
          values: [workspaceId, settingsVersion],
        },
        // One row a statement: each may be megabytes.
        ...batches.flatMap((batch) => formatInserts(OTLP_INBOX, workspaceId, [batch])),
        ...formatInserts(OUTBOX, workspaceId, jobs),
        ...formatArrivals(workspaceId, traces),
      ]);
      if (!isInForce) return 'settings_changed';
      if (jobs.length > 0) deps.onJobs();
      return 'accepted';
    },

    async settle(workspaceId, settled) {
      // Most workspaces list nothing, and to name hundreds of items for that costs about as much as to record some.
      const listed = await readRow(
        pool,
        'otlp_listed',
        'select from answer_evidence.otlp_unattached where workspace_id = $1 limit 1',
        [workspaceId],
      );
      if (listed === undefined) return;
      await writeWorkspace(pool, workspaceId, (query) =>
        writeRoutedItems(query, workspaceId, { waiting: [], unattached: [], settled }),
      );
    },

    findBatch: (workspaceId, batchId) =>
      readRow<OtlpInboxRow>(
        pool,
        'otlp_batch',
        `select ${select('i', OTLP_INBOX)} from answer_evidence.otlp_inbox i where i.workspace_id = $1 and i.id = $2`,
        [workspaceId, batchId],
      ),

    finishBatch: (workspaceId, batchId, routed) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await writeRoutedItems(query, workspaceId, routed);
        await query('otlp_finish_batch', 'delete from answer_evidence.otlp_inbox where workspace_id = $1 and id = $2', [
          workspaceId,
          batchId,
        ]);
      }),

    async findAbandoned(workspaceId, receivedBefore, limit) {
      const rows = await readRows<{ id: string }>(
        pool,
        'otlp_abandoned',
        `select i.id from answer_evidence.otlp_inbox i
             where i.workspace_id = $1 and i.received_at < $2 and not exists (
               select from (select x.subject from answer_evidence.outbox x
                   where x.workspace_id = $1 and x.topic = 'otlp.attach' offset 0) o where o.subject = i.id)
             order by i.received_at limit $3`,
        [workspaceId, receivedBefore, limit],
      );
      return rows.map(({ id }) => id);
    },

    // Each lookup is fenced: without statistics the planner compares each key with each record.
    findRecords: (workspaceId, keys) =>
      readWorkspace(pool, workspaceId, async (query) => {
        if (keys.length === 0) return [];
        const rows = await query<FoundRecord>(
          'otlp_records',
          `select r.id, asked.application_key, asked.idempotency_key, k.fingerprint, r.question_hash, r.question_hash_key_id,
                  r.answer_hash, r.answer_hash_key_id, c.wrapped_key, c.texts, case when c.texts is null then c.items end as items
             from (
               select distinct on (application_key, idempotency_key) *
                 from unnest($2::text[], $3::text[], $4::text[]) as a (application_key, idempotency_key, call)
                 order by application_key, idempotency_key, call
             ) asked
             cross join lateral (
               select coalesce(
                 (select u.id from answer_evidence.answer_records u where u.workspace_id = $1
                    and u.idempotency_key = asked.idempotency_key and u.application_key = asked.application_key),
                 (select s.record_id from answer_evidence.otlp_calls s
                    where s.workspace_id = $1 and s.call = decode(asked.call, 'hex'))) as id
               offset 0
             ) found
             cross join lateral (
               select * from answer_evidence.answer_records r where r.workspace_id = $1 and r.id = found.id offset 0
             ) r
             cross join lateral (
               select substring(r.key_claim from ${CLAIM_MAC_BYTES + 1}) as fingerprint where r.key_claim is not null
               union all
               select k.fingerprint from answer_evidence.idempotency_keys k where k.workspace_id = $1
                 and k.scope = 'record:' || r.application_key and k.idempotency_key = r.idempotency_key
                 and r.key_claim is null
               offset 0
             ) k
             left join answer_evidence.sealed_contents c on c.workspace_id = $1 and c.object_id = r.id`,
          [
            workspaceId,
            keys.map((key) => key.applicationKey),
            keys.map((key) => key.idempotencyKey),
            keys.map(({ call = null }) => call && formatHex(call)),
          ],
        );
        return rows.map(recordOf);
      }),

    findRipe: (workspaceId, nowMicros, limit) =>
      readRows<OtlpWaitingRow>(
        pool,
        'otlp_ripe',
        `with ripe as (
             (select w.id, octet_length(w.item) as size from answer_evidence.otlp_waiting w
                cross join lateral (
                  select from answer_evidence.answer_records r where r.workspace_id = $1
                    and r.idempotency_key = w.idempotency_key and r.application_key = w.application_key limit 1) as used
                where w.workspace_id = $1 limit $3)
             union
             (select w.id, octet_length(w.item) from answer_evidence.otlp_waiting w
                where w.workspace_id = $1 and w.due_at <= $2 order by w.due_at limit $3)
           ), summed as (
             select ripe.id, sum(ripe.size) over (order by ripe.id) - ripe.size as before from ripe order by ripe.id limit $3
           )
           select ${select('w', OTLP_WAITING)} from summed
             join answer_evidence.otlp_waiting w on w.workspace_id = $1 and w.id = summed.id
             where summed.before < $4`,
        [workspaceId, nowMicros, limit, RIPE_BYTES_MAX],
      ),

    finishWaiting: (workspaceId, waitingIds, routed) =>
      writeWorkspace(pool, workspaceId, async (query) => {
        await writeRoutedItems(query, workspaceId, routed);
        await query(
          'otlp_finish_waiting',
          'delete from answer_evidence.otlp_waiting where workspace_id = $1 and id = any($2::uuid[])',
          [workspaceId, waitingIds],
        );
      }),

    listUnattached: (workspaceId, filters, page) =>
      readWorkspace(pool, workspaceId, (query) => listUnattached(query, workspaceId, filters, page)),

    forgetUnattached: (workspaceId, before) =>
      writeRows(
        pool,
        'otlp_forget_unattached',
        'delete from answer_evidence.otlp_unattached where workspace_id = $1 and unattached_at < $2',
        [workspaceId, before],
      ),

    forgetCalls: (workspaceId, before) =>
      writeRows(
        pool,
        'otlp_forget_calls',
        'delete from answer_evidence.otlp_calls where workspace_id = $1 and recorded_at < $2',
        [workspaceId, before],
      ),

    async backlog(workspaceId) {
      const row = await readRow<Backlog>(
        pool,
        'otlp_backlog',
        `select count(*) as batches, coalesce(sum(i.item_count), 0)::bigint as items, min(i.received_at) as oldest,
                  (select count(*) from answer_evidence.otlp_waiting w where w.workspace_id = $1) as waiting,
                  (select count(*) from answer_evidence.otlp_traces t where t.workspace_id = $1 and t.is_open) as traces,
                  (select min(t.opened_at) from answer_evidence.otlp_traces t
                     where t.workspace_id = $1 and t.is_open) as opened
             from answer_evidence.otlp_inbox i where i.workspace_id = $1`,
        [workspaceId],
      );
      return {
        batches: row?.batches ?? 0,
        items: row?.items ?? 0,
        oldestReceivedAt: row?.oldest ?? undefined,
        waiting: row?.waiting ?? 0,
        openTraces: row?.traces ?? 0,
        oldestOpenedAt: row?.opened ?? undefined,
      };
    },
  };
}

type Backlog = {
  readonly batches: number;
  readonly items: number;
  readonly oldest: number | null;
  readonly waiting: number;
  readonly traces: number;
  readonly opened: number | null;
};

type FoundRecord = {
  readonly id: string;
  readonly application_key: string;
  readonly idempotency_key: string;
  readonly fingerprint: Uint8Array;
  readonly question_hash: string;
  readonly question_hash_key_id: string | null;
  readonly answer_hash: string;
  readonly answer_hash_key_id: string | null;
  readonly wrapped_key: Uint8Array | null;
  readonly texts: Uint8Array | null;
  /** Where they may be sealed with the texts, as one. */
  readonly items: Uint8Array | null;
};

function recordOf(row: FoundRecord): KeyedRecord {
  return {
    id: row.id,
    applicationKey: row.application_key,
    idempotencyKey: row.idempotency_key,
    fingerprint: row.fingerprint,
    question: { hash: row.question_hash, hashKeyId: row.question_hash_key_id },
    answer: { hash: row.answer_hash, hashKeyId: row.answer_hash_key_id },
    sealed: row.wrapped_key === null ? undefined : { wrapped_key: row.wrapped_key, texts: row.texts, items: row.items },
  };
}

/** Sends statements as one transaction in one round trip. False: the settings have changed, and nothing was kept. */
async function sendAtOnce(pool: pg.Pool, workspaceId: string, statements: readonly Statement[]): Promise<boolean> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    await sendTransaction(client, workspaceId, statements);
    return true;
  } catch (error) {
    if (constraintOf(error) === 'settings_version') return false;
    if (isConnectionFailure(error)) broken = error instanceof Error ? error : new Error('the connection failed');
    throw toCallerError(error);
  } finally {
    client.release(broken);
  }
}
