import {
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  Sequence,
  Set as Asn1Set,
} from 'asn1js';
import { OID_SHA256, OID_SHA512 } from './algorithms.ts';
import { isRevocationList } from './revocation-list.ts';

/** What an evidence record is made of. */
type EvidenceRecordParts = {
  /** The ArchiveTimeStampSequence, DER. Its first token is over the data itself, by SHA-256. */
  readonly sequence: Uint8Array;
  /** Whether it has a second chain, of SHA-512. */
  readonly isRehashed: boolean;
  /** Revocation lists, DER. Anything else, such as a response of OCSP, is left out. */
  readonly lists: readonly Uint8Array[];
};

/** `certificateRevocationList` of X.509, as an attribute. */
const OID_LISTS = '2.5.4.39';
const CONTEXT = 3;

/**
 * An EvidenceRecord (RFC 4998 section 3.1, DER) over data that was time-stamped with SHA-256, with the revocation lists
 * as information of its own.
 */
export function formatEvidenceRecord({ sequence, isRehashed, lists: kept }: EvidenceRecordParts): Uint8Array {
  const lists = kept.filter(isRevocationList);
  const algorithms = isRehashed ? [OID_SHA256, OID_SHA512] : [OID_SHA256];
  const attribute = new Sequence({
    value: [new ObjectIdentifier({ value: OID_LISTS }), new Asn1Set({ value: sorted(lists).map(readAgain) })],
  });
  const record = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({
        value: algorithms.map((value) => new Sequence({ value: [new ObjectIdentifier({ value }), new Null()] })),
      }),
      ...(lists.length === 0 ? [] : [tagged(0, [attribute])]),
      readAgain(sequence),
    ],
  });
  return new Uint8Array(record.toBER());
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
