import type * as z from 'zod';
import {
  type JsonValue,
  type ReferenceRequest,
  referenceRequest,
  type TrustFile,
  trustFile,
} from '@answer-evidence/contracts';
import { describeIssues, IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import { EncodingError, JsonError, parseJson, utf8 } from '@answer-evidence/encoding';
import { readReference, type Reference } from '@answer-evidence/reconciliation';
import { readPinnedCertificates } from '@answer-evidence/rfc3161';
import { assertReadablePins, UnreadablePinError } from '@answer-evidence/verify';
import { type EvidenceFile, EvidenceFormatError } from './evidence-format-error.ts';

/** The strict JSON of a file, given as its bytes or its text. Throws `EvidenceFormatError`. */
export function readJson(file: EvidenceFile, content: string | Uint8Array): JsonValue {
  try {
    return parseJson(typeof content === 'string' ? utf8(content) : content);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new EvidenceFormatError(file, error.message, { cause: error });
  }
}

/** A trust file, as its content or already read. Throws `EvidenceFormatError`, which names the members in question. */
export function readTrust(trust: string | Uint8Array | TrustFile): TrustFile {
  const value = typeof trust === 'string' || trust instanceof Uint8Array ? readJson('trust file', trust) : trust;
  const pins = readAs(trustFile, 'trust file', value);
  try {
    assertReadablePins(pins, readPinnedCertificates);
  } catch (error) {
    if (!(error instanceof UnreadablePinError)) throw error;
    throw new EvidenceFormatError('trust file', error.message, { cause: error });
  }
  return pins;
}

/** The caller's list. Throws `EvidenceFormatError`, which names the place in the list. */
export function readReferences(references: readonly ReferenceRequest[]): readonly Reference[] {
  return references.map((sent, index) => {
    const read = readAs(referenceRequest, 'references', sent, `/${index}`);
    try {
      return readReference(read);
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      throw new EvidenceFormatError('references', `/${index}/occurred_at ${error.message}`, { cause: error });
    }
  });
}

function readAs<T>(schema: z.ZodType<T>, file: EvidenceFile, value: unknown, place = ''): T {
  const read = schema.safeParse(value, IN_OUR_WORDS);
  if (read.success) return read.data;
  const faults = describeIssues(read.error.issues, 'field').map(
    ({ path, detail }) => `${[place, ...path.map(String)].join('/')} ${detail}`,
  );
  throw new EvidenceFormatError(file, faults.join('; '));
}
