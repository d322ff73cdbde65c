import pg from 'pg';
import { listStoredWorkspaces } from '@answer-evidence/postgres';
import { medianOf, percentileOf } from '../figures.ts';
import { runSteady } from '../load/run-paced.ts';
import { runWrk } from '../load/run-wrk.ts';
import { readResident } from '../machine/read-resident.ts';
import { runNodeProgram } from '../machine/run-program.ts';
import type { BenchService } from '../service/open-service.ts';
import type { LogPoint } from './growth-figures.ts';
import type { Loader } from './open-loader.ts';

/** Reads of each kind. */
const READS = 40;
/** Far below what the service can do, so that latency speaks of the size and not of the load. */
const PACED_PER_SECOND = 100;

export const BYTES_PER_MIB = 1024 * 1024;

/** Where a log is measured. */
export type Place = {
  readonly wrk: string;
  readonly service: BenchService;
  readonly loader: Loader;
  readonly seconds: number;
  readonly progress: (line: string) => void;
};

/** Fills the log of the service's workspace up to so many leaves, and measures what depends on its size. */
export async function measureLog(
  { loader, progress, seconds, service, wrk }: Place,
  leaves: number,
): Promise<LogPoint> {
  const [stored] = await listStoredWorkspaces(loader.stores.pool, loader.stores.vault);
  if (stored === undefined) throw new Error('the service has a workspace');
  const missing = leaves - (await service.countLeaves());
  const begun = performance.now();
  if (missing > 0)
    await loader.append(stored.open(), missing, (done) => progress(`${leaves} leaves: ${done} of ${missing} loaded`));
  progress(`${leaves} leaves: loaded ${Math.max(0, missing)} in ${Math.round((performance.now() - begun) / 1_000)} s`);

  const { perSecond } = await runWrk(wrk, service.createUrl, service.applicationToken, service.nextPrefix(), seconds);
  const latencies = await runSteady(service, PACED_PER_SECOND, seconds);
  const ids = await pickRecords(service);
  const read = (pathOf: (id: string) => string) => timeReads(service, ids.map(pathOf));
  const beforeCheck = {
    leaves,
    createsPerSecond: round(perSecond),
    createP50Ms: round(percentileOf(latencies, 0.5)),
    createP99Ms: round(percentileOf(latencies, 0.99)),
    proofMs: await read((id) => `/api/trust/proofs/answers/${id}`),
    listMs: await read(() => '/api/answer-audit-logs'),
    verifyMs: await read((id) => `/api/answer-audit-logs/${id}/ledger/verify`),
    serviceMemoryMiB: round((await readResident(service.pid)) / BYTES_PER_MIB),
    databaseMiB: await readDatabaseMiB(service),
  };
  // The check of a large log takes longer than everything else.
  progress(`${JSON.stringify(beforeCheck)}\nchecking the ledger`);
  const point = { ...beforeCheck, ...(await timeCheck(service)) };
  progress(JSON.stringify(point));
  return point;
}

/** Records all over the log. */
async function pickRecords({ databaseUrl }: BenchService): Promise<readonly string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select l.id from generate_series(1, $1) as n
         join lateral (select id from answer_evidence.ledger_leaves
           where type = 'answer_recorded' and leaf_index >=
             (select (max(tree_size) * n / ($1 + 1))::bigint from answer_evidence.ledger_heads)
           order by workspace_id, leaf_index limit 1) l on true`,
      [READS],
    );
    return rows.map(({ id }) => id);
  });
}

async function timeReads({ baseUrl, managerToken }: BenchService, paths: readonly string[]): Promise<number> {
  const taken: number[] = [];
  for (const path of paths) {
    const begun = performance.now();
    const response = await fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${managerToken}` } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    taken.push(performance.now() - begun);
  }
  return round(medianOf(taken));
}

/** The operator's check, in a process of its own with a thread for each processor. */
async function timeCheck({
  databaseUrl,
  dataDir,
}: BenchService): Promise<Pick<LogPoint, 'checkPerSecond' | 'checkMemoryMiB'>> {
  const program = new URL('check-program.ts', import.meta.url);
  const stdout = await runNodeProgram(program, [], { DATABASE_URL: databaseUrl, SERVICE_DATA_DIR: dataDir });
  const { entries, milliseconds, outcome, peakMiB } = JSON.parse(stdout) as {
    readonly entries: number;
    readonly milliseconds: number;
    readonly outcome: string;
    readonly peakMiB: number;
  };
  if (outcome !== 'PASS') throw new Error(`the check of the ledger says ${outcome}`);
  return { checkPerSecond: round(entries / (milliseconds / 1_000)), checkMemoryMiB: round(peakMiB) };
}

async function readDatabaseMiB({ databaseUrl }: BenchService): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ mib: number }>(
      'select (pg_database_size(current_database()) / 1048576)::int as mib',
    );
    return rows[0]?.mib ?? 0;
  });
}

async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
