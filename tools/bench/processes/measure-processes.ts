import { closingAll } from '../closing-all.ts';
import { medianOf } from '../figures.ts';
import { runWrk } from '../load/run-wrk.ts';
import { findPrograms } from '../machine/find-programs.ts';
import { readCpu } from '../machine/read-cpu.ts';
import { findPort, readBatches, type WrittenBatches } from '../machine/read-metrics.ts';
import { startServer } from '../machine/start-server.ts';
import type { Options } from '../options.ts';
import { type BenchService, openService } from '../service/open-service.ts';

/** Connections of all processes together: the load is the same for one process and for three. */
const CONNECTIONS = 60;
const PROCESSES = 3;
const TARGETS = [1, 1, 0.9] as const;

/** A process that takes creates of the one workspace. */
type Writer = { readonly createUrl: string; readonly pid: number; readonly metricsPort: number };

type Round = WrittenBatches & {
  readonly perSecond: number;
  /** Processor time of all writers, per create. */
  readonly cpuMicros: number;
};

/** What one, two and three processes that write one workspace create together, in turns; a table. */
export async function measureProcesses(options: Options, progress: (line: string) => void): Promise<string> {
  const programs = findPrograms(process.env['PATH'] ?? '');
  return closingAll(async (opened) => {
    progress('starting three processes on one PostgreSQL');
    const metricsPort = await findPort();
    const service = await openService({ SERVICE_METRICS_PORT: String(metricsPort) });
    opened.push(() => service.close());
    const writers: Writer[] = [{ createUrl: service.createUrl, pid: service.pid, metricsPort }];
    while (writers.length < PROCESSES) {
      const [writer, close] = await startWriter(service);
      opened.push(close);
      writers.push(writer);
    }
    const rounds: Round[][] = writers.map(() => []);
    for (let round = 0; round <= options.rounds; round++) {
      for (let count = 1; count <= PROCESSES; count++) {
        const measured = await measureRound(programs.wrk, service, writers.slice(0, count), options.roundSeconds);
        progress(`round ${round}: ${count} processes: ${describe(measured)}`);
        // The first one warms up.
        if (round > 0) rounds[count - 1]?.push(measured);
      }
    }
    return formatTable(rounds);
  });
}

async function startWriter(service: BenchService): Promise<[Writer, () => Promise<void>]> {
  const metricsPort = await findPort();
  const server = await startServer(new URL('../../../apps/all-in-one/src/main.ts', import.meta.url), {
    SERVICE_DATA_DIR: service.dataDir,
    DATABASE_URL: service.databaseUrl,
    SERVICE_HTTP_PORT: String(await findPort()),
    SERVICE_METRICS_PORT: String(metricsPort),
    SERVICE_BASE_URL: '',
    SERVICE_RATE_LIMITS: 'off',
    SERVICE_LOG_LEVEL: '',
  });
  return [{ createUrl: `${server.baseUrl}/api/answer-audit-logs`, pid: server.pid, metricsPort }, () => server.stop()];
}

async function measureRound(
  wrk: string,
  service: BenchService,
  writers: readonly Writer[],
  seconds: number,
): Promise<Round> {
  const connections = CONNECTIONS / writers.length;
  const cpuOf = () => writers.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0);
  const batchesOf = () => Promise.all(writers.map((writer) => readBatches(writer.metricsPort)));
  const [cpuBefore, leavesBefore, batchesBefore] = [cpuOf(), await service.countLeaves(), await batchesOf()];
  const outcomes = await Promise.all(
    writers.map(({ createUrl }) =>
      runWrk(wrk, createUrl, service.applicationToken, service.nextPrefix(), seconds, connections),
    ),
  );
  const requests = outcomes.reduce((sum, outcome) => sum + outcome.requests, 0);
  const kept = (await service.countLeaves()) - leavesBefore;
  if (kept < requests) throw new Error(`${requests} creates were answered with 201 and ${kept} were kept`);
  const batchesAfter = await batchesOf();
  const grown = (name: keyof WrittenBatches) =>
    batchesAfter.reduce((sum, after, n) => sum + after[name] - (batchesBefore[n]?.[name] ?? 0), 0);
  return {
    perSecond: outcomes.reduce((sum, outcome) => sum + outcome.perSecond, 0),
    cpuMicros: (cpuOf() - cpuBefore) / requests,
    batches: grown('batches'),
    requests: grown('requests'),
    mispredictions: grown('mispredictions'),
    lockedBatches: grown('lockedBatches'),
    lockSeconds: grown('lockSeconds'),
  };
}

function cpuMicrosOf(pid: number): number {
  const { mainThread, otherThreads } = readCpu(pid);
  return mainThread + otherThreads;
}

function describe(round: Round): string {
  return [
    `${Math.round(round.perSecond)}/s`,
    `${round.cpuMicros.toFixed(0)} µs of the processors`,
    `${(round.requests / round.batches).toFixed(1)} requests per batch`,
    `${((round.mispredictions / round.batches) * 100).toFixed(1)} % guessed wrong`,
    `${((round.lockSeconds / Math.max(1, round.lockedBatches)) * 1_000).toFixed(1)} ms for the lock`,
  ].join(', ');
}

function formatTable(rounds: readonly (readonly Round[])[]): string {
  const [alone = []] = rounds;
  const lines = rounds.map((measured, n) => {
    const ratio = medianOf(measured.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? 1)));
    const middle = [...measured].sort((a, b) => a.perSecond - b.perSecond)[Math.floor(measured.length / 2)];
    if (middle === undefined) throw new Error('nothing was measured');
    const target = TARGETS[n] ?? 1;
    return `${n + 1} processes: ${ratio.toFixed(2)} of one (target ${target}); median round: ${describe(middle)}`;
  });
  return lines.join('\n');
}
