import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Client, createClient } from '@answer-evidence/client';
import { findFreePort, type Keep, openTogether } from '@answer-evidence/testing';
import { OTEL } from '../scenery/otlp.ts';
import { findPostmaster, postgresPidsOf, startProcess, until } from '../scenery/service-process.ts';
import { createCollector } from './collector.ts';
import type { Protocol } from './senders.ts';

/** A trace is decided by its root alone: none is quiet for as long as that. */
const TRACE_WAIT_S = 3_600;

/** What is between the exporters and the ledger. */
export type SceneOptions = {
  readonly protocol: Protocol;
  /** The Collector's program, if one is in front. */
  readonly collector: string | undefined;
  readonly way: 'ledger' | 'inbox';
};

/** A service with a database of its own, and what can be killed of it. */
export type Scene = {
  readonly client: Client;
  readonly token: string;
  /** Where exporters send to. */
  readonly endpoint: string;
  /** Kills by SIGKILL and starts again what does not start itself again. */
  readonly strokes: Readonly<Record<string, () => Promise<void>>>;
  /** Records that are committed; 0 while the database is unavailable. */
  countRecords(): Promise<number>;
  close(): Promise<void>;
};

/** Starts one in a temporary folder. */
export function openScene(options: SceneOptions): Promise<Scene> {
  return openTogether(async (keep) => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-otlp-crash-'));
    keep(() => rm(folder, { recursive: true, force: true }));
    return openAll(folder, options, keep);
  });
}

async function openAll(
  folder: string,
  { protocol, collector: program, way }: SceneOptions,
  keep: Keep,
): Promise<Omit<Scene, 'close'>> {
  const dataDir = join(folder, 'data');
  const grpcPort = await findFreePort();
  const environment = {
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_HTTP_PORT: String(await findFreePort()),
    SERVICE_OTLP_GRPC_PORT: String(grpcPort),
    SERVICE_OTLP_TRACE_WAIT_SECONDS: String(TRACE_WAIT_S),
    ...(way === 'inbox' ? { SERVICE_OTLP_LEDGER_WAIT_MS: '0' } : {}),
  };
  keep(() => until('the end of PostgreSQL', () => postgresPidsOf(dataDir).length === 0));
  let service = startProcess({ dataDir, environment });
  keep(() => service.stop());
  const registry = await service.ready;
  const token = /token: (aeu_\S+)/.exec(await readFile(join(dataDir, 'config.yaml'), 'utf8'))?.[1] ?? '';
  const databaseUrl = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
  const target = protocol === 'grpc' ? `http://127.0.0.1:${grpcPort}` : registry + OTEL;
  const scene = {
    client: createClient({ registry, token }),
    token,
    countRecords: () => countRecords(databaseUrl),
    endpoint: target,
    strokes: {
      async service() {
        service.kill('SIGKILL');
        await service.exited;
        service = startProcess({ dataDir, environment });
        await service.ready;
      },
      PostgreSQL() {
        process.kill(findPostmaster(dataDir) ?? NaN, 'SIGKILL');
        return Promise.resolve();
      },
    },
  };
  if (program === undefined) return scene;
  const collector = await createCollector(program, folder, { protocol, endpoint: target, token });
  keep(() => collector.kill());
  await collector.start();
  async function strike(): Promise<void> {
    await collector.kill();
    await collector.start();
  }
  return { ...scene, endpoint: collector.endpoint, strokes: { ...scene.strokes, Collector: strike } };
}

async function countRecords(connectionString: string): Promise<number> {
  const database = new pg.Client({ connectionString });
  database.on('error', () => undefined);
  try {
    await database.connect();
    const { rows } = await database.query<{ records: string }>(
      'select count(*) as records from answer_evidence.answer_records',
    );
    return Number(rows[0]?.records);
  } catch {
    return 0;
  } finally {
    await database.end().catch(() => undefined);
  }
}
