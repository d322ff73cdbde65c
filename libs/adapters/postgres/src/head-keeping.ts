import type pg from 'pg';
import { connect } from './session.ts';

const LOCK_CLASS = 4_171_930;

/** Runs the action under the workspace's advisory lock; when another process holds it, that one does the work. */
export async function whileKeepingHead(pool: pg.Pool, workspaceId: string, action: () => Promise<void>): Promise<void> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as got', [
      LOCK_CLASS,
      workspaceId,
    ]);
    if (rows[0]?.got !== true) return;
    try {
      await action();
    } finally {
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, workspaceId]);
    }
  } catch (error) {
    broken = error instanceof Error ? error : new Error('keeping the head failed');
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Identifies the database cluster; a restore into another cluster has another one. */
export async function readSystemIdentifier(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
  return rows[0]?.id ?? 'unknown';
}
