import { type AlgorithmIdentifier, readAlgorithm } from './algorithms.ts';
import { contextConstructed, contextPrimitive, type DerNode, malformed, parseDer, TAG } from './der.ts';
import { readExtension } from './extensions.ts';
import { createFields, readOid, readSmallInteger } from './fields.ts';
import { readTime } from './time.ts';

/** What the authority states (RFC 3161 section 2.4.2). */
export type TstInfo = {
  readonly policyOid: string;
  readonly imprintAlgorithm: AlgorithmIdentifier;
  readonly imprint: Uint8Array;
  /** Content of the INTEGER. */
  readonly serialNumber: Uint8Array;
  readonly genTimeMicros: number;
  /** How far off the time may be to either side; undefined when the authority does not say. */
  readonly accuracyMicros: number | undefined;
  /** Content of the INTEGER. */
  readonly nonce: Uint8Array | undefined;
  readonly hasCriticalExtension: boolean;
};

const WHAT = 'a TSTInfo';

/** Reads a TSTInfo. Throws `TimestampError`. */
export function parseTstInfo(der: Uint8Array): TstInfo {
  const fields = createFields(parseDer(der), WHAT);
  if (readSmallInteger(fields.take(TAG.integer), WHAT) !== 1) throw malformed('a TSTInfo of another version');
  const policyOid = readOid(fields.take(TAG.oid), WHAT);
  const imprint = createFields(fields.take(TAG.sequence), WHAT);
  const serialNumber = fields.take(TAG.integer).content;
  const genTime = fields.take(TAG.generalizedTime);
  const accuracy = fields.optional(TAG.sequence);
  fields.optional(TAG.boolean);
  const nonce = fields.optional(TAG.integer)?.content;
  fields.optional(contextConstructed(0));
  const extensions = fields.optional(contextConstructed(1))?.children ?? [];
  fields.end();
  const imprintAlgorithm = readAlgorithm(imprint.take(TAG.sequence));
  const hashedMessage = imprint.take(TAG.octetString).content;
  imprint.end();
  return {
    policyOid,
    imprintAlgorithm,
    imprint: hashedMessage,
    serialNumber,
    genTimeMicros: readTime(genTime, WHAT),
    accuracyMicros: accuracy === undefined ? undefined : readAccuracy(accuracy),
    nonce,
    hasCriticalExtension: extensions.some((extension) => readExtension(extension).isCritical),
  };
}

function readAccuracy(node: DerNode): number {
  const fields = createFields(node, WHAT);
  const parts = [
    [fields.optional(TAG.integer), 1_000_000],
    [fields.optional(contextPrimitive(0)), 1_000],
    [fields.optional(contextPrimitive(1)), 1],
  ] as const;
  fields.end();
  return parts.reduce(
    (sum, [part, micros]) => sum + (part === undefined ? 0 : readSmallInteger(part, WHAT) * micros),
    0,
  );
}
