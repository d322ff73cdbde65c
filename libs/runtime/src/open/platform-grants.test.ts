import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { formatObjectName } from '@answer-evidence/ports';
import { openBucketObjects } from '@answer-evidence/s3';
import { type FakeAws, judgeSignature, listen, openFakeAws, withVariables } from '@answer-evidence/testing';
import { parseConfig } from '../ground/config.ts';
import { inspectCredentials } from '../surroundings/inspect-credentials.ts';
import { bucketOf } from './open-object-store.ts';
import { followDatabaseToken } from './platform-grants.ts';

const NAME = formatObjectName('0199f3c2-0000-7000-8000-000000000001', '0199f3c2-1111-7000-8000-0000000000ab');
const PART_BYTES = 5 * 1024 * 1024;
const HOUR_MS = 3_600_000;
/** As on a machine of nobody's: no configuration, no metadata server. */
const BARE = {
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  AWS_EC2_METADATA_DISABLED: 'true',
};

let folder: string;
let aws: FakeAws;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-grants-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  aws = await openFakeAws({ lifetimeMs: HOUR_MS });
});
afterEach(() => aws.close());

const settings = () => parseConfig({ S3_ENDPOINT: aws.url, S3_BUCKET: 'evidence', S3_CREDENTIALS: 'aws' });

const opened: { close(): void }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

async function openBucket(config = settings()) {
  const options = bucketOf(config);
  if (options === undefined) throw new Error('the settings name no bucket');
  const objects = await openBucketObjects(options);
  opened.push(objects);
  return objects;
}

async function* pieces(...contents: readonly (Uint8Array | (() => Promise<void>))[]): AsyncGenerator<Uint8Array> {
  for (const content of contents)
    if (typeof content === 'function') await content();
    else yield content;
}

