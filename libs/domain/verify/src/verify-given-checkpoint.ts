import type { CheckResult, TrustFile } from '@answer-evidence/contracts';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createCheckpointContext } from './checkpoint-context.ts';
import { checkWitnesses } from './checks/anchoring.ts';
import { DOES_NOT_PROVE } from './does-not-prove.ts';
import { requirePins, verifyPinned } from './trusted-checkpoint.ts';
import { pass, runCheck } from './verdict.ts';
import type { VerifyOptions } from './verify-options.ts';
import { NOBODY, skipByTrust } from './without-trust.ts';

/**
 * Verifies a checkpoint that was kept: who signed it, and who cosigned it. Throws `NoteError` for
 * any other text.
 */
export async function verifyGivenCheckpoint(
  text: string,
  trust: TrustFile | undefined,
  options: Pick<VerifyOptions, 'verifySignature'>,
): Promise<readonly CheckResult[]> {
  const { origin } = parseCheckpoint(parseNote(text).text);
  const shown = { origin, checkpoint: text, anchors: [], log_keys: [], policy: null };
  const context = createCheckpointContext(shown, trust ?? NOBODY, options, []);
  const signature = async () => {
    const { note, checkpoint } = context.readCheckpoint();
    await verifyPinned(note, checkpoint, requirePins(context.trust, origin), options.verifySignature);
    return pass(`every pinned key of this size signed the tree of ${checkpoint.size} leaves`);
  };
  const checks = [
    await runCheck('checkpoint_signature', signature, DOES_NOT_PROVE),
    await runCheck('witness_cosignatures', () => checkWitnesses(context), DOES_NOT_PROVE),
  ];
  return trust === undefined ? skipByTrust(checks) : checks;
}
