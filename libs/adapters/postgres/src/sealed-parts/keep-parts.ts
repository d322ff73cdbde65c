import pg from 'pg';
import { sqlState } from '../failures.ts';
import { openOwnerClient } from '../open-owner-client.ts';
import { queryOnce } from '../session.ts';
import { leastIdOf, listParts, type Part, PARTS_SCHEMA, spanOf } from './list-parts.ts';

const LOCK_KEY = 4_171_930_019;
/** How long a change of parts waits for those who use them, who wait behind it meanwhile. */
const LOCK_WAIT = '2s';
const LOCK_TIMEOUT = '55P03';

/** How large parts are, and how long others may be made to wait for their making. */
export type PartLimits = {
  /** From this size on, the part that is written to is ended and another one begun. */
  readonly endBytes: number;
  /** A part that has ended is divided if it is larger than this. */
  readonly partBytesMax: number;
  /** So much is moved out of it at a time, under a lock. */
  readonly stepBytes: number;
  /** A part beyond this size is left alone: to read through it under a lock would take too long. */
  readonly lockedBytesMax: number;
};

/** What was done: how many parts were begun, how many cut off one that was too large, and what was left alone. */
export type PartsOutcome = {
  readonly begun: number;
  readonly cutOff: number;
  readonly tooLarge: readonly string[];
  /** Another process is at it, or the lock was not to be had. */
  readonly isBusy: boolean;
};

/** Whether a part is so large that there is something to do. Any login may ask. */
export async function isAnyPartLarge(pool: pg.Pool, { endBytes, partBytesMax }: PartLimits): Promise<boolean> {
  const { rows } = await queryOnce<{ yes: boolean }>(pool, {
    text: `select exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'answer_evidence.sealed_contents'::regclass and pg_table_size(c.oid) >
          case when pg_get_expr(c.relpartbound, c.oid) like '%(MAXVALUE)' then $1::bigint else $2::bigint end) as yes`,
    values: [endBytes, partBytesMax],
  });
  return rows[0]?.yes === true;
}

/**
 * Keeps the parts of sealed contents small: ends the one that is written to where it has grown, and divides one that is
 * too large, such as the first one of an installation from before there were parts. Each step is a transaction of its
 * own that leaves every row readable; one that is killed leaves what the steps before it did. Needs the tables' owner.
 */
export async function keepSealedParts(url: string, limits: PartLimits): Promise<PartsOutcome> {
  const own = { lock_timeout: LOCK_WAIT };
  const client = await openOwnerClient(url, { application_name: 'answer-evidence-parts', own });
  const outcome = { begun: 0, cutOff: 0, tooLarge: [] as string[], isBusy: false };
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [LOCK_KEY]);
    if (rows[0]?.got !== true) return { ...outcome, isBusy: true };
    if (await isDistributed(client)) return outcome;
    await endLast(client, limits, outcome);
    for (const part of await listParts(client))
      if (part.to !== null && part.bytes > limits.partBytesMax) await divide(client, part, limits, outcome);
    return outcome;
  } catch (error) {
    if (sqlState(error) !== LOCK_TIMEOUT) throw error;
    return { ...outcome, isBusy: true };
  } finally {
    await client.end();
  }
}

/** Whether the rows are spread over nodes of Citus, where each shard is a part. */
async function isDistributed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has_citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus`,
  );
  if (rows[0]?.has_citus !== true) return false;
  const { rowCount } = await client.query(
    `select from pg_catalog.pg_dist_partition where logicalrelid = 'answer_evidence.sealed_contents'::regclass`,
  );
  return rowCount !== 0;
}

type Outcome = { begun: number; cutOff: number; readonly tooLarge: string[] };

/** Ends the part that is written to, with the ids of now, and begins the next one. */
async function endLast(client: pg.Client, limits: PartLimits, outcome: Outcome): Promise<void> {
  const last = (await listParts(client)).find((part) => part.to === null);
  if (last === undefined || last.bytes <= limits.endBytes) return;
  if (last.bytes > limits.lockedBytesMax) {
    outcome.tooLarge.push(last.name);
    return;
  }
  await changeParts(client, async () => {
    // Clocks differ, and an id may be ahead of this one.
    const { rows } = await client.query<{ now: string; newest: string | null }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as now,
         (select object_id::text from ${last.name} order by object_id desc limit 1) as newest`,
    );
    const [found] = rows;
    const newest = Number.parseInt((found?.newest ?? '0').replaceAll('-', '').slice(0, 12), 16);
    const bound = leastIdOf(Math.max(Number(found?.now ?? 0), newest + 1));
    await detach(client, last);
    await attach(client, { ...last, to: bound });
    await attach(client, { name: await createPart(client), from: bound, to: null });
  });
  outcome.begun += 1;
}

