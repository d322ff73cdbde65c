import { sha256, sha256Hex } from '@answer-evidence/digest';
import { canonicalize, concatBytes, parseHex, utf8 } from '@answer-evidence/encoding';
import { leafHash } from '@answer-evidence/merkle';

const LABEL = utf8('answer-evidence/segment/v1\n');
/** Size of a segment's salt in bytes. */
export const SEGMENT_SALT_BYTES = 16;

/** What the tree of an asset says of one segment: its id, and the salted hash of its content. */
export type SegmentIdentity = { readonly segment_id: string; readonly hash: string };

/**
 * `sha256:` of SHA-256("answer-evidence/segment/v1\n" ‖ 16-byte salt ‖ SHA-256(content)). Salt and content are erased
 * together; the hash then says nothing about the content, not even to somebody who guesses it. It is made from the
 * content's digest, so that an asset of a gigabyte needs no second reading: its one segment has the digest that its
 * upload was given anyway.
 */
export function hashSegment(salt: Uint8Array, contentDigest: Uint8Array): string {
  return `sha256:${sha256Hex(concatBytes(LABEL, salt, contentDigest))}`;
}

/** The hash of a segment's text, whose content is its UTF-8 bytes; `salt` is hex. */
export function hashSegmentText(salt: string, text: string): string {
  return hashSegment(parseHex(salt, SEGMENT_SALT_BYTES), sha256(text));
}

/** The leaf hash of a segment in the tree of its asset: RFC 9162 over the JCS text of exactly `{hash, segment_id}`. */
export function segmentLeaf({ segment_id, hash }: SegmentIdentity): Uint8Array {
  return leafHash(canonicalize({ segment_id, hash }));
}