/** The ways in which a platform gives a role, with what they are set up by. */
const WAYS: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>> = {
  IRSA: async () => {
    await writeFile(join(folder, 'web'), aws.webToken);
    return {
      AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'web'),
      AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/evidence',
      AWS_ENDPOINT_URL_STS: aws.url,
    };
  },
  'EKS pod identity': async () => {
    await writeFile(join(folder, 'pod'), aws.podToken);
    return {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, 'pod'),
    };
  },
  'an ECS task': async () => Promise.resolve({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws.url}/v2/credentials/task` }),
  'EC2 by IMDSv2': async () =>
    Promise.resolve({ AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: aws.url }),
  'keys in the environment': async () => {
    const { accessKey, secret, session } = aws.issue();
    return Promise.resolve({
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secret,
      AWS_SESSION_TOKEN: session,
    });
  },
};
const SAID: Readonly<Record<string, RegExp>> = {
  IRSA: /^the role of AWS_ROLE_ARN, .*, key …\d+, until 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  'EKS pod identity': /^the role of the container .*, until 20/,
  'an ECS task': /^the role of the container .*, until 20/,
  'EC2 by IMDSv2': /^the role of the EC2 instance, key …\d+, until 20/,
  'keys in the environment': /^AWS_ACCESS_KEY_ID in the environment, key …\d+, without an end$/,
};
const byWay = Object.keys(WAYS).map((way) => [way] as const);
const inWay = async <T>(way: string, action: () => Promise<T>): Promise<T> =>
  withVariables({ ...BARE, ...(await WAYS[way]?.()) }, action);

describe('a bucket by the role of the process', () => {
  it.each(byWay)('is written and read by %s, and doctor says which and until when', async (way) => {
    await inWay(way, async () => {
      const objects = await openBucket();
      expect(await objects.check()).toMatchObject({ kind: 'usable' });
      await objects.put(NAME, pieces(new Uint8Array([1, 2, 3])));
      const read: number[] = [];
      for await (const piece of objects.read(NAME)) read.push(...piece);
      expect(read).toEqual([1, 2, 3]);
      const found = await inspectCredentials(settings());
      const bucket = found.find(({ name }) => name === 'credentials.bucket');
      expect(bucket).toMatchObject({ outcome: 'PASS', text: expect.stringMatching(SAID[way] ?? /never/) });
      // Nothing of what signs is told.
      for (const [, accessKey = ''] of aws.asked.join().matchAll(/by (\w+)/g))
        expect(JSON.stringify(found)).not.toContain(aws.secretOf(accessKey));
    });
    expect(aws.asked.filter((line) => line.startsWith('refused'))).toEqual([]);
  });

  it.each(byWay.filter(([way]) => way !== 'keys in the environment'))(
    'goes on when the keys of %s end while a content arrives',
    async (way) => {
      aws.setLifetimeMs(2_500);
      await inWay(way, async () => {
        const objects = await openBucket();
        const part = new Uint8Array(PART_BYTES).fill(7);
        const untilEnded = async () => {
          while (Date.now() <= aws.lastEndsAtMs()) await new Promise((resolve) => setTimeout(resolve, 20));
          // The platform mounts other tokens in the course of time.
          aws.replaceTokens();
          await WAYS[way]?.();
        };
        const content = pieces(part, part, untilEnded, part, untilEnded, part, new Uint8Array(1));
        expect(await objects.put(NAME, content)).toBe(4 * PART_BYTES + 1);
      });
      const keys = new Set(aws.asked.flatMap((line) => /^s3 by (\w+)/.exec(line)?.[1] ?? []));
      expect(keys.size).toBeGreaterThanOrEqual(3);
      expect(aws.objects.get(`objects/${NAME}`)?.length).toBe(4 * PART_BYTES + 1);
    },
    30_000,
  );

  it('goes on with keys that hold while their giver is unavailable, waits when they ended, and comes back', async () => {
    aws.setLifetimeMs(2_000);
    await inWay('an ECS task', async () => {
      const objects = await openBucket();
      await objects.put(NAME, pieces(new Uint8Array(1)));
      aws.setUnavailable(true);
      await objects.put(NAME, pieces(new Uint8Array(2)));
      const refused = await untilRejected(() => objects.put(NAME, pieces(new Uint8Array(3))));
      expect(refused).toMatchObject({ code: 'object_store_unavailable', remedy: 'retry' });
      aws.setUnavailable(false);
      await objects.put(NAME, pieces(new Uint8Array(4)));
    });
    expect(aws.objects.get(`objects/${NAME}`)?.length).toBe(4);
  }, 30_000);

  it('is refused in a sentence where no platform gives anything, or a role that it does not trust', async () => {
    await withVariables(BARE, async () => {
      const objects = await openBucket();
      await expect(objects.check()).rejects.toThrow(
        /^the bucket evidence cannot be used: no credentials of AWS were found: /,
      );
    });
    await inWay('IRSA', async () => {
      aws.replaceTokens();
      const objects = await openBucket();
      await expect(objects.check()).rejects.toThrow(
        /cannot be used: AWS gives no credentials \(InvalidIdentityToken\w*\)/,
      );
      expect(await inspectCredentials(settings())).toContainEqual({
        name: 'credentials.bucket',
        outcome: 'FAIL',
        text: expect.stringContaining('look whether the role exists and trusts this process'),
      });
    });
  });

  it('takes temporary keys of the settings with the token of their session, and says when that ended', async () => {
    const { accessKey, secret, session } = aws.issue();
    const given = { S3_ENDPOINT: aws.url, S3_BUCKET: 'evidence', S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secret };
    const objects = await openBucket(parseConfig({ ...given, S3_SESSION_TOKEN: session }));
    expect(await objects.check()).toMatchObject({ kind: 'usable' });
    const without = await openBucket(parseConfig(given));
    await expect(without.check()).rejects.toThrow('the store does not know the session of the keys');
    aws.setLifetimeMs(-1);
    const ended = aws.issue();
    const late = await openBucket(
      parseConfig({
        ...given,
        S3_ACCESS_KEY: ended.accessKey,
        S3_SECRET_KEY: ended.secret,
        S3_SESSION_TOKEN: ended.session,
      }),
    );
    await expect(late.check()).rejects.toThrow('the session of the keys has ended');
  });
});

async function untilRejected(action: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      await action();
    } catch (error) {
      return error;
    }
  }
}

describe('a bucket by the service account of Google', () => {
  it('is asked with the bearer of the metadata server, and with no signature of keys that nobody has', async () => {
    const seen: unknown[] = [];
    const metadata = await listen((request, response) => {
      if (request.headers['metadata-flavor'] !== 'Google') return void response.writeHead(403).end();
      response.writeHead(200, { 'metadata-flavor': 'Google' });
      response.end(JSON.stringify({ access_token: 'ya29.token', expires_in: 3_599, token_type: 'Bearer' }));
    });
    const storage = await listen((request, response) => {
      seen.push(
        request.headers.authorization,
        Object.keys(request.headers).filter((name) => name.startsWith('x-amz-')),
      );
      response.writeHead(200, { etag: '"e"' }).end();
    });
    await withVariables({ GCE_METADATA_HOST: new URL(metadata.url).host }, async () => {
      const config = parseConfig({ S3_ENDPOINT: storage.url, S3_BUCKET: 'evidence', S3_CREDENTIALS: 'google' });
      const objects = await openBucket(config);
      await objects.put(NAME, pieces(new Uint8Array(1)));
      expect(seen).toEqual(['Bearer ya29.token', []]);
      expect(await inspectCredentials(config)).toContainEqual({
        name: 'credentials.bucket',
        outcome: 'PASS',
        text: expect.stringMatching(/^a token of the service account of Google, until 20/),
      });
    });
    await metadata.close();
    await withVariables({ GCE_METADATA_HOST: new URL(metadata.url).host }, async () => {
      const config = parseConfig({ S3_ENDPOINT: storage.url, S3_BUCKET: 'evidence', S3_CREDENTIALS: 'google' });
      await expect((await openBucket(config)).check()).rejects.toThrow(
        'the metadata server of Google does not respond',
      );
    });
    await storage.close();
  });
});

describe('a token for the owner of the database', () => {
  const DATABASE_URL = 'postgres://evidence_owner@127.0.0.1:5433/ledger';
  const passwordOf = (text: string | undefined) => decodeURIComponent(new URL(text ?? '').password);

  it('is signed by the role for that server and user, and is another one when it is due', async () => {
    await inWay('an ECS task', () =>
      withVariables({ AWS_REGION: 'eu-west-1' }, async () => {
        const reports: string[] = [];
        const given = parseConfig({ DATABASE_URL, DATABASE_CREDENTIALS: 'aws' });
        const { config, stop } = await followDatabaseToken(given, (line) => reports.push(line), 100);
        const first = passwordOf(config.DATABASE_URL);
        const [host, target = ''] = first.split(/(?=\/\?)/);
        expect(host).toBe('127.0.0.1:5433');
        const query = new URLSearchParams(target.slice(2));
        expect(query.get('Action')).toBe('connect');
        expect(query.get('DBUser')).toBe('evidence_owner');
        expect(query.get('X-Amz-Expires')).toBe('900');
        const request = { method: 'GET', target, headers: { host }, body: Buffer.alloc(0) };
        expect(judgeSignature(request, aws.secretOf)).toMatchObject({ service: 'rds-db', region: 'eu-west-1' });
        while (passwordOf(config.DATABASE_URL) === first) await new Promise((resolve) => setTimeout(resolve, 50));
        expect(reports).toEqual([]);
        expect({ ...given }.DATABASE_URL).toBe(DATABASE_URL);
        const found = await inspectCredentials(given);
        expect(found).toContainEqual({
          name: 'credentials.database',
          outcome: 'PASS',
          text: expect.stringMatching(/^a token of the role of the container .* until 20/),
        });
        expect(JSON.stringify(found)).not.toContain('X-Amz-Signature');
        stop();
      }),
    );
  }, 30_000);

  it('is the one of Google, where the settings say so, and none stops the start in a sentence', async () => {
    let token = 'ya29.one';
    const metadata = await listen((_, response) => {
      response.writeHead(200, { 'metadata-flavor': 'Google' });
      response.end(JSON.stringify({ access_token: token, expires_in: 100 }));
    });
    const given = parseConfig({ DATABASE_URL, DATABASE_CREDENTIALS: 'google' });
    await withVariables({ GCE_METADATA_HOST: new URL(metadata.url).host }, async () => {
      const reports: string[] = [];
      const { config, stop } = await followDatabaseToken(given, (line) => reports.push(line), 50);
      expect(passwordOf(config.DATABASE_URL)).toBe('ya29.one');
      token = 'ya29.two/+=';
      while (passwordOf(config.DATABASE_URL) !== token) await new Promise((resolve) => setTimeout(resolve, 20));
      stop();
      await metadata.close();
      await expect(followDatabaseToken(given, () => undefined)).rejects.toMatchObject({
        name: 'StartError',
        message: expect.stringMatching(/^there is no token for the database: the metadata server of Google does not/),
      });
    });
  }, 30_000);
});
