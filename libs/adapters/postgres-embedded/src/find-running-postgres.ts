import { join } from 'node:path';
import { findDataDir, findText, formatUrl, getPassword, serviceDatabase, withDataDirErrors } from './data-dir.ts';
import { isPostmasterOf } from './leftover-servers.ts';
import { findCommand } from './process-table.ts';

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
    // The file outlives a killed server, and its pid may have a new owner.
    if (!isPostmasterOf(dir.serverName, findCommand(pid) ?? '')) return undefined;
    return { url: formatUrl(port, await getPassword(dir), serviceDatabase), pid };
  });
}
