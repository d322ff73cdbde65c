import type { TrustTest } from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { parseCheckpoint, parseNote, type PolicyWitness } from '@answer-evidence/note';
import { formatAddCheckpoint } from '@answer-evidence/witness';
import { type AskDeps, sendCheckpoint, verifyAnswer } from './ask-witness.ts';
import { describeFailure } from './describe-failure.ts';

const SECOND_MICROS = 1_000_000;

/**
 * Asks a witness for a cosignature from the size of the checkpoint itself. One that has cosigned this very checkpoint
 * signs it again; every other one names the size that it has cosigned, and keeps nothing (C2SP tlog-witness, 409).
 */
export async function tryWitness(
  deps: AskDeps,
  witness: PolicyWitness,
  note: string,
  signal: AbortSignal,
): Promise<TrustTest> {
  const parsed = parseNote(note);
  const { size } = parseCheckpoint(parsed.text);
  const body = formatAddCheckpoint({ oldSize: size, proof: [], note });
  const answer = await sendCheckpoint(deps, { witness, signal }, parsed, body);
  if (answer.kind === 'refused')
    return failed(describeFailure({ kind: 'failed', reason: answer.reason, witnessSize: undefined }));
  if (answer.kind === 'conflict') {
    if (answer.size > size)
      return failed(`it reports that it has cosigned ${answer.size} entries, more than there are`);
    return works(
      answer.size === 0
        ? 'it knows this log, and has cosigned nothing of it yet'
        : `it knows this log, and has cosigned ${answer.size} entries`,
    );
  }
  const verified = await verifyAnswer(deps, witness, { text: parsed.text, signatures: answer.signatures }, size);
  if (verified.kind === 'failed') return failed(describeFailure(verified));
  return {
    ...works(`it has cosigned all ${size} published entries`),
    stated_at: formatTimestamp(verified.cosignature.timestamp * SECOND_MICROS),
  };
}

function works(detail: string): TrustTest {
  return { outcome: 'works', detail, stated_at: null };
}

function failed(detail: string): TrustTest {
  return { outcome: 'failed', detail, stated_at: null };
}
