import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StageName } from '@answer-evidence/runtime';
import { REPOSITORY } from './support/service-process.ts';
import { openTestService, type TestService } from './support/test-service.ts';

const DEADLINE_MS = 60_000;

/** What a process of each app opens besides the stores, and a route that it serves. */
const APPS = [
  ['all-in-one', ['workspace', 'ingest', 'evidence', 'trust', 'reconcile', 'otlp'], ['bucket', 'anchors']],
  ['ingest-api', ['workspace', 'ingest'], []],
  ['evidence-store', ['evidence'], ['bucket']],
  ['trust-worker', ['trust'], ['anchors']],
  ['reconciliation-worker', ['reconcile'], []],
  ['otlp-ingester', ['otlp'], []],
] as const satisfies readonly [string, readonly StageName[], readonly string[]][];

const PATHS: Readonly<Record<StageName, string>> = {
  workspace: '/api/whoami',
  ingest: '/api/answer-audit-logs',
  evidence: '/api/evidence-assets',
  trust: '/api/trust/policy',
  reconcile: '/api/reconciliations/runs',
  otlp: '/api/answer-audit-logs/otel/unattached',
};

/** A bucket whose server hangs up on everyone. */
async function openHangingUp(): Promise<{ readonly url: string; calls(): number; close(): Promise<void> }> {
  let calls = 0;
  const server = createServer((socket) => {
    calls += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

describe.each(APPS)('%s', (app, stages, opens) => {
  let store: Awaited<ReturnType<typeof openHangingUp>>;
  let service: TestService;
  let heads: string;

  beforeAll(async () => {
    store = await openHangingUp();
    const bucket = {
      S3_ENDPOINT: store.url,
      S3_BUCKET: 'evidence',
      S3_ACCESS_KEY: 'wrong',
      S3_SECRET_KEY: 'wrong-too',
    };
    // The heads have a place of their own here: in the bucket, every process would need it.
    heads = await mkdtemp(join(tmpdir(), 'answer-evidence-heads-'));
    service = await openTestService({ stages, environment: { ...bucket, SERVICE_HEADS: `folder:${heads}` } });
  }, DEADLINE_MS);

  afterAll(async () => {
    await service.close();
    await store.close();
    await rm(heads, { recursive: true, force: true });
  }, DEADLINE_MS);

  it('runs the stages that its main names', async () => {
    const main = await readFile(join(REPOSITORY, 'apps', app, 'src/main.ts'), 'utf8');
    expect([.../stages: \[(.*?)\]/.exec(main)![1]!.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual(stages);
  });

  it('opens what its stages need, and nothing that only others need', async () => {
    const folders = await readdir(service.dataDir);
    const opened = [
      ...(store.calls() > 0 ? ['bucket'] : []),
      ...['anchors', 'objects'].filter((name) => folders.includes(name)),
    ];
    expect(opened).toEqual(opens);
    const saidOfStore = service.reports.filter((line) => line.includes('object store'));
    expect(saidOfStore).toHaveLength(opens.includes('bucket' as never) ? 1 : 0);
  });

  it('serves the routes of its stages, and describes those of the whole host', async () => {
    for (const [stage, path] of Object.entries(PATHS)) {
      const { status } = await service.call('GET', path);
      expect([stage, status]).toEqual([stage, stages.includes(stage as never) ? 200 : 404]);
    }
    const { paths } = (await service.call('GET', '/api/openapi.json')).body as { paths: Record<string, unknown> };
    for (const path of Object.values(PATHS)) expect(Object.keys(paths)).toContain(path);
  });
});
