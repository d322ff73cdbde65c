import type { ByteRange } from './object-store.ts';

/** Plaintext bytes of one frame of a sealed content; the last frame has 1 to as many, or 0 in an empty content. */
export const FRAME_BYTES = 65_536;
/** What each frame grows by: its tag. */
export const FRAME_TAG_BYTES = 16;

/** Bytes of a sealed content of that many bytes. */
export function sealedSizeOf(sizeBytes: number): number {
  return sizeBytes + Math.max(1, Math.ceil(sizeBytes / FRAME_BYTES)) * FRAME_TAG_BYTES;
}

/** What went through a sealing. */
export type SealedContent = {
  readonly sizeBytes: number;
  /** SHA-256 of the plaintext, 32 bytes. */
  readonly sha256: Uint8Array;
};

/** A content on its way to the object store. */
type ContentSealing = {
  /** The sealed bytes (docs/formats/records.md), iterable once; an error of the plaintext is passed on. */
  readonly sealed: AsyncIterable<Uint8Array>;
  /** What was sealed. Throws while `sealed` has not been iterated to its end. */
  finish(): SealedContent;
};

/** The key of one content of any size, sealed once, in frames that authenticate alone, for workspace and content. */
export interface ContentKey {
  /** The key, encrypted under the workspace's key; this is what is stored. */
  readonly wrapped: Uint8Array;
  /** Throws `VaultError` at the second call. */
  seal(plaintext: AsyncIterable<Uint8Array>): ContentSealing;
  /**
   * The plaintext, or a range of it, which must lie within (`RangeError`). `sizeBytes` is the plaintext's whole size as
   * it was recorded. `readSealed` is asked once, for the sealed bytes of whole frames, and for one byte more where the
   * last frame is among them, so that what was appended shows. Each frame is yielded after it authenticated, and the
   * last one when nothing follows it; else throws `VaultError`.
   */
  open(options: {
    readonly sizeBytes: number;
    readonly range?: ByteRange;
    readonly readSealed: (range: ByteRange) => AsyncIterable<Uint8Array>;
  }): AsyncIterable<Uint8Array>;
}
