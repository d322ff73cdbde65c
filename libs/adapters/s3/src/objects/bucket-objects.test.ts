import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { formatObjectName } from '@answer-evidence/ports';
import { type BucketObjects, openBucketObjects } from './bucket-objects.ts';

const NAME = formatObjectName('0199f3c2-0000-7000-8000-000000000001', '0199f3c2-1111-7000-8000-0000000000ab');
const options = { bucket: 'evidence', accessKey: 'key-of-a-test', secretKey: 'secret-of-a-test', region: 'us-east-1' };

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

async function serve(answer: RequestListener, silenceMs = 200): Promise<BucketObjects> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const objects = await openBucketObjects({ ...options, endpoint: `http://127.0.0.1:${port}`, silenceMs });
  toClose.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => objects.close(),
    () => server.closeAllConnections(),
  );
  toClose.reverse();
  return objects;
}

async function readAll(objects: BucketObjects): Promise<number> {
  let size = 0;
  for await (const piece of objects.read(NAME)) size += piece.length;
  return size;
}

async function* piece(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(10));
}

const misbehaviours: Readonly<Record<string, RequestListener>> = {
  'never answers': () => undefined,
  'hangs up': (request) => request.socket.destroy(),
  'answers 503': (_, response) => void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
  'answers 500 without S3': (_, response) => void response.writeHead(500).end('oops'),
  'is a page': (_, response) => void response.writeHead(302, { location: '/login' }).end('<html>'),
  'has no such bucket': (_, response) => void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>'),
};

describe('a store', () => {
  it.each(Object.entries(misbehaviours))(
    'that %s is unavailable, in bounded time, whatever is asked',
    async (_, answer) => {
      const objects = await serve(answer);
      const refusal = { code: 'object_store_unavailable', message: expect.not.stringContaining('127.0.0.1') };
      await expect(objects.put(NAME, piece())).rejects.toMatchObject(refusal);
      await expect(readAll(objects)).rejects.toMatchObject(refusal);
      await expect(objects.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(refusal);
      await expect(objects.deleteRemains(0)).rejects.toMatchObject(refusal);
    },
  );

  it.each<readonly [string, RequestListener]>([
    [
      'cut',
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
    ],
    ['left hanging', (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x')],
  ])('whose content is %s half-way never gives it out as whole', async (_, answer) => {
    const objects = await serve(answer);
    await expect(readAll(objects)).rejects.toMatchObject({ code: 'object_store_unavailable' });
  });

  it('is not silent while its bytes wait for anyone who reads them, however slowly', async () => {
    const sizeBytes = 32 * 1024 * 1024;
    const objects = await serve((_, response) => void response.writeHead(200).end(Buffer.alloc(sizeBytes)));
    let size = 0;
    for await (const part of objects.read(NAME)) {
      size += part.length;
      // More is to come than the buffers on the way hold, so the connection stands still for three silences.
      if (size === part.length) await new Promise((resolve) => setTimeout(resolve, 700));
    }
    expect(size).toBe(sizeBytes);
  });

  it('gets one part at a time, and nothing more is asked of the source meanwhile', async () => {
    const sizes: number[] = [];
    let asked = 0;
    // Nobody is silent here, and a part of 5 MiB takes a busy machine longer than a moment.
    const objects = await serve((request, response) => {
      const query = new URL(request.url ?? '/', 'http://a').searchParams;
      if (query.has('partNumber')) sizes.push(asked);
      request.resume().on('end', () => {
        const upload = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>';
        const complete =
          '<CompleteMultipartUploadResult><Location>l</Location><Bucket>b</Bucket><Key>k</Key><ETag>e</ETag></CompleteMultipartUploadResult>';
        const isPart = query.has('partNumber');
        response.writeHead(200, { etag: '"e"' }).end(isPart ? '' : query.has('uploads') ? upload : complete);
      });
    }, 30_000);
    const MIB = 1024 * 1024;
    async function* source(): AsyncGenerator<Uint8Array> {
      for (; asked < 23; asked++) yield await Promise.resolve(new Uint8Array(MIB));
    }
    expect(await objects.put(NAME, source())).toBe(23 * MIB);
    // Five to a part; the sixth tells that the part was not the last.
    expect(sizes).toEqual([5, 10, 15, 20, 23]);
  });

  it('that nobody answers for is unavailable at its trial, and what is no S3 server is refused', async () => {
    const gone = await serve(misbehaviours['hangs up'] ?? (() => undefined));
    expect(await gone.check()).toEqual({ kind: 'away' });
    const page = await serve(misbehaviours['is a page'] ?? (() => undefined));
    await expect(page.check()).rejects.toThrow(/not an S3 server/);
  });

  it.each(['http://host/path', 'http://user@host', 'http://host/?x=1'])(
    'is no more than a host: %s',
    async (endpoint) => {
      await expect(openBucketObjects({ ...options, endpoint })).rejects.toThrow(/S3_ENDPOINT/);
    },
  );
});
