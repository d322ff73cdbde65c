import { type RekorEntry, rekorEntry } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import {
  asObject,
  canonicalize,
  concatBytes,
  equalBytes,
  formatBase64,
  type JsonValue,
  parseBase64,
  parseJson,
  readOr,
  utf8,
} from '@answer-evidence/encoding';
import { leafHash, MerkleError, verifyInclusion } from '@answer-evidence/merkle';
import type { VerifySignature, Vkey } from '@answer-evidence/note';
import { parseLogKeys } from './parse-log-keys.ts';
import { RekorError } from './rekor-error.ts';
import { verifyHead } from './verify-head.ts';

/** An entry that a log holds. It states no time. */
export type VerifiedEntry = { readonly log: string; readonly index: number; readonly treeSize: number };

/**
 * Verifies a kept entry of Rekor v2 over a SHA-256 digest, with trust in the pinned keys only
 * (docs/formats/trust.md, "Anchors"). Rejects with `RekorError`, which quotes nothing of the entry.
 */
export async function verifyEntry(
  artefact: Uint8Array,
  digest: Uint8Array,
  logKeys: string,
  verify: VerifySignature,
): Promise<VerifiedEntry> {
  const logs = parseLogKeys(logKeys);
  const entry = readEntry(artefact);
  const { inclusionProof: proof } = entry;
  const { checkpoint, signer } = await verifyHead(proof.checkpoint.envelope, logs, verify);
  if (Number(proof.treeSize) !== checkpoint.size || proof.rootHash !== formatBase64(checkpoint.root))
    throw new RekorError('the entry states another tree than its checkpoint');
  if (entry.logIndex !== proof.logIndex) throw new RekorError('the entry and its proof have two places');
  if (entry.logId !== undefined && entry.logId.keyId !== formatBase64(idOf(signer)))
    throw new RekorError('the entry states the id of another log');
  const body = readBytes(entry.canonicalizedBody);
  const index = Number(proof.logIndex);
  try {
    verifyInclusion(index, checkpoint.size, leafHash(body), proof.hashes.map(readBytes), checkpoint.root);
  } catch (error) {
    if (error instanceof MerkleError) throw new RekorError(`the proof of the entry does not hold: ${error.reason}`);
    throw error;
  }
  if (!equalBytes(readDigest(body), digest)) throw new RekorError('the entry is of another hash');
  return { log: checkpoint.origin, index, treeSize: checkpoint.size };
}

/** The artefact is the JCS of its members and nothing else, so that one entry has one text. */
function readEntry(artefact: Uint8Array): RekorEntry {
  const value = parse(artefact, 'the artefact is not JSON');
  const read = rekorEntry.safeParse(value);
  if (!read.success) throw new RekorError('the artefact is not an entry of Rekor v2');
  if (!equalBytes(utf8(canonicalize(value)), artefact))
    throw new RekorError('the artefact is not in its canonical form');
  return read.data;
}

/** The whole hash of which a key id has the first four bytes. */
function idOf({ name, type, publicKey }: Vkey): Uint8Array {
  return sha256(concatBytes(utf8(`${name}\n`), Uint8Array.of(type), publicKey));
}

/** The hash that was logged. What else the body says, such as who signed it, is not judged. */
function readDigest(bytes: Uint8Array): Uint8Array {
  const { apiVersion, kind, spec } = asObject(parse(bytes, 'the body of the entry is not JSON'));
  if (kind !== 'hashedrekord' || apiVersion !== '0.0.2') throw new RekorError('the entry is not a hashedrekord 0.0.2');
  const { algorithm, digest } = asObject(asObject(asObject(spec)['hashedRekordV002'])['data']);
  if (algorithm !== 'SHA2_256' || typeof digest !== 'string')
    throw new RekorError('the entry is not of a SHA-256 hash');
  return readBytes(digest);
}

function readBytes(text: string): Uint8Array {
  const bytes = readOr(() => parseBase64(text), undefined);
  if (bytes === undefined) throw new RekorError('the entry has something that is not base64');
  return bytes;
}

function parse(bytes: Uint8Array, fault: string): JsonValue {
  const value = readOr(() => parseJson(bytes), undefined);
  if (value === undefined) throw new RekorError(fault);
  return value;
}
