import { EVIDENCE_SEGMENTED_BYTES_MAX, ServiceError } from '@answer-evidence/contracts';
import { SNIFFED_BYTES_MAX } from '@answer-evidence/ports';

/** What was seen of a content that went by. */
export type InspectedContent = {
  /** The first bytes, as many as a sniffer wants. */
  readonly head: Uint8Array;
  /** All of it as text, when it is UTF-8, has no U+0000 and is small enough to be split; without a byte order mark. */
  readonly text: string | undefined;
  /** Whether the head could be the beginning of a text, also where the rest was too much to look at. */
  readonly looksLikeText: boolean;
};

/** A look at a content on its way. */
type Inspection = {
  /** The same bytes. Throws `body_too_large` as soon as the limit is passed, `content_empty` at the end of nothing. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** To be asked when `bytes` has come to its end. */
  finish(): InspectedContent;
};

/** Looks at a content as it goes by. What is kept in memory is bounded by what can be split into segments. */
export function inspectContent(source: AsyncIterable<Uint8Array>, bytesMax: number): Inspection {
  // One run of memory and no list of pieces: anyone who sends them cuts them, and may do so byte by byte.
  let seen = new Uint8Array(SNIFFED_BYTES_MAX);
  let kept = 0;
  let size = 0;
  let isWhole = true;
  async function* pass(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      size += piece.length;
      if (size > bytesMax) throw tooLarge(bytesMax);
      if (size <= EVIDENCE_SEGMENTED_BYTES_MAX) keep(piece);
      else if (isWhole) keepHead(piece);
      yield piece;
    }
    if (size === 0) {
      const detail = 'must have at least one byte';
      throw new ServiceError('content_empty', 'the content is empty', { errors: [{ pointer: '/file', detail }] });
    }
  }
  function keep(piece: Uint8Array): void {
    const end = kept + piece.length;
    if (end > seen.length) {
      const larger = new Uint8Array(Math.max(end, 2 * seen.length));
      larger.set(seen.subarray(0, kept));
      seen = larger;
    }
    seen.set(piece, kept);
    kept = end;
  }
  /** It is too large to be split: what follows its head need not be kept. */
  function keepHead(piece: Uint8Array): void {
    isWhole = false;
    kept = Math.min(kept, SNIFFED_BYTES_MAX);
    seen = seen.slice(0, SNIFFED_BYTES_MAX);
    keep(piece.subarray(0, SNIFFED_BYTES_MAX - kept));
  }
  return {
    bytes: pass(),
    finish() {
      const text = isWhole ? readText(seen.subarray(0, kept), false) : undefined;
      const head = seen.slice(0, Math.min(kept, SNIFFED_BYTES_MAX));
      return { head, text, looksLikeText: isWhole ? text !== undefined : readText(head, true) !== undefined };
    },
  };
}

/** `body_too_large`, as the settings of the workspace have it. */
export function tooLarge(bytesMax: number): ServiceError {
  return new ServiceError('body_too_large', `evidence of this workspace may have at most ${bytesMax} bytes`);
}

/** The text of UTF-8 bytes; with `isCut` the last character may be incomplete. */
function readText(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
