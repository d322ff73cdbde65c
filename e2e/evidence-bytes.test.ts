import { randomBytes } from 'node:crypto';
import { open, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { downloadAsset, type EvidencePlace, hashOf, uploadFile } from './support/evidence-client.ts';
import { openTestService, type TestService } from './support/test-service.ts';

const FRAME = 65_536;
const SEALED_FRAME = FRAME + 16;

let service: TestService;
let place: EvidencePlace;
beforeAll(async () => {
  service = await openTestService();
  place = { baseUrl: service.baseUrl, token: service.managerToken };
});
afterAll(() => service.close());

/** Uploads a content of its own; returns the path of its object. */
async function keep(content: Uint8Array): Promise<{ readonly id: string; readonly path: string }> {
  const before = await objectPaths();
  const reply = await uploadFile(place, content);
  expect(reply).toMatchObject({ status: 201, body: { content_hash: hashOf(content), size_bytes: content.length } });
  const [path] = (await objectPaths()).filter((one) => !before.includes(one));
  if (path === undefined) throw new Error('an upload makes an object');
  return { id: reply.body.id, path };
}

async function objectPaths(): Promise<readonly string[]> {
  const root = join(service.dataDir, 'objects');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function flip(path: string, at: number, bytes = 1): Promise<void> {
  const file = await open(path, 'r+');
  const altered = Buffer.alloc(bytes);
  await file.read(altered, 0, bytes, at);
  await file.write(
    altered.map((byte) => byte ^ 1),
    0,
    bytes,
    at,
  );
  await file.close();
}

/** What arrives of a download before it ends, and whether it ended well. */
async function receive(id: string): Promise<{ readonly content: Buffer; readonly isWhole: boolean }> {
  const response = await fetch(`${place.baseUrl}/api/evidence-assets/${id}/download`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${place.token}` },
  });
  if (response.status !== 200 || response.body === null) return { content: Buffer.alloc(0), isWhole: false };
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response.body) parts.push(part);
    return { content: Buffer.concat(parts), isWhole: true };
  } catch {
    return { content: Buffer.concat(parts), isWhole: false };
  }
}

describe('an object on the disk', () => {
  it('has nothing of the content in clear', async () => {
    const { path } = await keep(Buffer.from('a sentence that is easily found on a disk. '.repeat(5_000)));
    const file = await open(path);
    expect((await file.readFile()).includes('easily found')).toBe(false);
    await file.close();
  });

  it('of which a range is asked is read there and nowhere else', async () => {
    const content = randomBytes(10 * FRAME + 123);
    const { id, path } = await keep(content);
    // All else is damaged, so anyone who read it would notice.
    await flip(path, 0, 4 * SEALED_FRAME);
    await flip(path, 6 * SEALED_FRAME, 4 * SEALED_FRAME);
    const range = { offset: 4 * FRAME + 1_000, length: FRAME };
    const part = await downloadAsset(place, id, range);
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes ${range.offset}-${range.offset + range.length - 1}/${content.length}`,
    ]);
    expect(part.content.equals(content.subarray(range.offset, range.offset + range.length))).toBe(true);
  });

  const size = 8 * FRAME + 77;
  it.each([
    ['its first byte', 0],
    ['a byte in its middle', 5 * SEALED_FRAME + 9_999],
    ['a tag', 3 * SEALED_FRAME - 1],
    ['its last byte', size + 9 * 16 - 1],
  ])('with a flipped bit in %s gives out nothing from there on, and never looks whole', async (_, at) => {
    const content = randomBytes(size);
    const { id, path } = await keep(content);
    await flip(path, at);
    const received = await receive(id);
    expect(received.isWhole).toBe(false);
    expect(received.content.length).toBeLessThanOrEqual(Math.floor(at / SEALED_FRAME) * FRAME);
    expect(received.content.equals(content.subarray(0, received.content.length))).toBe(true);
  });

  it.each([
    ['cut by a byte', size + 9 * 16 - 1],
    ['cut by its last frame', 8 * SEALED_FRAME],
    ['empty', 0],
    ['longer by a byte', size + 9 * 16 + 1],
  ])('that is %s never looks whole', async (_, bytes) => {
    const content = randomBytes(size);
    const { id, path } = await keep(content);
    await truncate(path, bytes);
    const received = await receive(id);
    expect(received.isWhole).toBe(false);
    expect(received.content.equals(content.subarray(0, received.content.length))).toBe(true);
  });

  it('that was put in the place of another one is not taken for it', async () => {
    const [one, other] = [randomBytes(size), randomBytes(size)];
    const [first, second] = [await keep(one), await keep(other)];
    const file = await open(second.path);
    const sealed = await file.readFile();
    await file.close();
    const target = await open(first.path, 'w');
    await target.writeFile(sealed);
    await target.close();
    expect((await receive(first.id)).content.length).toBe(0);
  });
});
