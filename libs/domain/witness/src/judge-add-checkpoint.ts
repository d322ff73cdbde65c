import { equalBytes } from '@answer-evidence/encoding';
import { EMPTY_ROOT, MerkleError, verifyConsistency } from '@answer-evidence/merkle';
import {
  findNamedKey,
  NoteError,
  type NoteSignature,
  verifyNote,
  type VerifySignature,
  type Vkey,
} from '@answer-evidence/note';
import type { ReadAddCheckpoint } from './add-checkpoint.ts';
import type { TrustedLog } from './trusted-logs.ts';

/** The tree that a witness has cosigned last. */
export type WitnessedTree = { readonly size: number; readonly root: Uint8Array };

/** Why a request gets no cosignature: the status of the reply, and a sentence without any of the request. */
export type Refusal = { readonly kind: 'refused'; readonly status: 400 | 403 | 404 | 422; readonly reason: string };

/** Whose log a checkpoint is of, and that log's own signatures on it, one a key. */
export type AdmittedCheckpoint = {
  readonly kind: 'admitted';
  readonly log: TrustedLog;
  readonly signatures: readonly NoteSignature[];
};

/**
 * What a request comes to at a witness: only `cosign` may be followed by a signature, and only after it was persisted.
 * `fork` is refused like any wrong tree (422), and is proof against the log: it has signed two roots of one size.
 */
export type Judgement =
  | Refusal
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'fork'; readonly reason: string }
  | { readonly kind: 'cosign' };

/** Who signed the checkpoint, before anything is looked up about its log (C2SP tlog-witness: 404, then 403). */
export async function admitCheckpoint(
  request: ReadAddCheckpoint,
  logs: ReadonlyMap<string, TrustedLog>,
  verify: VerifySignature,
): Promise<AdmittedCheckpoint | Refusal> {
  const log = logs.get(request.checkpoint.origin);
  if (log === undefined) return refuse(404, 'this witness does not know the log of this origin');
  try {
    await verifyNote(request.note, log.vkeys, verify);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return refuse(403, error.reason);
  }
  return { kind: 'admitted', log, signatures: signaturesOf(request, log) };
}

/** Once verified, each signature by a key of the log is a good one; what others signed is not kept. */
function signaturesOf(request: ReadAddCheckpoint, log: TrustedLog): readonly NoteSignature[] {
  const byKey = new Map<Vkey, NoteSignature>();
  for (const signature of request.note.signatures) {
    const vkey = findNamedKey(log.vkeys, signature.name, signature.keyId);
    if (vkey !== undefined && !byKey.has(vkey)) byKey.set(vkey, signature);
  }
  return [...byKey.values()];
}

/**
 * Whether a checkpoint that its log has signed extends the tree that was cosigned last (undefined: none was), in the
 * order of C2SP tlog-witness. The judgement holds only as long as `latest` is the latest: anyone who acts on it
 * compares and persists in one step.
 */
export function judgeAddCheckpoint(request: ReadAddCheckpoint, latest: WitnessedTree | undefined): Judgement {
  const { oldSize, proof, checkpoint } = request;
  const known = latest ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize > checkpoint.size) return refuse(400, 'the old size is above that of the checkpoint');
  if (oldSize !== known.size) return { kind: 'conflict', size: known.size };
  if (checkpoint.size === 0 && !equalBytes(checkpoint.root, EMPTY_ROOT)) {
    return refuse(422, 'the root is not that of the empty tree');
  }
  if (oldSize === checkpoint.size && !equalBytes(checkpoint.root, known.root)) {
    return { kind: 'fork', reason: 'another root was cosigned at this size' };
  }
  // Every tree extends the empty one; there is nothing to prove, and nothing may look as if it were.
  if (oldSize === 0) return proof.length === 0 ? { kind: 'cosign' } : refuse(422, 'a proof from size 0 must be empty');
  try {
    verifyConsistency(oldSize, checkpoint.size, known.root, checkpoint.root, proof);
  } catch (error) {
    if (!(error instanceof MerkleError)) throw error;
    return refuse(422, error.reason);
  }
  return { kind: 'cosign' };
}

function refuse(status: Refusal['status'], reason: string): Refusal {
  return { kind: 'refused', status, reason };
}
