import {
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as Asn1Set,
} from 'asn1js';
import { OID_SHA256 } from './algorithms.ts';
import { isRevocationList } from './revocation-list.ts';
import { extractToken } from './token.ts';

/** A later time-stamp of a chain: over a hash tree that has the token before it. */
export type ChainedTimestamp = {
  /** The DER TimeStampResp. */
  readonly response: Uint8Array;
  /** The place of the token before it in the tree, from the leaf up. */
  readonly path: readonly (readonly Uint8Array[])[];
};

/** What an evidence record is made of. */
type EvidenceRecordParts = {
  /** The DER TimeStampResp over the data itself. */
  readonly first: Uint8Array;
  readonly renewals: readonly ChainedTimestamp[];
  /** Revocation lists, DER. Anything else, such as a response of OCSP, is left out. */
  readonly lists: readonly Uint8Array[];
};

/** `certificateRevocationList` of X.509, as an attribute. */
const OID_LISTS = '2.5.4.39';
const CONTEXT = 3;

/**
 * An EvidenceRecord (RFC 4998 section 3.1, DER) over data that was time-stamped with SHA-256: one archive time-stamp
 * chain of all tokens, with the revocation lists as information of its own. Throws `TimestampError` for a response
 * without a token.
 */
export function formatEvidenceRecord({ first, renewals, lists: kept }: EvidenceRecordParts): Uint8Array {
  const lists = kept.filter(isRevocationList);
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: OID_SHA256 }), new Null()] });
  const attribute = new Sequence({
    value: [new ObjectIdentifier({ value: OID_LISTS }), new Asn1Set({ value: sorted(lists).map(readAgain) })],
  });
  const chain = [formatTimestamp(first), ...renewals.map(({ response, path }) => formatTimestamp(response, path))];
  const record = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [algorithm] }),
      ...(lists.length === 0 ? [] : [tagged(0, [attribute])]),
      new Sequence({ value: [new Sequence({ value: chain })] }),
    ],
  });
  return new Uint8Array(record.toBER());
}

function formatTimestamp(response: Uint8Array, path: ChainedTimestamp['path'] = []): Sequence {
  const groups = path.map(
    (group) => new Sequence({ value: group.map((hash) => new OctetString({ valueHex: new Uint8Array(hash) })) }),
  );
  return new Sequence({
    value: [...(groups.length === 0 ? [] : [tagged(2, groups)]), readAgain(extractToken(response))],
  });
}

/** `[number] IMPLICIT SEQUENCE OF`. */
function tagged(number: number, value: BaseBlock[]): Constructed {
  return new Constructed({ idBlock: { tagClass: CONTEXT, tagNumber: number }, value });
}

/** DER that is a part of another element, with the bytes that it had. */
function readAgain(der: Uint8Array): BaseBlock {
  return fromBER(new Uint8Array(der)).result;
}

/** A SET OF in the order of DER. */
function sorted(elements: readonly Uint8Array[]): readonly Uint8Array[] {
  return elements.toSorted((a, b) => compareBytes(a, b));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = a.findIndex((byte, index) => byte !== b[index]);
  return n === -1 ? a.length - b.length : (a[n] ?? 0) - (b[n] ?? -1);
}
