import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StageName } from '@answer-evidence/runtime';
import { type Role, ROLE_NAMES, ROLES } from '@answer-evidence/runtime/roles';
import { REPOSITORY } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 60_000;

/** What a process of each app opens besides the stores. */
const OPENS: Readonly<Record<Role, readonly string[]>> = {
  'all-in-one': ['bucket', 'anchors'],
  'ingest-api': [],
  'evidence-store': ['bucket'],
  'trust-worker': ['anchors'],
  'reconciliation-worker': [],
  'otlp-ingester': [],
};

const PATHS: Readonly<Record<StageName, string>> = {
  workspace: '/api/whoami',
  ingest: '/api/answer-audit-logs',
  evidence: '/api/evidence-assets',
  trust: '/api/trust/policy',
  reconcile: '/api/reconciliations/runs',
  otlp: '/api/answer-audit-logs/otel/unattached',
  console: '/console/',
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

describe.each(ROLE_NAMES)('%s', (app) => {
  const stages: readonly StageName[] = ROLES[app];
  const opens = OPENS[app];
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

  it('has an app that names it', async () => {
    expect(await readFile(join(REPOSITORY, 'apps', app, 'src/main.ts'), 'utf8')).toContain(`runRole('${app}'`);
  });

  it('opens what its stages need, and nothing that only others need', async () => {
    const folders = await readdir(service.dataDir);
    const opened = [
      ...(store.calls() > 0 ? ['bucket'] : []),
      ...['anchors', 'objects'].filter((name) => folders.includes(name)),
    ];
    expect(opened).toEqual(opens);
    const saidOfStore = service.reports.filter((line) => line.includes('object store'));
    expect(saidOfStore).toHaveLength(opens.includes('bucket') ? 1 : 0);
  });

  it('serves the routes of its stages, and describes those of the whole host', async () => {
    for (const [stage, path] of Object.entries(PATHS)) {
      const { status } = await service.call('GET', path);
      expect([stage, status]).toEqual([stage, stages.includes(stage as StageName) ? 200 : 404]);
    }
    const host = await service.call('GET', '/.well-known/answer-evidence', { token: null });
    expect([host.status, host.body.kind]).toEqual([200, 'workspace-api']);
    const { paths } = (await service.call('GET', '/api/openapi.json')).body as { paths: Record<string, unknown> };
    for (const [stage, path] of Object.entries(PATHS))
      expect([path, Object.keys(paths).includes(path)]).toEqual([path, stage !== 'console']);
  });
});
