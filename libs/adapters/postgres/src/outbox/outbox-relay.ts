import type pg from 'pg';
import type { Job, WorkspaceTopic } from '@answer-evidence/contracts';
import type { Clock, OutboxRelay } from '@answer-evidence/ports';
import { queryOnce, writeInstallation } from '../session.ts';

type DueRow = {
  readonly workspace_id: string;
  readonly id: string;
  readonly topic: WorkspaceTopic;
  readonly subject: string | null;
  readonly generation: number;
};

type BacklogRow = {
  readonly topic: string;
  readonly undispatched: number | null;
  readonly undone: number | null;
  readonly jobs: number;
  readonly dead_letters: number;
};

/** By how much the clocks of two processes may differ, in microseconds. */
const SKEW_MICROS_MAX = 60_000_000;
/** Longer than any pause after a failed attempt, in microseconds. */
const PAUSE_MICROS_MAX = 1_200_000_000;

const OF_JOB = 'workspace_id = $1 and id = $2';

/** The outbox over connections of `answer_evidence_relay`, the role that sees the ids of every workspace's jobs. */
export function createOutboxRelay({ pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock }): OutboxRelay {
  /** Changes one job, named by the first two parameters. */
  async function change(name: string, text: string, job: Job, values: readonly unknown[]): Promise<void> {
    // A job without a workspace comes from a schedule and has no row.
    if (job.workspace_id === null) return;
    await queryOnce(pool, { name, text, values: [job.workspace_id, job.id, ...values] });
  }

  return {
    async dispatch(topics, limit, deliver) {
      let refusal: { readonly error: unknown } | undefined;
      const dispatched = await writeInstallation(pool, async (query) => {
        const now = clock.nowMicros();
        const rows = await query<DueRow>(
          'outbox_due',
          `select workspace_id, id, topic, subject, generation from answer_evidence.outbox
             where dispatched_at is null and due_at <= $1 and topic = any($2)
             order by due_at, id limit $3 for update skip locked`,
          [now, topics, limit],
        );
        if (rows.length === 0) return 0;
        try {
          await deliver(rows.map(({ generation, ...job }) => ({ id: `${job.id}-${generation}`, job })));
        } catch (error) {
          // The queue's fault and not the database's: nothing was changed, and this connection is as good as before.
          refusal = { error };
          return 0;
        }
        // A worker that has begun waits for the row lock of this transaction, and finds the row as it is left.
        await query(
          'outbox_dispatched',
          `update answer_evidence.outbox o set dispatched_at = $1
             from unnest($2::uuid[], $3::uuid[]) d (workspace_id, id)
             where o.workspace_id = d.workspace_id and o.id = d.id`,
          [now, rows.map(({ workspace_id: workspaceId }) => workspaceId), rows.map(({ id }) => id)],
        );
        return rows.length;
      });
      if (refusal !== undefined) throw refusal.error;
      return dispatched;
    },

    async begin(job) {
      if (job.workspace_id === null) return undefined;
      const { rows } = await queryOnce<{ subject: string | null; created_at: number; attempts: number }>(pool, {
        name: 'outbox_begin',
        text: `update answer_evidence.outbox set attempts = attempts + 1 where ${OF_JOB} and topic = $3
          returning subject, created_at, attempts`,
        values: [job.workspace_id, job.id, job.topic],
      });
      const [row] = rows;
      if (row === undefined) return undefined;
      // The row, and not what came through the queue, says what the job is about.
      return { job: { ...job, subject: row.subject }, number: row.attempts, createdAt: row.created_at };
    },

    finish: (job) => change('outbox_finish', `delete from answer_evidence.outbox where ${OF_JOB}`, job, []),

    postpone: (job, dueAt) =>
      change(
        'outbox_postpone',
        `update answer_evidence.outbox set due_at = $3, dispatched_at = null, generation = generation + 1 where ${OF_JOB}`,
        job,
        [dueAt],
      ),

    release: (job) =>
      change(
        'outbox_release',
        `update answer_evidence.outbox set dispatched_at = null, generation = generation + 1,
           attempts = greatest(attempts - 1, 0) where ${OF_JOB}`,
        job,
        [],
      ),

    bury: (job, reason) =>
      change(
        'outbox_bury',
        `with given_up as (delete from answer_evidence.outbox where ${OF_JOB} returning *)
         insert into answer_evidence.dead_letters as d
             (workspace_id, id, topic, subject, attempts, reason_code, reason_detail, created_at, failed_at)
           select workspace_id, id, topic, subject, attempts, $3, $4, created_at, $5 from given_up
           on conflict (workspace_id, id) do update set attempts = d.attempts + excluded.attempts,
             reason_code = excluded.reason_code, reason_detail = excluded.reason_detail,
             failed_at = excluded.failed_at, replayed_at = null`,
        job,
        [reason.code, reason.detail, clock.nowMicros()],
      ),

    async recall(dispatchedBefore, limit) {
      const { rowCount } = await queryOnce(pool, {
        name: 'outbox_recall',
        // The generation stays: a queue that still has the job knows the delivery by its id.
        text: `update answer_evidence.outbox o set dispatched_at = null
          from (select workspace_id, id from answer_evidence.outbox where dispatched_at < $1
                  order by dispatched_at limit $2 for update skip locked) lost
          where o.workspace_id = lost.workspace_id and o.id = lost.id`,
        values: [dispatchedBefore, limit],
      });
      return rowCount ?? 0;
    },

    async hasten(limit) {
      const now = clock.nowMicros();
      const { rowCount } = await queryOnce(pool, {
        name: 'outbox_hasten',
        text: `update answer_evidence.outbox o set due_at = least(due_at, $1), dispatched_at = null
          from (select workspace_id, id from answer_evidence.outbox
                  where dispatched_at > $2
                    or dispatched_at is null and due_at > $2 and due_at = created_at
                    or dispatched_at is null and due_at > $3 and attempts > 0
                  limit $4 for update skip locked) put_off
          where o.workspace_id = put_off.workspace_id and o.id = put_off.id`,
        values: [now, now + SKEW_MICROS_MAX, now + PAUSE_MICROS_MAX, limit],
      });
      return rowCount ?? 0;
    },

    async forget(replayedBefore) {
      await queryOnce(pool, {
        name: 'outbox_forget',
        text: 'delete from answer_evidence.dead_letters where replayed_at < $1',
        values: [replayedBefore],
      });
    },

    async backlog() {
      const { rows } = await queryOnce<BacklogRow>(pool, {
        name: 'outbox_backlog',
        text: `select topic, undispatched, undone, coalesce(jobs, 0) as jobs, coalesce(dead_letters, 0) as dead_letters
          from (select topic, min(due_at) filter (where dispatched_at is null) as undispatched, min(due_at) as undone,
                  count(*) as jobs from answer_evidence.outbox where due_at <= $1 group by topic) due
            full join (select topic, count(*) as dead_letters from answer_evidence.dead_letters
                         where replayed_at is null group by topic) dead using (topic)
          order by topic`,
        values: [clock.nowMicros()],
      });
      const topics = rows.map((row) => ({
        topic: row.topic,
        oldestUndispatchedAt: row.undispatched ?? undefined,
        oldestUndoneAt: row.undone ?? undefined,
        jobs: row.jobs,
        deadLetters: row.dead_letters,
      }));
      return {
        oldestUndispatchedAt: oldest(topics.map(({ oldestUndispatchedAt }) => oldestUndispatchedAt)),
        oldestUndoneAt: oldest(topics.map(({ oldestUndoneAt }) => oldestUndoneAt)),
        jobs: topics.reduce((sum, { jobs }) => sum + jobs, 0),
        deadLetters: topics.reduce((sum, { deadLetters }) => sum + deadLetters, 0),
        topics,
      };
    },
  };
}

function oldest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
