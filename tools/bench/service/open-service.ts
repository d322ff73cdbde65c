import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import { issuedToken } from '@answer-evidence/contracts';
import { findRunningPostgres } from '@answer-evidence/postgres-embedded';
import { openTogether } from '@answer-evidence/testing';
import { startServer } from '../machine/start-server.ts';
import { APPLICATION_KEY } from './create-body.ts';

/** The whole service in its own process on an embedded PostgreSQL with its defaults: every commit reaches the disk. */
export type BenchService = {
  readonly baseUrl: string;
  /** Of the service's process. */
  readonly pid: number;
  /** Of its PostgreSQL. */
  readonly postmasterPid: number;
  readonly createUrl: string;
  /** An application's token that may create and read. */
  readonly applicationToken: string;
  readonly managerToken: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Version and durability of the database, as it says itself. */
  readonly postgres: string;
  /** A key prefix that was not used before. */
  nextPrefix(): string;
  /** Leaves of all logs. */
  countLeaves(): Promise<number>;
  close(): Promise<void>;
};

const configFile = z.object({ auth: z.object({ token: z.string() }) });

/**
 * Starts the service in a temporary folder, with these settings besides. Throws when its database would not survive a
 * power cut.
 */
export function openService(environment: Readonly<Record<string, string>> = {}): Promise<BenchService> {
  return openTogether(async (keep) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-bench-'));
    keep(() => rm(dataDir, { recursive: true, force: true }));
    const server = await startServer(new URL('../../../apps/all-in-one/src/main.ts', import.meta.url), {
      SERVICE_DATA_DIR: dataDir,
      SERVICE_HTTP_PORT: '0',
      SERVICE_METRICS_PORT: '0',
      DATABASE_URL: '',
      SERVICE_BASE_URL: '',
      SERVICE_MASTER_KEY: '',
      SERVICE_LOG_LEVEL: '',
      SERVICE_HTTP_HOST: '',
      SERVICE_RATE_LIMITS: 'off',
      SERVICE_TRUSTED_PROXIES: '',
      ...environment,
    });
    keep(() => server.stop());
    const config = configFile.parse(parseYaml(await readFile(join(dataDir, 'config.yaml'), 'utf8')));
    const database = await findRunningPostgres(join(dataDir, 'postgres'));
    if (database === undefined) throw new Error('the service runs without its PostgreSQL');
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    keep(() => client.end());
    const run = randomBytes(4).toString('hex');
    let prefixes = 0;
    return {
      baseUrl: server.baseUrl,
      pid: server.pid,
      postmasterPid: database.pid,
      createUrl: `${server.baseUrl}/api/answer-audit-logs`,
      applicationToken: await issueToken(server.baseUrl, config.auth.token),
      managerToken: config.auth.token,
      databaseUrl: database.url,
      dataDir,
      postgres: await readDurability(client),
      nextPrefix: () => `${run}-${++prefixes}`,
      async countLeaves() {
        const { rows } = await client.query<{ leaves: string }>(
          'select sum(tree_size)::text as leaves from answer_evidence.ledger_heads',
        );
        return Number(rows[0]?.leaves);
      },
    };
  });
}

async function readDurability(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string; fsync: string; commit: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit`,
  );
  const [row] = rows;
  if (row?.fsync !== 'on' || row.commit !== 'on')
    throw new Error('the database must have fsync and synchronous_commit on');
  return `${row.version}, fsync on`;
}

/** A token of the application that the load writes for. */
export async function issueToken(baseUrl: string, managerToken: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${managerToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      kind: 'application',
      name: 'bench',
      application_key: APPLICATION_KEY,
      scopes: ['answer_audit:create', 'answer_audit:read'],
    }),
  });
  if (response.status !== 201) throw new Error(`no token for the load: ${await response.text()}`);
  return issuedToken.parse(await response.json()).token;
}
