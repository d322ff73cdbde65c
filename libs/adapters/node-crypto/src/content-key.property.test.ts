import { createDecipheriv, createHash, createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ByteRange, type ContentKey, FRAME_BYTES, sealedSizeOf, VaultError } from '@answer-evidence/ports';
import { createContentKeys } from './content-key.ts';
import { unseal } from './sealing.ts';

const WORKSPACE_ID = '0199f3c2-0000-7000-8000-000000000001';
const CONTENT_ID = '0199f3c2-1111-7000-8000-0000000000ab';
const SEALED_FRAME_BYTES = FRAME_BYTES + 16;
const wrappingKey = createSecretKey(Buffer.alloc(32, 7));
const keys = createContentKeys(WORKSPACE_ID, wrappingKey);

async function* inPieces(bytes: Uint8Array, pieceBytes = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

async function seal(plaintext: Uint8Array, pieceBytes?: number) {
  const key = keys.create(CONTENT_ID);
  const sealing = key.seal(inPieces(plaintext, pieceBytes));
  return { key, sealed: await collect(sealing.sealed), ...sealing.finish() };
}

/** What comes out, and whether it ended in a refusal; reads are noted. */
async function openAll(key: ContentKey, sealed: Uint8Array, sizeBytes: number, range?: ByteRange) {
  const reads: ByteRange[] = [];
  const parts: Uint8Array[] = [];
  const pieces = key.open({
    sizeBytes,
    ...(range === undefined ? {} : { range }),
    readSealed(wanted) {
      reads.push(wanted);
      return inPieces(sealed.subarray(wanted.offset, wanted.offset + wanted.length), 50_000);
    },
  });
  try {
    for await (const piece of pieces) parts.push(piece);
    return { plaintext: Buffer.concat(parts), reads, refusal: undefined };
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return { plaintext: Buffer.concat(parts), reads, refusal: error };
  }
}

/** Around the edges of frames. */
const size = fc.oneof(
  fc.integer({ min: 0, max: 3 * FRAME_BYTES + 5 }),
  fc.constantFrom(0, 1, FRAME_BYTES - 1, FRAME_BYTES, FRAME_BYTES + 1, 2 * FRAME_BYTES),
);
const content = fc
  .tuple(size, fc.integer({ min: 1, max: 255 }))
  .map(([sizeBytes, factor]) => Uint8Array.from({ length: sizeBytes }, (_, n) => (n * factor + (n >> 9)) & 0xff));

describe('a sealed content', () => {
  it('opens as what was sealed, with its hash and size, however its pieces were cut', () =>
    fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1_000, max: 200_000 }), async (plaintext, pieceBytes) => {
        const { key, sealed, sizeBytes, sha256 } = await seal(plaintext, pieceBytes);
        expect(sealed.length).toBe(sealedSizeOf(plaintext.length));
        expect({ sizeBytes, sha256: Buffer.from(sha256) }).toEqual({
          sizeBytes: plaintext.length,
          sha256: createHash('sha256').update(plaintext).digest(),
        });
        const opened = await openAll(keys.open(CONTENT_ID, key.wrapped), sealed, plaintext.length);
        expect(opened.refusal).toBeUndefined();
        expect(opened.plaintext.equals(plaintext)).toBe(true);
      }),
      { numRuns: 30 },
    ));

  it('opens in any range, reading the frames of that range and no others', () =>
    fc.assert(
      fc.asyncProperty(content, fc.nat(), fc.nat(), async (plaintext, a, b) => {
        const { key, sealed } = await seal(plaintext);
        const offset = a % (plaintext.length + 1);
        const length = b % (plaintext.length - offset + 1);
        const opened = await openAll(key, sealed, plaintext.length, { offset, length });
        expect(opened.plaintext.equals(plaintext.subarray(offset, offset + length))).toBe(true);
        const read = opened.reads.reduce((sum, range) => sum + range.length, 0);
        const frames = Math.floor((offset + length + FRAME_BYTES - 1) / FRAME_BYTES) - Math.floor(offset / FRAME_BYTES);
        expect(read).toBeLessThanOrEqual(Math.max(1, frames) * SEALED_FRAME_BYTES + 1);
        for (const outside of [
          { offset, length: plaintext.length - offset + 1 },
          { offset: -1, length: 1 },
          { offset: 0.5, length: 0 },
        ])
          await expect(openAll(key, sealed, plaintext.length, outside)).rejects.toThrow(RangeError);
      }),
      { numRuns: 30 },
    ));

  it('with one flipped bit yields the frames before it and nothing of its own', () =>
    fc.assert(
      fc.asyncProperty(content, fc.nat(), fc.integer({ min: 0, max: 7 }), async (plaintext, place, bit) => {
        const { key, sealed } = await seal(plaintext);
        const at = place % sealed.length;
        sealed.writeUInt8(sealed.readUInt8(at) ^ (1 << bit), at);
        const opened = await openAll(key, sealed, plaintext.length);
        expect(opened.refusal).toBeDefined();
        const before = Math.floor(at / SEALED_FRAME_BYTES) * FRAME_BYTES;
        expect(opened.plaintext.equals(plaintext.subarray(0, before))).toBe(true);
      }),
      { numRuns: 30 },
    ));

  const twoFrames = 2 * FRAME_BYTES;
  const cut = SEALED_FRAME_BYTES;
  it.each<readonly [string, (sealed: Buffer) => Uint8Array, number]>([
    ['is cut short by a byte', (sealed) => sealed.subarray(0, -1), twoFrames],
    ['has lost its last frame', (sealed) => sealed.subarray(0, cut), twoFrames],
    ['has lost its last frame, and the size says so too', (sealed) => sealed.subarray(0, cut), FRAME_BYTES],
    ['has lost its first frame', (sealed) => sealed.subarray(cut), FRAME_BYTES],
    ['has its frames in another order', (s) => Buffer.concat([s.subarray(cut), s.subarray(0, cut)]), twoFrames],
    ['has a frame twice', (s) => Buffer.concat([s.subarray(0, cut), s.subarray(0, cut)]), twoFrames],
    ['has a byte behind it', (sealed) => Buffer.concat([sealed, Buffer.alloc(1)]), twoFrames],
    ['has its last frame once more behind it', (s) => Buffer.concat([s, s.subarray(cut)]), twoFrames + FRAME_BYTES],
    ['is empty', () => Buffer.alloc(0), twoFrames],
  ])('does not open to its end when it %s', async (_, alter, sizeBytes) => {
    const { key, sealed } = await seal(Buffer.alloc(twoFrames, 'ab'));
    const opened = await openAll(key, alter(sealed), sizeBytes);
    expect(opened.refusal).toBeDefined();
    expect(opened.plaintext.length).toBeLessThan(sizeBytes);
  });

  it('opens under its own key, workspace and id only', async () => {
    const { key, sealed } = await seal(Buffer.from('text'));
    const another = await seal(Buffer.from('text'));
    expect((await openAll(another.key, sealed, 4)).refusal).toBeDefined();
    const otherId = CONTENT_ID.replace(/ab$/, 'cd');
    expect(() => keys.open(otherId, key.wrapped)).toThrow(VaultError);
    expect(() => createContentKeys(otherId, wrappingKey).open(CONTENT_ID, key.wrapped)).toThrow(VaultError);
  });
});

