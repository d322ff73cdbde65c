import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { createFigure, type Figure } from '../figures.ts';
import { runScript, runWrk } from '../load/run-wrk.ts';
import { findPort } from '../machine/read-metrics.ts';
import { runProgram } from '../machine/run-program.ts';
import type { BenchService } from '../service/open-service.ts';
import type { Peers } from './build-peers.ts';
import { createNoteKey } from './note-key.ts';
import { startPeer } from './start-peer.ts';

/** One contender at one number of connections. */
type Contender = { readonly work: string; readonly measure: (seconds: number) => Promise<number> };

/** The fewest that fill the service, as many as the other measurements use, and as many as Tessera's batches need. */
const CONNECTIONS = [28, 64, 512];
/** immudb refuses more than 30 sessions that write at a time by default. */
const IMMUDB_WORKERS = 28;
const WARM_UP_SECONDS = 4;

const addScript = fileURLToPath(new URL('tessera-add.lua', import.meta.url));
const loadOutcome = z.object({ perSecond: z.number().positive() });

/** Rates of the service and of its peers, in alternating rounds, on the machine as it is. */
export async function measurePeers(
  deps: { readonly service: BenchService; readonly peers: Peers; readonly wrk: string },
  { rounds, roundSeconds }: { readonly rounds: number; readonly roundSeconds: number },
  progress: (line: string) => void,
): Promise<readonly Figure[]> {
  const opened: (() => Promise<void>)[] = [];
  try {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-peers-'));
    opened.push(() => rm(folder, { recursive: true, force: true }));
    const immudb = await openImmudb(deps.peers, folder, opened);
    const tessera = await openTessera(deps.peers, deps.wrk, folder, opened);
    const contenders = [...ourselves(deps.service, deps.wrk), ...immudb, ...tessera];
    const values = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
    for (const { measure } of contenders) await measure(WARM_UP_SECONDS);
    for (let round = 1; round <= rounds; round++) {
      for (const contender of contenders) {
        const perSecond = await contender.measure(roundSeconds);
        values.get(contender)?.push(perSecond);
        progress(`round ${round} of ${rounds}: ${contender.work}: ${Math.round(perSecond)}/s`);
      }
    }
    return contenders.map((contender) => createFigure(contender.work, '/s', values.get(contender) ?? []));
  } finally {
    for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close();
  }
}

function ourselves(service: BenchService, wrk: string): readonly Contender[] {
  return CONNECTIONS.map((connections) => ({
    work: `creates with receipt, ${connections} connections`,
    measure: async (seconds) => {
      const { createUrl, applicationToken } = service;
      return (await runWrk(wrk, createUrl, applicationToken, service.nextPrefix(), seconds, connections)).perSecond;
    },
  }));
}

async function openImmudb(
  { immudb, immudbLoad }: Peers,
  folder: string,
  opened: (() => Promise<void>)[],
): Promise<readonly Contender[]> {
  const port = await findPort();
  // Each write is synced, which is its default.
  const servers = ['--metrics-server=false', '--web-server=false', '--pgsql-server=false'];
  const place = ['--dir', join(folder, 'immudb'), '--address', '127.0.0.1', '--port', String(port)];
  opened.push(await startPeer(immudb, [...place, ...servers, '--max-sessions', '1000'], port));
  return ['set', 'verified'].map((kind) => ({
    work: `immudb ${kind === 'set' ? 'Set' : 'VerifiedSet'}, ${IMMUDB_WORKERS} connections`,
    measure: async (seconds) => {
      const args = [port, IMMUDB_WORKERS, seconds, kind].map(String);
      return loadOutcome.parse(JSON.parse(await runProgram(immudbLoad, args))).perSecond;
    },
  }));
}

async function openTessera(
  { tessera }: Peers,
  wrk: string,
  folder: string,
  opened: (() => Promise<void>)[],
): Promise<readonly Contender[]> {
  const port = await findPort();
  const key = join(folder, 'key');
  await writeFile(key, createNoteKey(), { mode: 0o600 });
  const listen = `127.0.0.1:${port}`;
  const place = [`--storage_dir=${join(folder, 'tessera')}`, `--private_key=${key}`, `--listen=${listen}`];
  opened.push(await startPeer(tessera, place, port));
  let runs = 0;
  return CONNECTIONS.slice(1).map((connections) => ({
    work: `Tessera on POSIX, index only, ${connections} connections`,
    measure: async (seconds) => {
      const load = { url: `http://${listen}`, connections, seconds, script: addScript };
      return (await runScript(wrk, load, [`run${++runs}`])).perSecond;
    },
  }));
}
