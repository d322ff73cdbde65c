import type pg from 'pg';
import { openOwnerClient } from '../open-owner-client.ts';
import { FIRST_TABLE, IS_PLACED } from './placement.ts';
import { type DistributionPlan, type DistributionStep, planDistribution } from './plan-distribution.ts';

const APPLICATION = 'answer-evidence-distribute';
/** The trigger of tables whose rows stay. */
const NEVER_EMPTIED = 'never_emptied';

/** What `distribute` would do, and what stands in the way. Changes nothing. */
export async function checkDistribution(url: string): Promise<DistributionPlan> {
  return whileConnected(url, planDistribution);
}

/**
 * Spreads the workspaces over the nodes of Citus, step by step; one that was interrupted goes on where it was. Returns
 * the plan, of which nothing is done where something stands in the way. Needs a database with the newest schema and the
 * role that owns its tables.
 */
export async function distribute(
  url: string,
  { shards, onStep }: { readonly shards: number; readonly onStep: (step: DistributionStep) => void },
): Promise<DistributionPlan> {
  return whileConnected(url, async (client) => {
    const plan = await planDistribution(client);
    if (plan.obstacles.length > 0) return plan;
    // Triggers look at rows of the workspace alone, which are on the node of the row. Later migrations want it, too.
    const { rows } = await client.query<{ text: string }>(
      `select format('alter database %I set citus.enable_unsafe_triggers = on', current_database()) as text`,
    );
    await client.query(rows[0]?.text ?? '');
    await client.query('set citus.enable_unsafe_triggers = on');
    for (const step of plan.steps) {
      onStep(step);
      await take(client, step, shards);
    }
    return plan;
  });
}

async function take(client: pg.Client, step: DistributionStep, shards: number): Promise<void> {
  switch (step.kind) {
    case 'copy-to-every-node':
      await client.query('select create_reference_table($1)', [nameOf(step.table)]);
      return;
    case 'spread':
      if (step.table === FIRST_TABLE)
        await client.query(
          `select create_distributed_table($1, 'workspace_id', shard_count => $2, colocate_with => 'none')`,
          [nameOf(step.table), shards],
        );
      else
        await client.query(`select create_distributed_table($1, 'workspace_id', colocate_with => $2)`, [
          nameOf(step.table),
          nameOf(FIRST_TABLE),
        ]);
      return;
    case 'make-known':
      await client.query('select citus_add_local_table_to_metadata($1)', [nameOf(step.table)]);
      return;
    case 'empty-local-copies':
      return emptyLocalCopies(client);
    case 'send-function':
      await client.query('select create_distributed_function($1)', [step.signature]);
      // It is called for rows of one workspace and reads others of the same, which are on the same node.
      if (step.reads)
        await client.query(`alter function ${step.signature} set citus.allow_nested_distributed_execution = on`);
  }
}

/** What was in the tables before stays in their files on the coordinator, where nobody reads it any more. */
async function emptyLocalCopies(client: pg.Client): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; is_guarded: boolean }>(
    `select p.logicalrelid::regclass::text as name, exists (select from pg_trigger t
         where t.tgrelid = p.logicalrelid and t.tgname = '${NEVER_EMPTIED}') as is_guarded
       from pg_dist_partition p where ${IS_PLACED} order by 1`,
  );
  await client.query('begin');
  try {
    // The trigger is for the rows, and those on the nodes keep theirs.
    await client.query('set local citus.enable_ddl_propagation = off');
    const guarded = tables.filter(({ is_guarded }) => is_guarded);
    for (const { name } of guarded) await client.query(`alter table ${name} disable trigger ${NEVER_EMPTIED}`);
    for (const { name } of tables)
      await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
    for (const { name } of guarded) await client.query(`alter table ${name} enable trigger ${NEVER_EMPTIED}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

function nameOf(table: string): string {
  return `answer_evidence.${table}`;
}

async function whileConnected<T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openOwnerClient(url, { application_name: APPLICATION });
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}
