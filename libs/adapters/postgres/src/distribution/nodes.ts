import type pg from 'pg';

/** A server of the cluster. */
export type ClusterNode = { readonly host: string; readonly port: number };

/** All servers of a cluster, the coordinator first. */
export async function listNodes(client: pg.ClientBase): Promise<readonly ClusterNode[]> {
  const { rows } = await client.query<ClusterNode>(
    `select nodename as host, nodeport as port from pg_dist_node
       where noderole = 'primary' and isactive order by groupid`,
  );
  return rows;
}

/** As people and commands name a node. */
export function formatNode({ host, port }: ClusterNode): string {
  return `${host}:${port}`;
}

/** A node did not do what it was asked for. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
}

/** Runs one statement on one node, with the rights of the connection, and gives its one value. Throws `NodeRefusal`. */
export async function runOnNode(client: pg.ClientBase, node: ClusterNode, text: string): Promise<string> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'select success, result from master_run_on_worker(array[$1::text], array[$2::int], array[$3::text], false)',
    [node.host, node.port, text],
  );
  const [reply] = rows;
  if (reply?.success !== true)
    throw new NodeRefusal(`the node ${formatNode(node)} refuses: ${reply?.result ?? 'unknown'}`);
  return reply.result;
}
