import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openService, parseConfig, type RunningService, type StageName } from '@answer-evidence/runtime';
import { findProblemFaults, openTestDatabase } from '@answer-evidence/testing';
import type { SplitRole } from '../proxy/routing-table.ts';
import { readToken } from './service-process.ts';
import { findSplitPlace, openSplitWorkspace, type SharedSplitPlace } from './split-place.ts';

/** A reply with its body read; `body` is parsed when it is JSON. */
export type Reply = { readonly status: number; readonly headers: Headers; readonly body: any; readonly text: string };

/**
 * A service in this process, on a database and a data folder of its own; in a run on the split form, a workspace of its
 * own on the processes that all files share.
 */
export type TestService = {
  readonly baseUrl: string;
  /** The short name of the first workspace, or of the file's own. */
  readonly workspace: string;
  /** The address of the process with this role, past any proxy. */
  addressOf(role: SplitRole): string;
  /** Where the process with this role has its metrics. */
  metricsUrlOf(role: SplitRole): string;
  /** Where `SERVICE_OTLP_GRPC_PORT` asks for one. */
  readonly grpcPort: number | undefined;
  /** Superuser's URL of the database. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly managerToken: string;
  readonly reports: readonly string[];
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Ends the process's part and leaves database and data folder to others; `close` is still due. */
  stop(): Promise<void>;
  close(): Promise<void>;
};

/** Options of a call; the manager's token unless another one, or null for none, is given. */
export type CallOptions = {
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

const EVERY_STAGE: readonly StageName[] = ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp', 'console'];

/** Starts the service with every stage. `share`: on another one's database and data folder, as a second process. */
export async function openTestService(
  options: {
    readonly share?: Pick<TestService, 'databaseUrl' | 'dataDir'>;
    readonly environment?: Readonly<Record<string, string>>;
    /** Left out: all. */
    readonly stages?: readonly StageName[];
  } = {},
): Promise<TestService> {
  const { share } = options;
  const place = findSplitPlace();
  if (place !== undefined) {
    if (options.stages !== undefined || !isOfShared(place, options.environment ?? {}))
      throw new Error('a test that starts its own service with other settings cannot run on a shared one');
    const workspace = await openSplitWorkspace(place, share?.dataDir);
    // A test that says which address its callers have is itself the proxy in front of the process.
    const isProxy = options.environment?.['SERVICE_TRUSTED_PROXIES'] !== undefined;
    return createSplitService(workspace, {
      ...{ place, isOwn: share === undefined },
      baseUrl: isProxy ? place.addresses['ingest-api'] : place.url,
    });
  }
  const database = share === undefined ? await openTestDatabase() : undefined;
  const databaseUrl = share?.databaseUrl ?? database?.url ?? '';
  const dataDir = share?.dataDir ?? (await mkdtemp(join(tmpdir(), 'answer-evidence-')));
  const reports: string[] = [];
  const config = parseConfig({
    DATABASE_URL: databaseUrl,
    SERVICE_DATA_DIR_LASTS: 'on',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_HTTP_PORT: '0',
    SERVICE_METRICS_PORT: '0',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_CHECK_REPLIES: 'on',
    // A start takes a second less; e2e/warm-start.test.ts has it on.
    SERVICE_WARM_START: 'off',
    // Tests create and ask in masses; those about limits set them.
    SERVICE_RATE_LIMITS: 'off',
    // Their witnesses and authorities are on this machine.
    SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*',
    ...options.environment,
  });
  const service: RunningService = await openService(
    config,
    { stages: options.stages ?? EVERY_STAGE, firstWorkspace: true },
    (line) => reports.push(line),
    (error) => reports.push(`fatal: ${error.message}`),
  );
  const baseUrl = `http://127.0.0.1:${service.port}`;
  const managerToken = await readToken(dataDir);
  return {
    baseUrl,
    workspace: 'demo',
    addressOf: () => baseUrl,
    metricsUrlOf: () => `http://127.0.0.1:${service.metricsPort}`,
    grpcPort: service.grpcPort,
    databaseUrl,
    dataDir,
    managerToken,
    reports,
    call: (method, path, call = {}) =>
      callService(baseUrl, call.token === undefined ? managerToken : call.token, method, path, call),
    stop: () => service.close(),
    async close() {
      await service.close();
      if (database !== undefined) {
        await database.close();
        await rm(dataDir, { recursive: true, force: true });
      }
      const faults = reports.filter((line) => line.startsWith('undocumented reply'));
      if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
    },
  };
}

/** Whether the processes of the shared installation have these settings. */
function isOfShared({ environment }: SharedSplitPlace, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => environment[name] === value);
}

/** A workspace of its own on the split installation of the run; `close` leaves it there. */
function createSplitService(
  { dataDir, managerToken, slug }: Awaited<ReturnType<typeof openSplitWorkspace>>,
  { baseUrl, isOwn, place }: { readonly baseUrl: string; readonly isOwn: boolean; readonly place: SharedSplitPlace },
): TestService {
  return {
    baseUrl,
    workspace: slug,
    addressOf: (role) => place.addresses[role],
    metricsUrlOf: (role) => place.metricsUrls[role],
    grpcPort: place.grpcPort,
    databaseUrl: place.databaseUrl,
    dataDir,
    managerToken,
    reports: [],
    call: (method, path, call = {}) =>
      callService(baseUrl, call.token === undefined ? managerToken : call.token, method, path, call),
    stop: () => Promise.resolve(),
    async close() {
      if (isOwn) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function callService(
  baseUrl: string,
  token: string | null,
  method: string,
  path: string,
  { body, headers }: CallOptions,
): Promise<Reply> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson =
    /json/.test(response.headers.get('content-type') ?? '') &&
    !/jsonl/.test(response.headers.get('content-type') ?? '');
  const parsed = isJson && text !== '' ? JSON.parse(text) : undefined;
  // Each problem that any test provokes is held to the style of problems.
  const faults = parsed?.type?.startsWith('urn:answer-evidence:problem:') ? findProblemFaults(parsed) : [];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { status: response.status, headers: response.headers, text, body: parsed };
}

/** The smallest create that is accepted under the first settings. */
export function answer(question: string, text = 'an answer', more: object = {}): object {
  return { application_key: 'support-bot', question: { text: question }, answer: { text }, ...more };
}
