import { join } from 'node:path';
import * as z from 'zod';
import type { Opened } from '../closing-all.ts';
import { findPort } from '../machine/read-metrics.ts';
import { runProgram } from '../machine/run-program.ts';
import type { Peers } from './build-peers.ts';
import type { Contender } from './contender.ts';
import { startPeer } from './start-peer.ts';

/** immudb refuses more than 30 sessions that write at a time by default. */
export const IMMUDB_WORKERS = 28;

const loadOutcome = z.object({ perSecond: z.number().positive() });

/** What `immudb-load.go` can do. */
const KINDS = [
  { kind: 'set', call: 'Set', offers: 'transaction header, unsigned' },
  { kind: 'verified', call: 'VerifiedSet', offers: 'inclusion and consistency proofs, verified by its client' },
  { kind: 'batch', call: 'SetAll of 64', offers: 'transaction header of 64 values, unsigned' },
] as const;

/** immudb on a folder of its own. Each write is synced, which is its default. */
export async function openImmudb(
  { immudb, immudbLoad }: Peers,
  folder: string,
  opened: Opened,
): Promise<readonly Contender[]> {
  const port = await findPort();
  const servers = ['--metrics-server=false', '--web-server=false', '--pgsql-server=false'];
  const place = ['--dir', join(folder, 'immudb'), '--address', '127.0.0.1', '--port', String(port)];
  opened.push(await startPeer(immudb, [...place, ...servers, '--max-sessions', '1000'], port));
  return KINDS.map(({ kind, call, offers }) => ({
    work: `immudb ${call}, ${IMMUDB_WORKERS} connections`,
    offers,
    measure: async (seconds) => {
      const args = [port, IMMUDB_WORKERS, seconds, kind].map(String);
      return loadOutcome.parse(JSON.parse(await runProgram(immudbLoad, args))).perSecond;
    },
  }));
}
