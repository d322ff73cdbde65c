import { sha256 } from '@answer-evidence/digest';
import { MerkleError } from './merkle-error.ts';

/** Bytes of every leaf hash, node hash and root. */
export const HASH_BYTES = 32;

/** The root of the tree without leaves: SHA-256 of nothing (RFC 9162 section 2.1.1). */
export const EMPTY_ROOT: Uint8Array = sha256('');

/** The hash of a leaf, SHA-256(0x00 ‖ entry), where a string stands for its UTF-8 bytes. */
export function leafHash(entry: Uint8Array | string): Uint8Array {
  if (typeof entry === 'string') return sha256('\0' + entry);
  const input = new Uint8Array(1 + entry.length);
  input.set(entry, 1);
  return sha256(input);
}

/** What the last inner node was hashed from. Of more than 64 bytes, making it anew takes longer than the hash. */
const NODE_INPUT = Uint8Array.of(1, ...EMPTY_ROOT, ...EMPTY_ROOT);

/** The hash of an inner node, SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  // What is shorter than a hash must not leave bytes of the last node behind it.
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) NODE_INPUT.fill(0, 1);
  NODE_INPUT.set(left, 1);
  NODE_INPUT.set(right, 1 + HASH_BYTES);
  return sha256(NODE_INPUT);
}

/** Refuses what is not a SHA-256 hash: a longer one could smuggle a whole subtree into one node. */
export function assertHash(hash: Uint8Array): void {
  if (hash.length !== HASH_BYTES) throw new MerkleError('a hash must have 32 bytes');
}

/** Refuses what cannot count leaves: sizes and indexes are safe integers everywhere in this package. */
export function assertSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new MerkleError('a size or index is not a safe integer');
}

/** Whether two hashes are the same. They are public, so its time may depend on them. */
export function equalHashes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}
