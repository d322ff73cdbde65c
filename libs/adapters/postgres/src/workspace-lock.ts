import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from './pool.ts';
import { connect, queryOnce, toCallerError } from './session.ts';

/**
 * What one process at a time does for a workspace. Each has a lock of its own: with one for all three, a witness that
 * takes ten seconds to respond would delay publication.
 */
const LOCK_CLASSES = { publish: 4_171_931, witness: 4_171_932, anchor: 4_171_933 } as const;

/**
 * Runs the action under the workspace's advisory lock. If another process holds the lock, that process does the work,
 * and this returns false. The lock ends with its connection, so also if the process dies.
 */
export async function whileHolding(
  pool: pg.Pool,
  lock: keyof typeof LOCK_CLASSES,
  workspaceId: string,
  action: () => Promise<void>,
): Promise<boolean> {
  const key = [LOCK_CLASSES[lock], workspaceId];
  const client = await connect(pool);
  let broken: Error | undefined = new Error('the lock was not given back');
  try {
    const { rows } = await client
      .query<{ got: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as got', key)
      .catch((error: unknown) => {
        throw toCallerError(error);
      });
    if (rows[0]?.got !== true) {
      broken = undefined;
      return false;
    }
    try {
      await action();
      return true;
    } finally {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', key);
      broken = undefined;
    }
  } finally {
    // A connection that may still hold the lock is closed.
    client.release(broken);
  }
}

/** Names the database among all of all clusters, so that two installations that share something stand apart. */
export async function readInstallationName(pool: pg.Pool): Promise<string> {
  const { rows } = await queryOnce<{ name: string }>(pool, {
    text: `select system_identifier || '/' || current_database() as name from pg_control_system()`,
  });
  return rows[0]?.name ?? 'unknown';
}

const CONTINUE_LOCK = 4_171_934;
/** A log is continued in well under a second, but there may be thousands. */
const CONTINUE_MS_MAX = 600_000;
const CONTINUE_POLL_MS = 100;

/** Runs the action while no other process gives logs of this database another name. The rights are those of the URL. */
export async function whileContinuing<T>(url: string, action: () => Promise<T>): Promise<T> {
  const pool = openPool({ url, role: 'owner', connectionsMax: 1, onError: () => undefined });
  try {
    const client = await pool.connect();
    try {
      const until = performance.now() + CONTINUE_MS_MAX;
      const isMine = async () =>
        (await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, 0) as got', [CONTINUE_LOCK])).rows[0]
          ?.got;
      while ((await isMine()) !== true) {
        if (performance.now() > until) throw new Error('another process continues the logs for too long');
        await setTimeout(CONTINUE_POLL_MS);
      }
      return await action();
    } finally {
      // The lock ends with its connection.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
