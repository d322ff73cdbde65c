import type pg from 'pg';
import { type CheckedRange, checkRange, type RangeReader } from '@answer-evidence/audit';
import type { MasterVault } from '@answer-evidence/ports';
import { queryOn } from '../session.ts';
import { createWorkspaceDirectory } from '../stores/directory.ts';
import { fenceQuery } from '../workspace-setting.ts';
import { beginCheck, type RangeTask } from './check-stored-ledger.ts';
import { createLedgerReader } from './ledger-reader.ts';

const AT_ONCE = () => Promise.resolve();

/**
 * Checks ranges in this thread, one at a time, on one connection of the pool. Its transaction reads the snapshot that
 * the task names, and stays open for the next task of the same check.
 */
export function openRangeChecker(pool: pg.Pool, vault: MasterVault): (task: RangeTask) => Promise<CheckedRange> {
  const directory = createWorkspaceDirectory(pool, vault);
  let opened: { readonly name: string; readonly client: pg.PoolClient; readonly reader: RangeReader } | undefined;

  function close(): void {
    const client = opened?.client;
    opened = undefined;
    // A connection that has failed is of no use to the next check.
    client?.release(true);
  }

  async function open(name: string, { snapshot, workspaceId }: RangeTask): Promise<RangeReader> {
    if (opened?.name === name) return opened.reader;
    close();
    const workspace = await directory.get(workspaceId);
    const client = await pool.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      // The name of a snapshot is no value that a statement may be given; it comes from PostgreSQL and is checked here.
      if (!/^[0-9A-F-]+$/i.test(snapshot)) throw new Error('the snapshot has a name that PostgreSQL does not give');
      await client.query(`set transaction snapshot '${snapshot}'`);
      await client.query(fenceQuery(client, 'answer_evidence.workspace_id', workspaceId));
      const query = queryOn(client);
      await beginCheck(query);
      const reader = createLedgerReader(query, workspace, AT_ONCE);
      opened = { name, client, reader };
      return reader;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return async (task) => {
    const reader = await open(`${task.workspaceId} ${task.snapshot}`, task);
    return checkRange(task, task.settings, reader, AT_ONCE);
  };
}
