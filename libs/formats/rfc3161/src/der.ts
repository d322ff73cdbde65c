import { type BaseBlock, Constructed, fromBER, ObjectIdentifier } from 'asn1js';
import { equalBytes } from '@answer-evidence/encoding';
import { TimestampError } from './timestamp-error.ts';

/** One element of a DER encoding (X.690), with its bytes as they came. */
export type DerNode = {
  /** The identifier octet: class, form and number in one. */
  readonly tag: number;
  /** The whole element, header and content: what hashes and signatures are over. */
  readonly raw: Uint8Array;
  readonly content: Uint8Array;
  /** Empty for primitive elements. */
  readonly children: readonly DerNode[];
  /** Dotted, of an OBJECT IDENTIFIER. */
  readonly oid: string | undefined;
};

/** Identifier octets of the types that are read here. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const CONSTRUCTED = 0x20;
const TAG_NUMBER_MAX = 30;

/** A token with a chain is 3 to 8 KiB. */
export const DER_SIZE_MAX_BYTES = 64 * 1024;
const DEPTH_MAX = 32;
/** An element has two bytes at least, so the size alone bounds their number. */
const NODES_MAX = DER_SIZE_MAX_BYTES / 2;

/** The identifier octet of `[number]`, primitive. */
export function contextPrimitive(number: number): number {
  return 0x80 | number;
}

/** The identifier octet of `[number]`, constructed. */
export function contextConstructed(number: number): number {
  return 0xa0 | number;
}

/**
 * Reads one element that takes all of the bytes. asn1js reads BER, which has many encodings of one value, so that
 * another reader may see another structure in the same bytes; everything but DER's headers is refused. Size, depth and
 * number of elements are bounded. Throws `TimestampError`.
 */
export function parseDer(bytes: Uint8Array): DerNode {
  if (bytes.length > DER_SIZE_MAX_BYTES) throw new TimestampError('too_large', 'more bytes than a token may have');
  const block = readBer(new Uint8Array(bytes));
  if (block?.valueBeforeDecodeView.length !== bytes.length) throw malformed('not one ASN.1 element');
  return createNode(block);
}

/** The first element of the bytes, or undefined. asn1js reports some faults and throws on others. */
function readBer(bytes: Uint8Array): BaseBlock | undefined {
  const limits = { maxDepth: DEPTH_MAX, maxNodes: NODES_MAX, maxContentLength: DER_SIZE_MAX_BYTES };
  try {
    const { offset, result } = fromBER(bytes, { ...limits, parseEmbedded: false });
    return offset === -1 ? undefined : result;
  } catch {
    return undefined;
  }
}

/** The error for bytes that are not of a structure; `what` names the structure. */
export function malformed(what: string): TimestampError {
  return new TimestampError('malformed', `the time-stamp is malformed: ${what}`);
}

function createNode(block: BaseBlock): DerNode {
  const { idBlock, lenBlock } = block;
  const raw = block.valueBeforeDecodeView;
  const tag = raw[0];
  if (tag === undefined || idBlock.tagNumber > TAG_NUMBER_MAX) throw malformed('a tag of an unexpected form');
  const contentBytes = raw.length - idBlock.blockLength - lenBlock.blockLength;
  if (lenBlock.isIndefiniteForm || lenBlock.blockLength !== lengthOctets(contentBytes)) {
    throw malformed('a length that is not in its DER form');
  }
  // Of the universal types, SEQUENCE and SET are constructed in DER, and nothing else is.
  const isUniversal = tag >> 6 === 0;
  const isList = [TAG.sequence, TAG.set].some((list) => list === (tag | CONSTRUCTED));
  if (isUniversal && isList !== ((tag & CONSTRUCTED) !== 0)) throw malformed('a type in BER form');
  assertShortest(tag, raw.subarray(raw.length - contentBytes));
  return {
    tag,
    raw,
    content: raw.subarray(raw.length - contentBytes),
    children: block instanceof Constructed ? block.valueBlock.value.map(createNode) : [],
    oid: block instanceof ObjectIdentifier ? readOid(block, raw) : undefined,
  };
}

/** Throws `TimestampError` for a BOOLEAN or a number that DER writes in another way. */
function assertShortest(tag: number, content: Uint8Array): void {
  const [first, second] = content;
  if (tag === TAG.boolean && (content.length !== 1 || (first !== 0 && first !== 0xff))) throw malformed('a BOOLEAN');
  if (tag !== TAG.integer && tag !== TAG.enumerated) return;
  const isPadded = second !== undefined && first === (second >= 0x80 ? 0xff : 0);
  if (content.length === 0 || isPadded) throw malformed('an INTEGER');
}

/** Octets of a length in DER: one below 128, else the fewest that hold it and one before them. */
function lengthOctets(length: number): number {
  if (length < 0x80) return 1;
  if (length < 0x100) return 2;
  return length < 0x10000 ? 3 : 4;
}

function readOid(block: ObjectIdentifier, raw: Uint8Array): string {
  const text = block.getValue();
  let canonical: Uint8Array;
  try {
    canonical = new Uint8Array(new ObjectIdentifier({ value: text }).toBER());
  } catch {
    throw malformed('an object identifier');
  }
  if (text === '' || !equalBytes(canonical, raw)) throw malformed('an object identifier');
  return text;
}
