import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { openTogether } from '@answer-evidence/testing';
import { NODE_OPTIONS } from '../image/lay-out-image.ts';
import { readToken, startProcess } from '../scenery/service-process.ts';
import { openTenants, type Tenant } from '../scenery/tenants.ts';
import type { CallOptions, TestService } from '../scenery/test-service.ts';

/** What an attack gets: a service of its own with two workspaces, and every address of it. */
export type Scene = {
  readonly baseUrl: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly dataDir: string;
  /** The workspace that attacks, and the one that must not notice. */
  readonly ours: Tenant;
  readonly theirs: Tenant;
  /** How much of each attack is sent: 1 is all of it, and a small part shows that the attack runs. */
  readonly share: number;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Response>;
  /** The milliseconds that all threads of the service have been on a processor. */
  readonly processorMs: () => Promise<number>;
  close(): Promise<void>;
};

const GRPC = /OTLP over gRPC is at port (\d+)/;
const NANOS_PER_MS = 1e6;

/** So many of something, in the share of the scene; at least one. */
export function someOf({ share }: Pick<Scene, 'share'>, count: number): number {
  return Math.ceil(count * share);
}

/** The items that are in the share of the scene, spread over all of them; at least one. */
export function partOf<T>(scene: Pick<Scene, 'share'>, items: readonly T[]): readonly T[] {
  const count = someOf(scene, items.length);
  return Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)]) as readonly T[];
}

/** Starts PostgreSQL and the service on free ports and in a temporary folder, and makes the two workspaces. */
export function openScene(share = 1): Promise<Scene> {
  return openTogether(async (keep) => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-attack-'));
    keep(() => rm(folder, { recursive: true, force: true }));
    const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'postgres') });
    keep(() => postgres.close());
    const dataDir = join(folder, 'data');
    const environment = { DATABASE_URL: postgres.url, SERVICE_OTLP_GRPC_PORT: '0', SERVICE_CHECK_REPLIES: 'off' };
    const service = startProcess({ dataDir, environment, nodeOptions: NODE_OPTIONS.split(' ') });
    keep(() => service.stop());
    const baseUrl = await service.ready;
    const call: Scene['call'] = (method, path, { token = null, body, headers = {} } = {}) =>
      fetch(baseUrl + path, {
        method,
        headers: {
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: toBody(body), duplex: 'half' }),
      });
    const managerToken = await readToken(dataDir);
    const { ours, theirs } = await openTenants(asTestService({ baseUrl, dataDir, managerToken, call }, postgres.url));
    const port = Number(new URL(baseUrl).port);
    return {
      ...{ baseUrl, port, dataDir, ours, theirs, share, call },
      grpcPort: await findGrpcPort(port),
      processorMs: () => processorMsOf(service.pid),
    };
  });
}

/** Bytes and streams as they are, and everything else as JSON. */
function toBody(body: unknown): BodyInit {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** As the support of the tests has a service. */
function asTestService(
  { call, ...scene }: Pick<Scene, 'baseUrl' | 'dataDir' | 'call'> & { readonly managerToken: string },
  databaseUrl: string,
): TestService {
  return {
    ...scene,
    databaseUrl,
    async call(method: string, path: string, options: CallOptions = {}) {
      const reply = await call(method, path, { token: scene.managerToken, ...options });
      const text = await reply.text();
      const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
      const { status, headers } = reply;
      return { status, headers, text, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined };
    },
  } as unknown as TestService;
}

/** The service tells it to those who speak HTTP/2 to the port of the API. */
async function findGrpcPort(port: number): Promise<number> {
  const { sendRaw } = await import('../../libs/http-edge/src/fixtures/send-raw.ts');
  return Number(GRPC.exec(await sendRaw(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))?.[1]);
}

async function processorMsOf(pid: number): Promise<number> {
  let nanos = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    nanos += Number(text.split(' ')[0]);
  }
  return nanos / NANOS_PER_MS;
}