/** Cuts the newest objects off a part, a step at a time, until it is small. */
async function divide(client: pg.Client, first: Part, limits: PartLimits, outcome: Outcome): Promise<void> {
  let part = first;
  while (part.bytes > limits.partBytesMax) {
    if (part.bytes > limits.lockedBytesMax) {
      outcome.tooLarge.push(part.name);
      return;
    }
    const cut = await findCut(client, part, limits.stepBytes);
    if (cut === undefined) break;
    const { from, name, to } = part;
    await changeParts(client, async () => {
      const upper = await createPart(client);
      await client.query(
        `with moved as (delete from ${name} where object_id >= $1 returning *) insert into ${upper} select * from moved`,
        [cut],
      );
      // What was moved is still in the files of the part until these are written anew.
      await client.query('insert into answer_evidence.erasures (xid, sealed) values (pg_current_xact_id(), $1)', [
        [from === null ? 0 : spanOf(from)],
      ]);
      await detach(client, part);
      await attach(client, { name: upper, from: cut, to });
      await attach(client, { name, from, to: cut });
    });
    outcome.cutOff += 1;
    // Gives back the pages at its end, which are empty now.
    await client.query(`vacuum ${name}`);
    part = (await listParts(client)).find((one) => one.name === name) ?? { ...part, bytes: 0 };
  }
}

/** The id from which on a part holds about so many bytes. */
async function findCut(client: pg.Client, { bytes, name }: Part, stepBytes: number): Promise<string | undefined> {
  const { rows: counted } = await client.query<{ count: string }>(`select count(*)::text as count from ${name}`);
  const count = Number(counted[0]?.count);
  const behind = Math.max(0, Math.ceil((count * stepBytes) / bytes) - 1);
  if (behind >= count - 1) return undefined;
  const { rows } = await client.query<{ id: string }>(
    `select object_id::text as id from ${name} order by object_id desc offset $1 limit 1`,
    [behind],
  );
  return rows[0]?.id;
}

/** Runs a change of parts while nobody uses them; a statement that comes meanwhile waits, and then sees the change. */
async function changeParts(client: pg.Client, change: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query('lock table answer_evidence.sealed_contents in access exclusive mode');
    await change();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** A table of the form of the whole, with its indexes, that is no part yet. */
async function createPart(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ number: number }>(
    `select coalesce(max(substring(relname from '^sealed_contents_([0-9]+)$')::integer), 0) + 1 as number
       from pg_class where relnamespace = '${PARTS_SCHEMA}'::regnamespace and relkind = 'r'`,
  );
  const name = `${PARTS_SCHEMA}.sealed_contents_${rows[0]?.number ?? 1}`;
  await client.query(`create table ${name} (like answer_evidence.sealed_contents including all)`);
  // The planner's statistics would be a second copy of what is in these columns.
  await client.query(
    `alter table ${name} alter column wrapped_key set statistics 0, alter column texts set statistics 0,
       alter column items set statistics 0`,
  );
  return name;
}

async function detach(client: pg.Client, { name }: Part): Promise<void> {
  await client.query(`alter table answer_evidence.sealed_contents detach partition ${name}`);
}

async function attach(client: pg.Client, { from, name, to }: Pick<Part, 'name' | 'from' | 'to'>): Promise<void> {
  const bound = (id: string | null, none: string) => (id === null ? none : pg.escapeLiteral(id));
  await client.query(
    `alter table answer_evidence.sealed_contents attach partition ${name}
       for values from (${bound(from, 'minvalue')}) to (${bound(to, 'maxvalue')})`,
  );
}
