import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ledgerCheckReport } from '@answer-evidence/contracts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { downloadAsset, type EvidencePlace, hashOf, uploadFile } from './support/evidence-client.ts';
import { type KeptObjects, openKeptObjects } from './support/kept-objects.ts';

const FRAME = 65_536;
const SEALED_FRAME = FRAME + 16;

let service: TestService;
let place: EvidencePlace;
let objects: KeptObjects;
beforeAll(async () => {
  service = await openTestService();
  place = { baseUrl: service.baseUrl, token: service.managerToken };
  objects = await openKeptObjects(service);
});
afterAll(() => service.close());

/** Uploads a content of its own; returns the name of its object. */
async function keep(content: Uint8Array): Promise<{ readonly id: string; readonly name: string }> {
  const before = await objects.names();
  const reply = await uploadFile(place, content);
  expect(reply).toMatchObject({ status: 201, body: { content_hash: hashOf(content), size_bytes: content.length } });
  const [name] = (await objects.names()).filter((one) => !before.includes(one));
  if (name === undefined) throw new Error('an upload makes an object');
  return { id: reply.body.id, name };
}

async function change(name: string, how: (stored: Buffer) => Buffer): Promise<void> {
  await objects.write(name, how(await objects.read(name)));
}

function flip(name: string, at: number, bytes = 1): Promise<void> {
  return change(name, (stored) => {
    for (let n = at; n < Math.min(at + bytes, stored.length); n++) stored[n] = (stored[n] ?? 0) ^ 1;
    return stored;
  });
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

describe('a stored object', () => {
  it('has nothing of the content in clear', async () => {
    const { name } = await keep(Buffer.from('a sentence that is easily found in a store. '.repeat(5_000)));
    expect((await objects.read(name)).includes('easily found')).toBe(false);
  });

  it('of which a range is asked is read there and nowhere else', async () => {
    const content = randomBytes(10 * FRAME + 123);
    const { id, name } = await keep(content);
    // All else is damaged, so anyone who read it would notice.
    await flip(name, 0, 4 * SEALED_FRAME);
    await flip(name, 6 * SEALED_FRAME, 4 * SEALED_FRAME);
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
    const { id, name } = await keep(content);
    await flip(name, at);
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
    const { id, name } = await keep(content);
    await change(name, (stored) => Buffer.concat([stored, Buffer.alloc(1)]).subarray(0, bytes));
    const received = await receive(id);
    expect(received.isWhole).toBe(false);
    expect(received.content.equals(content.subarray(0, received.content.length))).toBe(true);
  });

  it('that was put in the place of another one is not taken for it', async () => {
    const [one, other] = [randomBytes(size), randomBytes(size)];
    const [first, second] = [await keep(one), await keep(other)];
    await objects.write(first.name, await objects.read(second.name));
    expect((await receive(first.id)).content.length).toBe(0);
  });

  it.each<[string, (name: string) => Promise<void>, RegExp]>([
    ['has a flipped bit', (name) => flip(name, 5 * SEALED_FRAME + 9_999), /was altered/],
    ['is cut', (name) => change(name, (stored) => stored.subarray(0, SEALED_FRAME)), /was altered/],
    ['is empty', (name) => change(name, () => Buffer.alloc(0)), /was altered/],
    ['is gone', (name) => objects.delete(name), /is missing/],
  ])('that %s is named by a ledger check', async (_, damage, detail) => {
    const { id, name } = await keep(randomBytes(size));
    const originalOf = (asset: string) => `original of asset ${asset}`;
    await damage(name);
    const { body } = await service.call('POST', '/api/trust/ledger-checks');
    expect(body).toMatchObject({ outcome: 'FAIL' });
    const { findings, originals } = ledgerCheckReport.parse(body);
    expect(findings.filter(({ object }) => object === originalOf(id))).toMatchObject([
      { check: 'evidence_object', detail: expect.stringMatching(detail) },
    ]);
    expect(originals?.read).toBe(originals?.stored);
    expect((await receive(id)).isWhole).toBe(false);
  });
});
