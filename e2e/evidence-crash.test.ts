import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'minio';
import pg from 'pg';
import { findFreePort, openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import {
  readToken,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import {
  beginUpload,
  downloadAsset,
  type EvidencePlace,
  hashOf,
  listAssets,
  uploadFile,
} from './support/evidence-client.ts';
import { openKillingProxy } from './support/killing-proxy.ts';
import { namesIn, OBJECT_PLACES, type ObjectPlace, type ObjectPlaces } from './support/object-places.ts';

const DEADLINE_MS = 240_000;
const HOUR_MICROS = 3_600_000_000;
const MIB = 1024 * 1024;
const nowMicros = () => Date.now() * 1_000;

describe.each(OBJECT_PLACES)('whatever is killed while evidence comes in, %s', (_, openPlaces) => {
  let places: ObjectPlaces;
  let dataDir: string;
  let database: TestDatabase;
  let objects: ObjectPlace;
  let client: pg.Client;
  let service: ServiceProcess;
  let place: EvidencePlace;
  /** The same after each restart. */
  let port: number;
  /** What a test finds: the service and its data go through the kills of all of them. */
  let assetsBefore: readonly string[];
  let namesBefore: number;

  async function start(): Promise<void> {
    const environment = {
      DATABASE_URL: database.url,
      SERVICE_LOG_LEVEL: 'error',
      SERVICE_HTTP_PORT: String(port),
      ...objects.environment,
    };
    service = startProcess({ dataDir, environment });
    const baseUrl = await service.ready;
    const token = await readToken(dataDir);
    place = { baseUrl, token };
  }
  async function restart(): Promise<void> {
    service.kill('SIGKILL');
    await service.exited;
    await start();
  }
  async function listHashes(): Promise<readonly string[]> {
    return (await listAssets(place)).map(({ content_hash: hash }) => hash);
  }
  async function countRows(table: string): Promise<number> {
    const { rows } = await client.query<{ n: string }>(`select count(*)::text as n from answer_evidence.${table}`);
    return Number(rows[0]?.n);
  }
  /** Nothing is half there: what is listed can be read whole, and what can be read is listed. */
  async function assertWhole(added: readonly Uint8Array[]): Promise<void> {
    const assets = await listAssets(place);
    const wanted = [...assetsBefore, ...added.map(hashOf)];
    expect(assets.map(({ content_hash: hash }) => hash).sort()).toEqual(wanted.sort());
    for (const { id, content_hash: hash } of assets)
      expect(hashOf((await downloadAsset(place, id)).content)).toBe(hash);
    const checked = await runOperatorCommand(['ledger-check'], {
      dataDir,
      environment: { DATABASE_URL: database.url, ...objects.environment },
    });
    expect(checked.code === 0 ? '' : checked.stdout + checked.stderr).toBe('');
  }

  beforeAll(async () => {
    places = await openPlaces();
    dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-upload-'));
    database = await openTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    objects = await places.open(dataDir);
    port = await findFreePort();
    await start();
  }, DEADLINE_MS);
  beforeEach(async () => {
    // A test that failed may have left a transaction or no service.
    await client.query('rollback');
    assetsBefore = await listHashes().catch(() => restart().then(listHashes));
    namesBefore = (await namesIn(objects.store)).length;
  }, DEADLINE_MS);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await objects.close();
    await client.end();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
    await places.close();
  }, DEADLINE_MS);

  it(
    'half an upload is no asset and no object; one whose answer was lost is the one that its repetition names',
    async () => {
      const half = randomBytes(12 * MIB);
      const giveUp = await beginUpload(place, half.length, half.subarray(0, 11 * MIB));
      // Something of it has come as far as the store.
      let remains = 0;
      await until('the beginning of the upload', async () => {
        remains = await countRemains(objects, dataDir);
        return remains > 0;
      });
      const content = randomBytes(200_000);
      const proxy = await openKillingProxy(place.baseUrl);
      proxy.arm('answered', () => service.kill('SIGKILL'));
      const lost = await uploadFile({ ...place, baseUrl: proxy.url }, content, { key: 'upload-2' }).catch(
        () => undefined,
      );
      await proxy.close();
      expect(lost).toBeUndefined();
      await restart();
      giveUp();
      expect(remains).toBe(1);
      await assertWhole([content]);
      expect(await namesIn(objects.store)).toHaveLength(namesBefore + 1);
      const again = await uploadFile(place, content, { key: 'upload-2' });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(await namesIn(objects.store)).toHaveLength(namesBefore + 1);
      expect(await objects.store.deleteRemains(nowMicros() + HOUR_MICROS)).toBe(1);
      expect((await uploadFile(place, half)).status).toBe(201);
      await assertWhole([content, half]);
    },
    DEADLINE_MS,
  );

  it(
    'an object without its row is no asset, and the same upload is taken again',
    async () => {
      const content = randomBytes(300_000);
      // The ledger waits for this lock, so the object is there and its row is not.
      await client.query('begin');
      await client.query('select 1 from answer_evidence.ledger_heads for update');
      const lost = uploadFile(place, content, { key: 'upload-1' }).catch(() => undefined);
      await until('the object', async () => (await namesIn(objects.store)).length > namesBefore);
      service.kill('SIGKILL');
      await service.exited;
      await client.query('rollback');
      expect(await lost).toBeUndefined();
      await restart();
      await assertWhole([]);
      expect(await namesIn(objects.store)).toHaveLength(namesBefore + 1);
      const again = await uploadFile(place, content, { key: 'upload-1' });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
      await assertWhole([content]);
      // The orphan is the one that no row names.
      const { rows } = await client.query<{ id: string }>('select id from answer_evidence.evidence_contents');
      const names = await namesIn(objects.store);
      expect(names.filter((name) => !rows.some(({ id }) => name.endsWith(id)))).toHaveLength(1);
      expect(names).toHaveLength(namesBefore + 2);
    },
    DEADLINE_MS,
  );

  it(
    'no acknowledged asset is lost or doubled under load',
    async () => {
      const contents = Array.from({ length: 48 }, (_one, n) => randomBytes(1_000 + n * 9_000));
      const waiting = contents.map((content, n) => ({ content, key: `upload-of-load-${n}` }));
      let acknowledged = 0;
      let kills = 0;
      const deadline = Date.now() + DEADLINE_MS / 2;
      async function lane(): Promise<void> {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          if (Date.now() > deadline) throw new Error('the uploads did not come to their end');
          const reply = await uploadFile(place, one.content, { key: one.key }).catch(() => undefined);
          if (reply?.status === 201) acknowledged++;
          else {
            waiting.push(one);
            await delay(50);
          }
        }
      }
      async function killNowAndThen(): Promise<void> {
        for (const after of [5, 15, 30]) {
          await until('some uploads', () => acknowledged >= after);
          await restart();
          kills++;
        }
      }
      await Promise.all([killNowAndThen(), ...Array.from({ length: 6 }, lane)]);
      await lane();
      expect(kills).toBe(3);
      await assertWhole(contents);
      expect(await countRows('evidence_assets')).toBe(assetsBefore.length + contents.length);
    },
    DEADLINE_MS,
  );
});

/** Beginnings of objects: drafts, or parts. */
async function countRemains({ environment }: ObjectPlace, dataDir: string): Promise<number> {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket = '',
    S3_ACCESS_KEY: accessKey = '',
    S3_SECRET_KEY: secretKey = '',
  } = environment;
  if (endpoint === undefined)
    return (await readdirSizes(join(dataDir, 'objects', '.drafts'))).filter((size) => size > 0).length;
  const { hostname, port } = new URL(endpoint);
  const s3 = new Client({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    region: 'us-east-1',
    accessKey,
    secretKey,
  });
  return (await s3.listIncompleteUploadsQuery(bucket, '', '', '', '')).uploads.length;
}

async function readdirSizes(directory: string): Promise<readonly number[]> {
  const names = await readdir(directory);
  return Promise.all(names.map(async (name) => (await stat(join(directory, name))).size));
}
