import pg from 'pg';

/** The variable that names a coordinator of Citus, with its workers: the superuser's URL of a database that has it. */
export const citusVariable = 'CITUS_URL';

/** Workspaces of a test are on one of so many parts. */
export const TEST_SHARDS = 4;

/** The servers of a cluster as URLs, the coordinator first. A server that is no coordinator is alone. */
export async function findNodes(serverUrl: string): Promise<readonly string[]> {
  if (process.env[citusVariable] === undefined) return [serverUrl];
  return ask(serverUrl, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by groupid`,
    );
    return [serverUrl, ...rows.map((node) => at(serverUrl, node))];
  });
}

/** Makes the databases of this name one cluster: each has Citus, and the first one knows the others. */
export async function joinNodes(databaseUrls: readonly string[]): Promise<void> {
  const [coordinator = '', ...workers] = databaseUrls;
  for (const url of databaseUrls) await ask(url, (client) => client.query('create extension if not exists citus'));
  await ask(coordinator, async (client) => {
    const { hostname, port } = new URL(coordinator);
    await client.query('select citus_set_coordinator_host($1, $2::int)', [hostname, port || '5432']);
    for (const url of workers) {
      const worker = new URL(url);
      await client.query('select citus_add_node($1, $2::int)', [worker.hostname, worker.port || '5432']);
    }
  });
}

/** Runs one statement on a server, over a connection of its own. */
export async function ask<T>(url: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

function at(serverUrl: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const url = new URL(serverUrl);
  url.hostname = host;
  url.port = String(port);
  return url.href;
}
