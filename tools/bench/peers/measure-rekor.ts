import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runScript } from '../load/run-wrk.ts';
import { findPort } from '../machine/read-metrics.ts';
import type { Peers } from './build-peers.ts';
import { CONNECTIONS, type Contender } from './contender.ts';
import { writeRekorEntries } from './rekor-entries.ts';
import { startPeer } from './start-peer.ts';

const addScript = fileURLToPath(new URL('rekor-add.lua', import.meta.url));
/** More than it takes in a second. */
const ENTRIES_PER_SECOND = 2000;

/**
 * Rekor v2 on a POSIX file system. A response waits for a checkpoint, so ten are published in a second; the server
 * itself looks for a new one each second. It starts anew for each run: once callers have left, as at the end of a run,
 * it refuses some of the next ("await: context canceled").
 */
export async function prepareRekor({ rekor }: Peers, wrk: string, folder: string): Promise<readonly Contender[]> {
  const key = join(folder, 'rekor.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  let runs = 0;
  return CONNECTIONS.map((connections) => ({
    work: `Rekor v2 on POSIX, ${connections} connections`,
    offers: 'inclusion proof, signed checkpoint; the signature of the entry was verified',
    measure: async (seconds) => {
      const entries = join(folder, `rekor-entries-${++runs}`);
      await writeRekorEntries(entries, seconds * ENTRIES_PER_SECOND);
      const [http, grpc, metrics] = [await findPort(), await findPort(), await findPort()];
      const log = ['--hostname', '127.0.0.1', '--storage-dir', join(folder, `rekor-${runs}`), '--signer-filepath', key];
      const pace = ['--checkpoint-interval', '100ms', '--batch-max-age', '20ms', '--log-level', 'error'];
      const ports = ['--http-port', http, '--grpc-port', grpc, '--http-metrics-port', metrics].map(String);
      const stop = await startPeer(rekor, ['serve', ...log, ...pace, ...ports], http);
      try {
        const load = { url: `http://127.0.0.1:${http}`, connections, seconds, script: addScript };
        return (await runScript(wrk, load, [entries])).perSecond;
      } finally {
        await stop();
      }
    },
  }));
}
