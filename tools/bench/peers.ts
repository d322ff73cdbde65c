import '../help/before-run.ts';
import { delimiter } from 'node:path';
import { closingAll } from './closing-all.ts';
import { describeMachine } from './machine/describe-machine.ts';
import { findProgram, MissingProgramError } from './machine/find-programs.ts';
import { buildPeers } from './peers/build-peers.ts';
import { measurePeers, type PeerFigure } from './peers/measure-peers.ts';
import { openService } from './service/open-service.ts';

const EXIT_CANNOT_MEASURE = 2;
const isQuick = process.argv.includes('--quick');

const progress = (line: string) => void process.stderr.write(`${line}\n`);

// A program of its own: it needs Go, and builds programs of others.
try {
  const wrk = findProgram('wrk', (process.env['PATH'] ?? '').split(delimiter));
  if (wrk === undefined) throw new MissingProgramError('wrk is missing: apt-get install wrk');
  progress('building immudb, Tessera and Rekor, which takes minutes the first time');
  const peers = await buildPeers(process.env);
  await closingAll(async (opened) => {
    const service = await openService();
    opened.push(() => service.close());
    const length = isQuick ? { rounds: 1, roundSeconds: 4 } : { rounds: 3, roundSeconds: 8 };
    const figures = await measurePeers({ service, peers, wrk, opened }, length, progress);
    const { cores, cpu, node } = await describeMachine(service.dataDir, service.postgres);
    process.stdout.write(`${cores} cores of ${cpu}; Node ${node}\n\n${formatTable(figures)}\n`);
  });
} catch (error) {
  if (!(error instanceof MissingProgramError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_CANNOT_MEASURE;
}

/** The table as docs/performance.md has it. */
function formatTable(figures: readonly PeerFigure[]): string {
  const rows = figures.map(
    ({ name, offers, median }) => `| ${name} | ${offers} | ${Math.round(median).toLocaleString('en')}/s |`,
  );
  return ['| work | a response is | measured |', '| --- | --- | --- |', ...rows].join('\n');
}
