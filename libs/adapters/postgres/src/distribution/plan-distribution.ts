import type pg from 'pg';
import { countConnections } from '../service-connections.ts';
import { FIRST_TABLE, IS_PLACED, ON_COORDINATOR, ON_EVERY_NODE, WRITTEN_WITH_OTHERS } from './placement.ts';

/** What is in a function that reads or writes tables. */
const READS = String.raw`\m(from|into|update|delete|perform)\M\s+answer_evidence`;

/** A piece of the work, done as a whole or not at all. */
export type DistributionStep =
  | { readonly kind: 'copy-to-every-node' | 'spread' | 'make-known'; readonly table: string }
  | { readonly kind: 'empty-local-copies' }
  | { readonly kind: 'send-function'; readonly signature: string; readonly reads: boolean };

/** What is to be done to a database, and what stands in the way. */
export type DistributionPlan = {
  readonly obstacles: readonly string[];
  /** The nodes that are to hold workspaces, as `host:port`. */
  readonly nodes: readonly string[];
  readonly steps: readonly DistributionStep[];
};

/** Looks at a database that has the newest schema. Changes nothing. */
export async function planDistribution(client: pg.ClientBase): Promise<DistributionPlan> {
  const { rows } = await client.query<{ has_citus: boolean; is_loaded: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has_citus,
       current_setting('citus.version', true) is not null as is_loaded`,
  );
  if (rows[0]?.has_citus !== true)
    return {
      obstacles: [
        'the database has no Citus: install it on the server and on each worker, name it in shared_preload_libraries, ' +
          'and run there in the database of the service: create extension citus',
      ],
      nodes: [],
      steps: [],
    };
  const nodes = await readWorkers(client);
  return {
    obstacles: [...(await findObstacles(client, nodes)), ...(await findServices(client))],
    nodes,
    steps: await planSteps(client),
  };
}

/** Whether tables of the service are on other nodes. Asked of a database that has Citus. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
       where c.relnamespace = to_regnamespace('answer_evidence') and p.partmethod = 'h' limit 1`,
  );
  return rows.length > 0;
}

async function readWorkers(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
       where noderole = 'primary' and isactive and shouldhaveshards order by groupid`,
  );
  return rows.map(({ node }) => node);
}

async function findObstacles(client: pg.ClientBase, workers: readonly string[]): Promise<readonly string[]> {
  const { rows: coordinators } = await client.query(`select from pg_dist_node where groupid = 0`);
  const obstacles: string[] = [];
  if (coordinators.length === 0)
    obstacles.push(
      `the nodes do not know the coordinator; run: select citus_set_coordinator_host('ITS ADDRESS AS WORKERS REACH IT')`,
    );
  if (workers.length === 0)
    obstacles.push(`there is no worker; run for each: select citus_add_node('ITS ADDRESS', 5432)`);
  const { rows: nodes } = await client.query<{ nodeid: number; success: boolean; result: string }>(
    `select n.nodename || ':' || n.nodeport as node, c.success, c.result
       from run_command_on_all_nodes('show max_prepared_transactions') c join pg_dist_node n using (nodeid)`,
  );
  for (const { node, success, result } of nodes as unknown as readonly NodeReply[]) {
    if (!success) obstacles.push(`the node ${node} does not answer: ${result}`);
    else if (result === '0')
      obstacles.push(`the node ${node} has max_prepared_transactions 0; set it to at least max_connections`);
  }
  return obstacles;
}

type NodeReply = { readonly node: string; readonly success: boolean; readonly result: string };

async function findServices(client: pg.ClientBase): Promise<readonly string[]> {
  const connected = await countConnections(client);
  return connected === 0 ? [] : [`processes of the service have ${connected} connections; stop them first`];
}

async function planSteps(client: pg.ClientBase): Promise<readonly DistributionStep[]> {
  const { rows: tables } = await client.query<{ name: string; is_placed: boolean; is_filled: boolean }>(
    `select c.relname as name, p.logicalrelid is not null as is_placed, pg_relation_size(c.oid) > 0 as is_filled
       from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid and ${IS_PLACED}
       where c.relnamespace = to_regnamespace('answer_evidence') and c.relkind in ('r', 'p')
       order by c.relname <> all ($1), c.relname <> $2, c.relname`,
    [ON_EVERY_NODE, FIRST_TABLE],
  );
  const { rows: known } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
       where c.relnamespace = to_regnamespace('answer_evidence')`,
  );
  const { rows: functions } = await client.query<{ signature: string; reads: boolean }>(
    `select * from (select p.oid::regprocedure::text as signature, p.prosrc ~* '${READS}' as reads, p.proconfig is not null as is_set,
         exists (select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid) as is_sent
       from pg_proc p where p.pronamespace = to_regnamespace('answer_evidence')) own
       where not is_sent or reads and not is_set order by signature`,
  );
  const leaving = tables.filter(({ name }) => !Object.hasOwn(ON_COORDINATOR, name));
  return [
    ...leaving
      .filter(({ is_placed }) => !is_placed)
      .map(
        ({ name: table }) =>
          ({ kind: ON_EVERY_NODE.includes(table) ? 'copy-to-every-node' : 'spread', table }) as const,
      ),
    ...tables
      .filter(({ name }) => WRITTEN_WITH_OTHERS.includes(name) && !known.some((one) => one.name === name))
      .map(({ name: table }) => ({ kind: 'make-known', table }) as const),
    ...(leaving.some(({ is_filled }) => is_filled) ? [{ kind: 'empty-local-copies' } as const] : []),
    ...functions.map(({ signature, reads }) => ({ kind: 'send-function', signature, reads }) as const),
  ];
}
