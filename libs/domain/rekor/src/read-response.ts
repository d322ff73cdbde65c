import { rekorEntry } from '@answer-evidence/contracts';
import { asObject, canonicalize, parseJson, readOr, utf8 } from '@answer-evidence/encoding';
import { RekorError } from './rekor-error.ts';

/**
 * What is kept of the response to a submission, the TransparencyLogEntry in the JSON of Protocol Buffers: the members
 * that a verifier reads, as JCS. Members with the default value, which that JSON may leave out, are written. Throws
 * `RekorError`; nothing is verified.
 */
export function readResponse(body: Uint8Array): Uint8Array {
  const response = asObject(readOr(() => parseJson(body), undefined));
  const proof = asObject(response['inclusionProof']);
  const id = response['logId'];
  const kept = rekorEntry.safeParse({
    canonicalizedBody: response['canonicalizedBody'],
    inclusionProof: {
      checkpoint: { envelope: asObject(proof['checkpoint'])['envelope'] },
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
