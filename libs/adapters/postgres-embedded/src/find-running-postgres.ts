import { join } from 'node:path';
import { Client } from 'pg';
import { findDataDir, findText, formatUrl, getPassword, serviceDatabase, withDataDirErrors } from './data-dir.ts';

const PATIENCE_MS = 5_000;

/**
 * The superuser's URL of the server that another process runs on a data directory; undefined if there is none or it is
 * not ready. It is for operators' commands: nothing is started, stopped or written.
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<{ readonly url: string; readonly pid: number } | undefined> {
  return withDataDirErrors(dataDir, async () => {
    const dir = await findDataDir(dataDir);
    if (dir === undefined) return undefined;
    // PostgreSQL manual, "postmaster.pid": pid, data directory, start time, port, socket, address, memory, status.
    const lines = (await findText(join(dir.cluster, 'postmaster.pid')))?.split('\n') ?? [];
    const [pid, port, status] = [Number(lines[0]), Number(lines[3]), lines[7]?.trim()];
    if (!Number.isSafeInteger(pid) || pid <= 0 || !Number.isSafeInteger(port) || status !== 'ready') return undefined;
    // The file outlives a killed server, and its port may have a new owner.
    const url = formatUrl(port, await getPassword(dir), serviceDatabase);
    return (await findServerName(url)) === dir.serverName ? { url, pid } : undefined;
  });
}

/**
 * What a server calls itself: the one of a copy of the folder has the password, and another name. Undefined where none
 * responds. The table of processes is not asked: systemd and containers may hide those of others.
 */
async function findServerName(url: string): Promise<string | undefined> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  // A connection that breaks while it is idle must not end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select current_setting('cluster_name') as name`);
    return rows[0]?.name;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
