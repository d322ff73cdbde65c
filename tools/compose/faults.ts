import { until } from '../scenery/service-process.ts';
import type { DeployedProject } from './deployed-project.ts';

/** One way to hurt what Compose has started. */
type Fault = {
  readonly name: string;
  /** Does it, and undoes it. */
  strike(project: DeployedProject): Promise<unknown>;
};

const DOWN_MS = 3_000;
const STOPPED_MS = 15_000;
/** After a minute without a response, a process is killed by its health check: `tools/image/health.mjs`. */
const HUNG_MAX_MS = 180_000;

const PROCESSES = ['ingest-api', 'otlp-ingester', 'evidence-store', 'reconciliation-worker', 'trust-worker'];
const STORES = ['postgres', 'redis', 'minio'];

/** Every fault, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  ...[...PROCESSES, 'proxy', ...STORES].map((part): Fault => ({
    name: `${part} killed, started after ${DOWN_MS / 1_000} s`,
    strike: ({ compose }) => between(DOWN_MS, () => compose('kill', '--signal', 'KILL', part), start(part, compose)),
  })),
  ...['ingest-api', 'postgres'].map((part): Fault => ({
    name: `${part} restarted`,
    strike: ({ compose }) => compose('restart', part),
  })),
  ...STORES.flatMap((part): readonly Fault[] => [
    {
      name: `${part} stopped for ${STOPPED_MS / 1_000} s`,
      strike: ({ compose }) => between(STOPPED_MS, () => compose('stop', part), start(part, compose)),
    },
    {
      name: `${part} frozen for ${STOPPED_MS / 1_000} s`,
      strike: ({ compose }) =>
        between(
          STOPPED_MS,
          () => compose('pause', part),
          () => compose('unpause', part),
        ),
    },
  ]),
  {
    name: 'ingest-api hung, killed by its health check',
    async strike({ compose, run }) {
      const id = (await compose('ps', '--quiet', 'ingest-api')).trim();
      const startedAt = () => run('docker', ['inspect', '--format', '{{.State.StartedAt}}', id]);
      const before = await startedAt();
      // Everything of the container but its first process, which is Docker's.
      await compose('exec', '-T', 'ingest-api', 'sh', '-c', 'kill -STOP -1');
      await until('another start', async () => (await startedAt()) !== before, HUNG_MAX_MS);
    },
  },
];

function start(part: string, compose: DeployedProject['compose']): () => Promise<unknown> {
  return () => compose('start', part);
}

async function between(ms: number, before: () => Promise<unknown>, after: () => Promise<unknown>): Promise<void> {
  await before();
  await new Promise((resolve) => setTimeout(resolve, ms));
  await after();
}
