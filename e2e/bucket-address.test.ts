import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import {
  hasS3,
  isInstalled,
  openTestDatabase,
  openTestS3,
  S3_DOMAIN,
  type TestDatabase,
  type TestS3,
} from '@answer-evidence/testing';
import { readToken, runApp, startProcess } from '../tools/scenery/service-process.ts';
import { downloadAsset, uploadFile } from './support/evidence-client.ts';

const BUCKET = 'evidence';
const PRELOAD = fileURLToPath(new URL('support/local-names.mjs', import.meta.url));
const NODE_OPTIONS = ['--disable-sigusr1', '--import', PRELOAD];
const MINUTE_MS = 60_000;

(hasS3() ? describe : describe.skip)('a real S3 server with a domain of its own', () => {
  let dataDir: string;
  let database: TestDatabase;
  let store: TestS3;
  let client: Client;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-bucket-'));
    [database, store] = await Promise.all([openTestDatabase(), openTestS3()]);
    const { port } = new URL(store.url);
    const { accessKey, secretKey } = store;
    client = new Client({ endPoint: '127.0.0.1', port: Number(port), useSSL: false, accessKey, secretKey });
    await client.makeBucket(BUCKET);
    settings = {
      DATABASE_URL: database.url,
      S3_ENDPOINT: `http://${S3_DOMAIN}:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    };
  }, 3 * MINUTE_MS);
  afterAll(async () => {
    await store.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }, MINUTE_MS);

  /** The lines of the doctor about the bucket and the clocks; `shift` as `faketime` understands it. */
  async function inspect(environment: Readonly<Record<string, string>>, shift?: string): Promise<readonly string[]> {
    const { stdout } = await runApp('operator', ['doctor'], {
      dataDir,
      environment: { ...settings, ...environment, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      nodeOptions: NODE_OPTIONS,
      ...(shift === undefined ? {} : { prefix: ['faketime', '-f', shift] }),
    });
    return stdout.split('\n').filter((line) => /^\w+ (bucket\.|\w+\.clock)/.test(line));
  }

  it.each([
    ['path', `as ${S3_DOMAIN}/${BUCKET}`],
    ['virtual-host', `as ${BUCKET}.${S3_DOMAIN}`],
  ])(
    'keeps evidence that is addressed in the style %s',
    async (style, words) => {
      const environment = { S3_URL_STYLE: style };
      expect(await inspect(environment)).toEqual(
        expect.arrayContaining([
          'PASS bucket.usable: an object was written, read, listed and deleted',
          `PASS bucket.url-style: ${words}`,
        ]),
      );
      const options = { dataDir, environment: { ...settings, ...environment }, nodeOptions: NODE_OPTIONS };
      const service = startProcess(options);
      try {
        const place = { baseUrl: await service.ready, token: await readToken(dataDir) };
        const uploaded = await uploadFile(place, Buffer.from(`kept in the style ${style}\n`));
        expect(uploaded.status).toBe(201);
        const { content } = await downloadAsset(place, uploaded.body.id as string);
        expect(content.toString()).toBe(`kept in the style ${style}\n`);
      } finally {
        await service.stop();
      }
    },
    2 * MINUTE_MS,
  );

  it(
    'does not have the bucket under another name, in either style',
    async () => {
      for (const style of ['path', 'virtual-host'])
        expect(await inspect({ S3_URL_STYLE: style, S3_BUCKET: 'nowhere' })).toContainEqual(
          expect.stringMatching(/^FAIL bucket\.usable: .* there is no such bucket: create it, or correct S3_BUCKET/),
        );
    },
    2 * MINUTE_MS,
  );

  it(
    'is asked for object lock when it is to be an anchor, and again by the start and the doctor',
    async () => {
      const bucket = 'anchors';
      await client.makeBucket(bucket, 'us-east-1', { ObjectLocking: true });
      const options = { dataDir, environment: settings, nodeOptions: NODE_OPTIONS };
      const service = startProcess(options);
      const anchor = (name: string) => ({
        id: 'locked',
        type: 'object-lock',
        url: store.url,
        bucket: name,
        region: 'us-east-1',
        retention_days: 1,
        access_key_id: store.accessKey,
        secret_access_key: store.secretKey,
      });
      try {
        const [baseUrl, token] = [await service.ready, await readToken(dataDir)];
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
        const url = `${baseUrl}/api/trust/policy`;
        const policy = (await (await fetch(url, { headers })).json()) as object;
        const put = async (name: string) => {
          const body = JSON.stringify({ ...policy, anchors: [anchor(name)] });
          const reply = await fetch(url, { method: 'PUT', headers, body });
          return { status: reply.status, body: await reply.json() };
        };
        const refused = await put(BUCKET);
        expect([refused.status, refused.body.errors]).toEqual([
          422,
          [{ pointer: '/anchors/0/bucket', detail: expect.stringMatching(/with object lock.*create one with it/) }],
        ]);
        expect((await put(bucket)).status).toBe(200);
      } finally {
        await service.stop();
      }
      const inspected = async () => {
        const { stdout } = await runApp('operator', ['doctor'], options);
        return stdout.split('\n').filter((line) => line.includes('anchors.lock'));
      };
      expect(await inspected()).toEqual([expect.stringMatching(/^PASS anchors\.lock: /)]);
      // Somebody makes the bucket anew, without the lock.
      await client.removeBucket(bucket);
      await client.makeBucket(bucket);
      const sentence =
        /nothing can be anchored by "locked" of the workspace "demo": its bucket must be a bucket with object/;
      expect(await inspected()).toEqual([expect.stringMatching(sentence)]);
      const again = startProcess(options);
      await again.ready;
      await again.stop();
      expect(again.stderr).toContainEqual(expect.stringMatching(sentence));
    },
    4 * MINUTE_MS,
  );

  const itWithFaketime = isInstalled('faketime') || process.env.REQUIRE_SERVICES === '1' ? it : it.skip;

  itWithFaketime(
    'is compared with a clock that is really shifted, and so is the database',
    async () => {
      const ahead = await inspect({}, '+40s');
      for (const [name, server] of [
        ['bucket', 'the object store'],
        ['database', 'the database'],
      ])
        expect(ahead).toContainEqual(
          expect.stringMatching(
            new RegExp(
              `^WARN ${name}\\.clock: .*the clock of ${server} is (39|40|41) s behind the clock of this machine; set`,
            ),
          ),
        );
      expect(await inspect({}, '-40s')).toContainEqual(
        expect.stringMatching(/^WARN bucket\.clock: the clock of the object store is (39|40|41) s ahead of the clock/),
      );
      // Beyond a quarter of an hour a store refuses the signature.
      expect(await inspect({}, '+1h')).toContainEqual(
        expect.stringMatching(
          /^FAIL bucket\.usable: .* the clocks of this machine and of the store differ by more than/,
        ),
      );
    },
    3 * MINUTE_MS,
  );
});
