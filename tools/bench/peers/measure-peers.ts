import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Opened } from '../closing-all.ts';
import { createFigure, type Figure } from '../figures.ts';
import { runWrk } from '../load/run-wrk.ts';
import type { BenchService } from '../service/open-service.ts';
import type { Peers } from './build-peers.ts';
import { CONNECTIONS, type Contender } from './contender.ts';
import { IMMUDB_WORKERS, openImmudb } from './measure-immudb.ts';
import { prepareRekor } from './measure-rekor.ts';
import { openTessera } from './measure-tessera.ts';

/** A rate, and what a caller has of one response. */
export type PeerFigure = Figure & { readonly offers: string };

const WARM_UP_SECONDS = 4;

/** Rates of the service and of its peers, in alternating rounds, on the machine as it is. */
export async function measurePeers(
  deps: { readonly service: BenchService; readonly peers: Peers; readonly wrk: string; readonly opened: Opened },
  { rounds, roundSeconds }: { readonly rounds: number; readonly roundSeconds: number },
  progress: (line: string) => void,
): Promise<readonly PeerFigure[]> {
  const contenders = await openContenders(deps);
  const values = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (const { measure } of contenders) await measure(WARM_UP_SECONDS);
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      const perSecond = await contender.measure(roundSeconds);
      values.get(contender)?.push(perSecond);
      progress(`round ${round} of ${rounds}: ${contender.work}: ${Math.round(perSecond)}/s`);
    }
  }
  return contenders.map((contender) => ({
    ...createFigure(contender.work, '/s', values.get(contender) ?? []),
    offers: contender.offers,
  }));
}

async function openContenders(deps: Parameters<typeof measurePeers>[0]): Promise<readonly Contender[]> {
  const { service, peers, wrk, opened } = deps;
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-peers-'));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  return [
    ...ourselves(service, wrk),
    ...(await openImmudb(peers, folder, opened)),
    ...(await openTessera(peers, wrk, folder, opened)),
    ...(await prepareRekor(peers, wrk, folder)),
  ];
}

function ourselves(service: BenchService, wrk: string): readonly Contender[] {
  return [IMMUDB_WORKERS, ...CONNECTIONS].map((connections) => ({
    work: `creates, ${connections} connections`,
    offers: 'inclusion proof, signed checkpoint, once per idempotency key',
    measure: async (seconds) => {
      const { createUrl, applicationToken } = service;
      return (await runWrk(wrk, createUrl, applicationToken, service.nextPrefix(), seconds, connections)).perSecond;
    },
  }));
}
