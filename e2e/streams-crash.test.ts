import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import { issueCertificate, openCuttableRelay, openTestS3, type TestS3 } from '@answer-evidence/testing';
import { readToken, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { copyReadyData } from './support/ready-data.ts';
import { createCollector, judgeArrivals, parseEvents } from './support/stream-collector.ts';

const MINUTES_MS = 60_000;
/** Each with its two events: 2,000 entries and some more. */
const RECORDS = 670;
const AT_ONCE = 10;

let folder: string;
let store: TestS3;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-streams-'));
  store = await openTestS3();
}, MINUTES_MS);
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function readBucket(client: Client, bucket: string): Promise<string> {
  let text = '';
  const names: string[] = [];
  for await (const { name } of client.listObjectsV2(bucket, '', true)) names.push(String(name));
  for (const name of names.toSorted())
    for await (const chunk of await client.getObject(bucket, name)) text += String(chunk);
  return text;
}

describe('2,000 entries to a collector, a syslog receiver and a bucket', () => {
  it(
    'arrive at least once each and in the order of each subject, though each is cut off three times, the service too',
    async () => {
      const extensions = 'basicConstraints=critical,CA:TRUE\nsubjectAltName=IP:127.0.0.1';
      const ca = await issueCertificate(folder, { name: 'receiver', extensions });
      const https = await createCollector('https', folder);
      const syslog = await createCollector('syslog', folder);
      const relay = await openCuttableRelay(store.url);
      closing.push(https.kill, syslog.kill, relay.close);
      const bucket = 'streamed-entries';
      const { port } = new URL(store.url);
      const { accessKey, secretKey } = store;
      const client = new Client({ endPoint: '127.0.0.1', port: Number(port), useSSL: false, accessKey, secretKey });
      await client.makeBucket(bucket);
      await https.start();
      await syslog.start();

      const dataDir = join(folder, 'data');
      await copyReadyData(dataDir);
      const environment = { SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*', SERVICE_RATE_LIMITS: 'off' };
      let service = startProcess({ dataDir, environment });
      let baseUrl = await service.ready;
      closing.push(() => service.kill('SIGKILL'));
      const token = await readToken(dataDir);
      const call = async (method: string, path: string, body?: object) => {
        const response = await fetch(`${baseUrl}${path}`, {
          method,
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect([path, response.status < 300]).toEqual([path, true]);
        return response.json();
      };
      const destinations = {
        https: { type: 'https', url: `http://127.0.0.1:${https.port}/` },
        syslog: { type: 'syslog', host: '127.0.0.1', port: syslog.port, ca_pem: ca },
        bucket: {
          ...{ type: 's3', url: relay.url, bucket, every_seconds: 1, prefix: 'evidence/' },
          ...{ access_key_id: accessKey, secret_access_key: secretKey },
        },
      };
      for (const [name, destination] of Object.entries(destinations))
        await call('POST', '/api/streams', {
          ...{ name, destination, from: 'beginning' },
          format: name === 'bucket' ? 'json' : 'ocsf',
        });

      const isBreak = (n: number) => [200, 400, 600].includes(n);
      for (let n = 0; n < RECORDS; n += AT_ONCE) {
        if (isBreak(n)) {
          // In the midst of what was recorded just now.
          relay.cut();
          await Promise.all([https.kill(), syslog.kill()]);
        }
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, RECORDS - n) }, async (_, one) => {
            const { id } = await call('POST', '/api/answer-audit-logs', answer(`question ${n + one}`, 'words told'));
            for (const event_type of ['voided', 'redacted'])
              await call('POST', `/api/answer-audit-logs/${id}/events`, { event_type });
          }),
        );
        if (!isBreak(n)) continue;
        if (n === 400) {
          service.kill('SIGKILL');
          await service.exited;
          service = startProcess({ dataDir, environment });
          baseUrl = await service.ready;
        }
        await until('each failure is seen', async () => {
          const { items } = await call('GET', '/api/streams');
          return items.every(({ failing_since: since }: any) => since !== null);
        });
        relay.mend();
        await Promise.all([https.start(), syslog.start()]);
      }
      let treeSize = 0;
      await until(
        'everything is sent',
        async () => {
          const { items } = await call('GET', '/api/streams');
          treeSize = items[0].tree_size;
          return items.every(({ waiting }: any) => waiting === 0);
        },
        3 * MINUTES_MS,
      );
      expect(treeSize).toBeGreaterThan(2_000);
      const arrived = {
        https: await https.read(),
        syslog: await syslog.read(),
        bucket: parseEvents(await readBucket(client, bucket)),
      };
      for (const [kind, events] of Object.entries(arrived))
        expect([kind, judgeArrivals(events, treeSize)]).toEqual([kind, { missing: [], late: [] }]);
      const said = JSON.stringify(arrived);
      expect(said).not.toMatch(/question \d|words told/);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    },
    9 * MINUTES_MS,
  );
});
