import { encodeDer, encodeOid } from '@answer-evidence/testing';
import { bits, type createKeys, extension, integer, nameOf, sequence, signBytes, utcTime } from './certificates.ts';

type Pair = ReturnType<ReturnType<typeof createKeys>>;

/** A revocation list that names one certificate. */
export type ListForm = {
  readonly issuer?: string;
  /** As in UTCTime. */
  readonly at: string;
  readonly reason?: number;
  readonly serial?: Uint8Array;
  readonly isCritical?: boolean;
};

const REASON = '2.5.29.21';
const ISSUING_POINT = '2.5.29.28';

/** Makes a revocation list, signed by a key. */
export function makeRevocationList(key: Pair, form: ListForm): Uint8Array {
  const { issuer = 'authority 1', at, reason, serial = integer(42), isCritical = false } = form;
  const { algorithm } = signBytes(key, new Uint8Array());
  const why = reason === undefined ? [] : [sequence(extension(REASON, encodeDer(0x0a, Uint8Array.of(reason))))];
  const tbs = sequence(
    integer(1),
    algorithm,
    nameOf(issuer),
    utcTime('300101000000Z'),
    utcTime('310101000000Z'),
    sequence(sequence(serial, utcTime(at), ...why)),
    ...(isCritical ? [encodeDer(0xa0, sequence(extension(ISSUING_POINT, sequence(), true)))] : []),
  );
  return sequence(tbs, algorithm, bits(signBytes(key, tbs).signature));
}

/** Bytes that no list is. */
export const NO_LIST = encodeOid(REASON);
