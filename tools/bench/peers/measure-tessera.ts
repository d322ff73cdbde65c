import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Opened } from '../closing-all.ts';
import { runScript } from '../load/run-wrk.ts';
import { findPort } from '../machine/read-metrics.ts';
import type { Peers } from './build-peers.ts';
import { CONNECTIONS, type Contender } from './contender.ts';
import { createNoteKey } from './note-key.ts';
import { startPeer } from './start-peer.ts';

const addScript = fileURLToPath(new URL('tessera-add.lua', import.meta.url));

/**
 * Two logs of Tessera on a POSIX file system: its conformance server, which answers with an index, and
 * `tessera-log.go`, which answers with all that the library offers.
 */
export async function openTessera(
  { tessera, tesseraLog }: Peers,
  wrk: string,
  folder: string,
  opened: Opened,
): Promise<readonly Contender[]> {
  const key = join(folder, 'key');
  await writeFile(key, createNoteKey(), { mode: 0o600 });
  const indexPort = await findPort();
  const index = [`--storage_dir=${join(folder, 'tessera')}`, `--private_key=${key}`, `--listen=127.0.0.1:${indexPort}`];
  opened.push(await startPeer(tessera, index, indexPort));
  const proofPort = await findPort();
  const proof = [join(folder, 'tessera-log'), key, `127.0.0.1:${proofPort}`];
  opened.push(await startPeer(tesseraLog, proof, proofPort));
  let runs = 0;
  const contender = (name: string, offers: string, port: number, connections: number): Contender => ({
    work: `Tessera on POSIX, ${name}, ${connections} connections`,
    offers,
    measure: async (seconds) => {
      const load = { url: `http://127.0.0.1:${port}`, connections, seconds, script: addScript };
      return (await runScript(wrk, load, [`run${++runs}`])).perSecond;
    },
  });
  return [
    ...CONNECTIONS.map((connections) => contender('index only', 'index', indexPort, connections)),
    ...CONNECTIONS.map((connections) =>
      contender('proofs', 'inclusion proof, signed checkpoint, once per content', proofPort, connections),
    ),
  ];
}
