import { rekorEntry } from '@answer-evidence/contracts';
import { canonicalize, JsonError, type JsonValue, parseJson, utf8 } from '@answer-evidence/encoding';
import { RekorError } from './rekor-error.ts';

/**
 * What is kept of the response to a submission, the TransparencyLogEntry in the JSON of Protocol Buffers: the members
 * that a verifier reads, as JCS. Members with the default value, which that JSON may leave out, are written. Throws
 * `RekorError`; nothing is verified.
 */
export function readResponse(body: Uint8Array): Uint8Array {
  const response = objectOf(parse(body));
  const proof = objectOf(response['inclusionProof']);
  const id = response['logId'];
  const kept = rekorEntry.safeParse({
    canonicalizedBody: response['canonicalizedBody'],
    inclusionProof: {
      checkpoint: { envelope: objectOf(proof['checkpoint'])['envelope'] },
      hashes: proof['hashes'] ?? [],
      logIndex: proof['logIndex'] ?? '0',
      rootHash: proof['rootHash'],
      treeSize: proof['treeSize'],
    },
    kindVersion: response['kindVersion'],
    ...(id === undefined ? {} : { logId: id }),
    logIndex: response['logIndex'] ?? '0',
  });
  if (!kept.success) throw new RekorError("the log's response is not an entry of Rekor v2");
  return utf8(canonicalize(kept.data));
}

function parse(body: Uint8Array): JsonValue {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof JsonError) throw new RekorError("the log's response is not an entry of Rekor v2");
    throw error;
  }
}

/** A member that is left out, or of another type, has nothing in it. */
function objectOf(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, JsonValue>>)
    : {};
}
