import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { utf8 } from '@answer-evidence/encoding';
import {
  type ByteRange,
  type ContentKey,
  FRAME_BYTES,
  FRAME_TAG_BYTES,
  type SealedContent,
  sealedSizeOf,
  VaultError,
} from '@answer-evidence/ports';
import { type FrameCipher, openFrame, sealFrame } from './content-frames.ts';
import { KEY_BYTES } from './derive-key.ts';
import { PieceReader } from './piece-reader.ts';
import { systemRandom } from './random.ts';
import { formatAssociated, seal, unseal } from './sealing.ts';

const SEALED_FRAME_BYTES = FRAME_BYTES + FRAME_TAG_BYTES;

/** Makes and opens the keys of a workspace's contents. `wrappingKey` is the workspace's for this use. */
type ContentKeys = {
  create(contentId: string): ContentKey;
  open(contentId: string, wrapped: Uint8Array): ContentKey;
};

/** The content keys of one workspace. */
export function createContentKeys(workspaceId: string, wrappingKey: KeyObject): ContentKeys {
  const wrapping = (contentId: string) => formatAssociated('content-key', workspaceId, contentId);
  return {
    create(contentId) {
      const bytes = systemRandom.bytes(KEY_BYTES);
      const wrapped = seal(wrappingKey, wrapping(contentId), bytes);
      return createContentKey(workspaceId, contentId, bytes, wrapped, 'may seal');
    },
    open(contentId, wrapped) {
      const bytes = unseal(wrappingKey, wrapping(contentId), wrapped);
      if (bytes.length !== KEY_BYTES) throw new VaultError('a content key has the wrong length');
      return createContentKey(workspaceId, contentId, bytes, wrapped, 'only opens');
    },
  };
}

/** Takes over `bytes` and leaves zeros in them. */
function createContentKey(
  workspaceId: string,
  contentId: string,
  bytes: Uint8Array,
  wrapped: Uint8Array,
  use: 'may seal' | 'only opens',
): ContentKey {
  const cipher: FrameCipher = {
    key: createSecretKey(bytes),
    associated: utf8(formatAssociated('content-frame', workspaceId, contentId)),
  };
  bytes.fill(0);
  // Nonces are the numbers of frames, so a second content under the key would give both away.
  let isSpent = use === 'only opens';
  return {
    wrapped,
    seal(plaintext) {
      if (isSpent) throw new VaultError('a content key seals one content, once');
      isSpent = true;
      return createSealing(cipher, plaintext);
    },
    open: ({ sizeBytes, range = { offset: 0, length: sizeBytes }, readSealed }) =>
      openRange(cipher, sizeBytes, range, readSealed),
  };
}

function createSealing(cipher: FrameCipher, plaintext: AsyncIterable<Uint8Array>): ReturnType<ContentKey['seal']> {
  let finished: SealedContent | undefined;
  async function* sealAll(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    let number = 0;
    const frame = new Uint8Array(FRAME_BYTES);
    let filled = 0;
    for await (const piece of plaintext) {
      hash.update(piece);
      sizeBytes += piece.length;
      for (let at = 0; at < piece.length;) {
        // Only now that more has come: which frame is the last is known at the end.
        if (filled === FRAME_BYTES) {
          yield sealFrame(cipher, number++, false, frame);
          filled = 0;
        }
        const part = piece.subarray(at, at + FRAME_BYTES - filled);
        frame.set(part, filled);
        filled += part.length;
        at += part.length;
      }
    }
    yield sealFrame(cipher, number, true, frame.subarray(0, filled));
    finished = { sizeBytes, sha256: new Uint8Array(hash.digest()) };
  }
  return {
    sealed: sealAll(),
    finish() {
      if (finished === undefined) throw new VaultError('a content was not sealed to its end');
      return finished;
    },
  };
}

async function* openRange(
  cipher: FrameCipher,
  sizeBytes: number,
  { offset, length }: ByteRange,
  readSealed: (range: ByteRange) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const end = offset + length;
  if (![sizeBytes, offset, length].every((n) => Number.isSafeInteger(n) && n >= 0) || end > sizeBytes)
    throw new RangeError('a range must lie within its content');
  // An empty content has a frame all the same, which says that it is empty.
  if (length === 0 && sizeBytes > 0) return;
  const last = Math.max(1, Math.ceil(sizeBytes / FRAME_BYTES)) - 1;
  const first = Math.floor(offset / FRAME_BYTES);
  const final = Math.max(first, Math.ceil(end / FRAME_BYTES) - 1);
  const sealedOffset = first * SEALED_FRAME_BYTES;
  const sealedEnd = final === last ? sealedSizeOf(sizeBytes) + 1 : (final + 1) * SEALED_FRAME_BYTES;
  const reader = new PieceReader(readSealed({ offset: sealedOffset, length: sealedEnd - sealedOffset }));
  try {
    for (let number = first; number <= final; number++) {
      const isLast = number === last;
      const frameStart = number * FRAME_BYTES;
      const frameBytes = isLast ? sizeBytes - frameStart : FRAME_BYTES;
      const sealed = await reader.take(frameBytes + FRAME_TAG_BYTES);
      if (sealed === undefined) throw new VaultError('a sealed content is truncated');
      if (isLast && !(await reader.isAtEnd())) throw new VaultError('there are bytes after a sealed content');
      const plaintext = openFrame(cipher, number, isLast, sealed);
      const wanted = plaintext.subarray(Math.max(0, offset - frameStart), Math.min(frameBytes, end - frameStart));
      if (wanted.length > 0) yield wanted;
    }
  } finally {
    await reader.close();
  }
}