describe('a content key', () => {
  it('seals once, and never when it was opened', async () => {
    const { key } = await seal(Buffer.from('text'));
    expect(() => key.seal(inPieces(Buffer.from('more')))).toThrow(VaultError);
    expect(() => keys.open(CONTENT_ID, key.wrapped).seal(inPieces(Buffer.from('more')))).toThrow(VaultError);
  });

  it('tells no hash of what did not come to its end', async () => {
    const failure = new Error('left');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* inPieces(Buffer.alloc(200_000));
      throw failure;
    }
    const sealing = keys.create(CONTENT_ID).seal(failing());
    await expect(collect(sealing.sealed)).rejects.toBe(failure);
    expect(() => sealing.finish()).toThrow(VaultError);
  });

  it('makes the bytes of docs/formats/records.md', async () => {
    const { key, sealed } = await seal(Buffer.concat([Buffer.alloc(FRAME_BYTES, 'a'), Buffer.from('end')]));
    const place = `11:content-key36:${WORKSPACE_ID}36:${CONTENT_ID}`;
    const bytes = unseal(wrappingKey, place, key.wrapped);
    const openRaw = (nonce: string, frame: Buffer) => {
      const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(nonce, 'hex'), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(`13:content-frame36:${WORKSPACE_ID}36:${CONTENT_ID}`));
      decipher.setAuthTag(frame.subarray(-16));
      return Buffer.concat([decipher.update(frame.subarray(0, -16)), decipher.final()]).toString();
    };
    expect(openRaw('000000000000000000000000', sealed.subarray(0, SEALED_FRAME_BYTES))).toBe('a'.repeat(FRAME_BYTES));
    expect(openRaw('000000000000000000000101', sealed.subarray(SEALED_FRAME_BYTES))).toBe('end');
  });
});

describe('a content on its way', () => {
  const FRAMES = 50;
  /** Frames one by one, counted when they are asked for. */
  async function* counted(frames: () => Iterable<Uint8Array>, count: () => void): AsyncGenerator<Uint8Array> {
    for (const frame of frames()) {
      count();
      yield await Promise.resolve(frame);
    }
  }

  it('is never further ahead than one frame, sealing or opening, however long it is', async () => {
    const key = keys.create(CONTENT_ID);
    const frame = Buffer.alloc(FRAME_BYTES, 'a');
    let asked = 0;
    const sealing = key.seal(
      counted(
        () => Array.from({ length: FRAMES }, () => frame),
        () => asked++,
      ),
    );
    const sealed: Uint8Array[] = [];
    for await (const piece of sealing.sealed) {
      sealed.push(piece);
      expect(asked).toBeLessThanOrEqual(sealed.length + 1);
    }
    asked = 0;
    let opened = 0;
    const pieces = key.open({
      sizeBytes: FRAMES * FRAME_BYTES,
      readSealed: () =>
        counted(
          () => sealed,
          () => asked++,
        ),
    });
    for await (const piece of pieces) {
      opened += piece.length / FRAME_BYTES;
      expect(asked).toBeLessThanOrEqual(opened + 1);
    }
    expect([sealed.length, opened]).toEqual([FRAMES, FRAMES]);
  });

  it('is given up by anyone who reads it, at its source', async () => {
    const key = keys.create(CONTENT_ID);
    const sealed = await collect(key.seal(inPieces(Buffer.alloc(5 * FRAME_BYTES))).sealed);
    let isClosed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* inPieces(sealed);
      } finally {
        isClosed = true;
      }
    }
    for await (const piece of key.open({ sizeBytes: 5 * FRAME_BYTES, readSealed: watched })) {
      expect(piece.length).toBe(FRAME_BYTES);
      break;
    }
    expect(isClosed).toBe(true);
  });
});
