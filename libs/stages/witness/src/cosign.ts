import { ServiceError } from '@answer-evidence/contracts';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { formatNote, formatSignatureLine, signCosignature } from '@answer-evidence/note';
import {
  admitCheckpoint,
  type AdmittedCheckpoint,
  judgeAddCheckpoint,
  type Judgement,
  type ReadAddCheckpoint,
} from '@answer-evidence/witness';
import type { WitnessDeps } from './deps.ts';

/** What a request came to: the cosignature lines, one a key of the witness, or why there are none. */
type CosignOutcome =
  | { readonly kind: 'cosigned'; readonly lines: string }
  | Exclude<Judgement, { readonly kind: 'cosign' | 'fork' }>;

/** How often others may be faster with a checkpoint of the same log. */
const TRIES_MAX = 10;

/**
 * Cosigns the checkpoint when it extends the one that was cosigned last. The judgement is made of what is kept, and
 * counts only if that still is the latest when the new checkpoint is kept: of two requests at once, the slower is
 * judged again.
 */
export async function cosign(deps: WitnessDeps, request: ReadAddCheckpoint): Promise<CosignOutcome> {
  const admitted = await admitCheckpoint(request, deps.logs, deps.verifySignature);
  if (admitted.kind === 'refused') return admitted;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const outcome = await tryOnce(deps, request, admitted);
    if (outcome !== undefined) return outcome;
  }
  throw new ServiceError('overloaded', 'too many requests for one log at once; retry later', { remedy: 'retry' });
}

/** Undefined when another request was faster. */
async function tryOnce(
  deps: WitnessDeps,
  request: ReadAddCheckpoint,
  { signatures }: AdmittedCheckpoint,
): Promise<CosignOutcome | undefined> {
  const { origin, size, root } = request.checkpoint;
  const latest = await deps.checkpoints.find(origin);
  const judgement = judgeAddCheckpoint(
    request,
    latest === undefined ? undefined : { size: latest.treeSize, root: parseHex(latest.rootHash) },
  );
  const { text } = request.note;
  if (judgement.kind === 'fork') {
    await deps.checkpoints.keepFork(origin, formatNote({ text, signatures }));
    deps.onFork(origin);
    return { kind: 'refused', status: 422, reason: judgement.reason };
  }
  if (judgement.kind !== 'cosign') return judgement;

  const seconds = Math.floor(deps.clock.nowMicros() / 1_000_000);
  const cosignatures = deps.keys.map(({ vkey, sign }) => signCosignature(text, vkey, seconds, sign));
  const note = formatNote({ text, signatures: [...signatures, ...cosignatures] });
  const next = { origin, treeSize: size, rootHash: formatHex(root), note };
  if (!(await deps.checkpoints.keep(next, latest?.revision ?? 0))) return undefined;
  // Only now do the lines leave this process: no later start may have forgotten the tree that they name.
  const lines = cosignatures.map(({ name, keyId, signature }) => formatSignatureLine(name, keyId, signature));
  return { kind: 'cosigned', lines: lines.join('') };
}
