import { sha512 } from '@answer-evidence/digest';
import { concatBytes } from '@answer-evidence/encoding';
import type { ArchivePath } from './archive-tree.ts';

/** An ArchiveTimeStamp of RFC 4998: a token, and the place of what it covers in its hash tree. */
export type ArchiveTimestamp = {
  /** Left out for the first one, which is over the data itself. */
  readonly path?: ArchivePath;
  /** The ContentInfo, DER. */
  readonly token: Uint8Array;
};

/** Chains of time-stamps, oldest first. The time-stamps of a chain are over hashes of one algorithm. */
export type ArchiveChains = readonly (readonly ArchiveTimestamp[])[];

const [OCTET_STRING, SEQUENCE, REDUCED_HASHTREE] = [0x04, 0x30, 0xa2];
const LENGTH_BYTES_MAX = 4;

/** An ArchiveTimeStampSequence (RFC 4998 section 5.1), DER. */
export function encodeArchiveChains(chains: ArchiveChains): Uint8Array {
  return encode(SEQUENCE, ...chains.map((chain) => encode(SEQUENCE, ...chain.map(encodeTimestamp))));
}

/**
 * What the first time-stamp of the next chain covers (RFC 4998 section 5.3): the SHA-512 of the data's SHA-512,
 * followed by that of all chains before.
 */
export function rehashChains(data: Uint8Array, chains: ArchiveChains): Uint8Array {
  return sha512(concatBytes(sha512(data), sha512(encodeArchiveChains(chains))));
}

function encodeTimestamp({ path, token }: ArchiveTimestamp): Uint8Array {
  const groups = path?.map((group) => encode(SEQUENCE, ...group.map((hash) => encode(OCTET_STRING, hash))));
  return encode(SEQUENCE, ...(groups === undefined ? [] : [encode(REDUCED_HASHTREE, ...groups)]), token);
}

function encode(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...contents);
  return concatBytes(Uint8Array.of(tag), encodeLength(content.length), content);
}

/** X.690 section 8.1.3: one octet up to 127; otherwise their number and as few as it takes. */
function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const octets = new Uint8Array(LENGTH_BYTES_MAX);
  new DataView(octets.buffer).setUint32(0, length);
  const significant = octets.subarray(octets.findIndex((octet) => octet !== 0));
  return concatBytes(Uint8Array.of(0x80 | significant.length), significant);
}
