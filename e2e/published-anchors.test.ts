import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { findFreePort, hasS3, openTestDatabase, openTestS3 } from '@answer-evidence/testing';
import { runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';
import { copyDatabase } from './support/copy-database.ts';

const DEADLINE_MS = 300_000;
const RECORDS = '/api/answer-audit-logs';

/** Where checkpoints are published, and what a policy says of it. */
type Place = {
  readonly anchor: object;
  readonly environment: Readonly<Record<string, string>>;
  /** How the place is named to an operator. */
  readonly words: RegExp;
  /** Puts something there that is no checkpoint of the log. */
  litter(): Promise<void>;
  close(): Promise<void>;
};

function openFolder(dataDir: string): Promise<Place> {
  const folder = join(dataDir, 'anchors');
  return Promise.resolve({
    anchor: { id: 'disk', type: 'file' },
    environment: {},
    words: /the anchor "disk" has .* \(seen at \S+\/anchors\/\S+\.jsonl/,
    async litter() {
      for (const name of await readdir(folder)) await appendFile(join(folder, name), '{"note":"demo\\n999\\n"}\n');
    },
    close: () => Promise.resolve(),
  });
}

async function openBucket(): Promise<Place> {
  const { url, accessKey, secretKey, close } = await openTestS3();
  const bucket = `checkpoints-${randomUUID()}`;
  const { port, host } = new URL(url);
  const region = 'us-east-1';
  const access = { endPoint: '127.0.0.1', port: Number(port), useSSL: false, region, accessKey, secretKey };
  const client = new Client(access);
  await client.makeBucket(bucket, region, { ObjectLocking: true });
  return {
    anchor: {
      id: 'bucket',
      type: 'object-lock',
      url,
      bucket,
      region,
      retention_days: 1,
      access_key_id: accessKey,
      secret_access_key: secretKey,
    },
    environment: { SERVICE_OUTBOUND_ALLOW: host },
    words: /the anchor "bucket" has .* \(seen at \S+\/newest-first\/\S+ in the bucket checkpoints-/,
    async litter() {
      const { objects } = await client.listObjectsV2Query(bucket, '', '', '', 10, '');
      const folder = objects[0]?.name?.replace(/[^/]*$/, '') ?? '';
      await client.putObject(bucket, `${folder}0000000000000000-9007199254740991-0`, 'demo\n9007199254740991\n');
    },
    close,
  };
}

const PLACES: readonly (readonly [string, (dataDir: string) => Promise<Place>])[] = [
  ['the folder of the file anchor', openFolder],
  ...(hasS3() ? [['a bucket of a real S3 server', openBucket] as const] : []),
];

/** Records an answer, has the log anchored, and returns how many entries it has then. */
async function anchorOne({ call }: TestService): Promise<number> {
  const created = await call('POST', RECORDS, { body: answer('to be anchored') });
  expect(created.status).toBe(201);
  const size: number = created.body.ledger.leaf_index + 1;
  expect((await call('POST', '/api/trust/anchors/run', { body: {} })).status).toBe(202);
  await until('the anchor', async () => {
    const { items } = (await call('GET', '/api/trust/anchors')).body;
    return items.some(
      ({ state, tree_size: anchored }: { state: string; tree_size: number }) =>
        state === 'confirmed' && anchored >= size,
    );
  });
  return size;
}

describe.each(PLACES)('a log that was rolled back behind what is published in %s', (_, openPlace) => {
  it(
    'is stopped at the start, although its heads are lost and it was adopted, and goes on on the right database',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-published-'));
      const dataDir = join(folder, 'data');
      const database = await openTestDatabase();
      const place = await openPlace(dataDir);
      const metrics = String(await findFreePort());
      const open = (databaseUrl: string) =>
        openTestService({
          share: { databaseUrl, dataDir },
          environment: { ...place.environment, SERVICE_METRICS_PORT: metrics },
        });
      const lookAt = (path: string) => fetch(`http://127.0.0.1:${metrics}${path}`).then((reply) => reply.text());
      try {
        const first = await open(database.url);
        const policy = { ...EAGER_POLICY, anchors: [place.anchor] };
        expect((await first.call('PUT', '/api/trust/policy', { body: policy })).status).toBe(200);
        await anchorOne(first);
        await first.stop();
        const older = await copyDatabase(database.url);
        const second = await open(database.url);
        const size = await anchorOne(second);
        await second.stop();

        await rm(join(dataDir, 'heads'), { recursive: true });
        const environment = { DATABASE_URL: older };
        expect((await runOperatorCommand(['heads-adopt', '--all'], { dataDir, environment })).code).toBe(0);
        // The second time it is the claim beside the heads that speaks.
        for (let n = 0; n < 2; n++) {
          const stopped = await open(older);
          const line = stopped.reports.find((report) => report.startsWith('a log is stopped'));
          expect(line).toMatch(place.words);
          expect(line).toMatch(
            new RegExp(
              `"demo" was rolled back: .* has seen ${size} entries.* held .*npm run operator -- ledger-recover`,
            ),
          );
          expect(await stopped.call('POST', RECORDS, { body: answer('a second history') })).toMatchObject({
            status: 500,
            body: { code: 'content_damaged' },
          });
          const { body: report } = await stopped.call('POST', '/api/trust/ledger-checks', { body: {} });
          expect(report).toMatchObject({ outcome: 'FAIL', findings_total: 1, findings: [{ check: 'outside_head' }] });
          expect(report.findings[0].detail).toMatch(new RegExp(`the anchor .* has seen ${size} entries.* held \\d+$`));
          expect(JSON.parse(await lookAt('/readyz'))).toMatchObject({
            ok: false,
            failing: ['ledger'],
            stopped_logs: 1,
          });
          expect(await lookAt('/metrics')).toMatch(/^ledger_logs_stopped 1$/m);
          await stopped.stop();
        }

        const checked = await runOperatorCommand(['ledger-check', '--json'], { dataDir, environment });
        expect([checked.code, ...checked.stdout.split('\n').map((line) => JSON.parse(line))]).toEqual([
          1,
          expect.objectContaining({
            workspace: 'demo',
            outcome: 'FAIL',
            findings: [expect.objectContaining({ check: 'outside_head', detail: expect.stringMatching(place.words) })],
          }),
        ]);

        await place.litter();
        const right = await open(database.url);
        expect(right.reports.filter((report) => report.startsWith('a log is stopped'))).toEqual([]);
        expect(right.reports).toContainEqual(expect.stringMatching(/was not read in full: 1 of its \d newest notes/));
        expect(await lookAt('/metrics')).toMatch(/^trust_anchors_unread 1$/m);
        await anchorOne(right);
        await right.stop();
      } finally {
        await place.close();
        await database.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    DEADLINE_MS,
  );
});
