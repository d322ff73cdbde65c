import type { TrustFile } from '@answer-evidence/contracts';
import { algorithmOfLogKey, NoteError, parseVkey, parseWitnessPolicy, WitnessPolicyError } from '@answer-evidence/note';
import { parseLogKeys, RekorError } from '@answer-evidence/rekor';

/** Reads certificates in PEM, and throws an error that is named `TimestampError` for a text that has none. */
export type ReadCertificates = (pem: string) => unknown;

/** A trust file of which a pin cannot be read. `place` is the JSON pointer of the pin. */
export class UnreadablePinError extends Error {
  override readonly name = 'UnreadablePinError';
  readonly place: string;

  constructor(place: string, reason: string) {
    super(`${place} ${reason}`);
    this.place = place;
  }
}

/**
 * Throws `UnreadablePinError` unless each key, certificate and witness policy of a trust file can be read, whether or
 * not a bundle needs it: a pin that is passed over demands nothing, and its owner would not notice.
 */
export function assertReadablePins(trust: TrustFile, readCertificates: ReadCertificates): void {
  trust.logs.forEach(({ keys }, log) =>
    keys.forEach(({ vkey }, key) => assertRead(`/logs/${log}/keys/${key}/vkey`, () => assertLogKey(vkey))),
  );
  const { witness_policy: policy, anchors = [] } = trust;
  if (policy !== null) assertRead('/witness_policy', () => parseWitnessPolicy(policy));
  trust.tsa_roots.forEach((pem, n) => assertRead(`/tsa_roots/${n}`, () => readCertificates(pem)));
  anchors.forEach(({ certificate_pem: pem, log_keys: keys }, n) => {
    if (pem !== null) assertRead(`/anchors/${n}/certificate_pem`, () => readCertificates(pem));
    if (keys !== undefined) assertRead(`/anchors/${n}/log_keys`, () => parseLogKeys(keys));
  });
}

function assertLogKey(text: string): void {
  algorithmOfLogKey(parseVkey(text));
}

function assertRead(place: string, read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (error instanceof NoteError) throw new UnreadablePinError(place, error.reason);
    if (
      error instanceof WitnessPolicyError ||
      error instanceof RekorError ||
      (error instanceof Error && error.name === 'TimestampError')
    )
      throw new UnreadablePinError(place, error.message);
    throw error;
  }
}
