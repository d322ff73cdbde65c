import { StartError } from '../ground/start-error.ts';

/**
 * What a process opens besides the connections of callers: pools of the database, Redis, up to 64 connections to the
 * object store, threads, and the files of evidence that are read and written.
 */
export const RESERVED_DESCRIPTORS = 256;
/** The least that the setting takes. */
const CONNECTIONS_MIN = 10;

const HOW =
  'raise the limit (LimitNOFILE= of systemd, --ulimit nofile= of a container, ulimit -n of a shell), or lower ' +
  'SERVICE_CONNECTIONS_MAX';

/** Most connections of each port, and a sentence about it where that is not what was asked for. */
type ConnectionPlan = { readonly connectionsMax: number; readonly warning: string | undefined };

/**
 * As many connections as were asked for, or as the process may open beside everything else. Beyond its limit nothing at
 * all could be opened: no file, and no connection to the database. Throws `StartError` where hardly any would be left.
 */
export function planConnections(wanted: number, ports: number, limit: number): ConnectionPlan {
  const perPort = Math.floor((limit - RESERVED_DESCRIPTORS) / ports);
  if (perPort >= wanted) return { connectionsMax: wanted, warning: undefined };
  const needed = RESERVED_DESCRIPTORS + ports * wanted;
  const fact = `this process may open ${limit} files and connections, and needs ${needed}`;
  if (perPort < CONNECTIONS_MIN) throw new StartError(`${fact}; ${HOW}`);
  return { connectionsMax: perPort, warning: `${fact}; it takes ${perPort} connections per port: ${HOW}` };
}

/** How many files and connections this process may have open. Node.js has raised its limit as far as it may. */
export function findDescriptorLimit(): number {
  // From Node.js 22.13 on; its types do not have it yet.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork } = report;
  // Otherwise it asks for the name of each peer, which holds this thread up while no name server responds.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | 'unlimited' } };
  };
  report.excludeNetwork = excludeNetwork ?? false;
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : Infinity;
}
