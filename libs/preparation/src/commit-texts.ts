import { commitKeyed, COMMITMENT_KEY_BYTES, type CommittedField, deriveRecordKey } from '@answer-evidence/commitments';
import type { TextOrHash } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { type CommitmentPointers, planCommitment, type VersionedSettings } from '@answer-evidence/ledger';
import type { RandomSource } from '@answer-evidence/ports';

/** A text or hash to commit to. `store`: the settings keep the text; `digest`: its plain commitment, if made. */
export type Submitted = {
  readonly field: CommittedField;
  readonly value: TextOrHash;
  readonly pointers: CommitmentPointers;
  readonly store: boolean;
  readonly digest?: string | undefined;
};

/** A commitment as it stands in a core, and the text to keep, if any. */
export type Committed = {
  readonly hash: string;
  readonly hashKeyId: string | null;
  readonly textState: 'stored' | 'discarded' | 'not_submitted';
  readonly text: string | null;
};

/**
 * The commitments of one object. `salt` (32 bytes, hex) is set when any of them is keyed. It is kept even where the
 * texts are discarded: without it nobody who still has a text could prove that it matches. A redaction deletes it.
 */
export type CommittedTexts = { readonly committed: readonly Committed[]; readonly salt: string | null };

/**
 * Commits to all texts of one object under the settings, whose commitment key `hashKey` is. Throws the refusals of the
 * commitment rules.
 */
export function commitTexts(
  deps: { readonly random: RandomSource },
  settings: VersionedSettings,
  hashKey: Uint8Array | null,
  submitted: readonly Submitted[],
): CommittedTexts {
  const plans = submitted.map(({ value, pointers, digest }) =>
    planCommitment(settings.values, value, pointers, digest),
  );
  const isKeyed = plans.some(({ mode }) => mode === 'keyed');
  if (isKeyed && hashKey === null) throw new Error('keyed commitments are made with a key');
  const salt = isKeyed ? deps.random.bytes(COMMITMENT_KEY_BYTES) : null;
  const recordKey = hashKey === null || salt === null ? null : deriveRecordKey(hashKey, salt);
  const committed = plans.map((plan, n): Committed => {
    const { field, store } = submitted[n] as Submitted;
    if (plan.mode === 'caller') return { hash: plan.hash, hashKeyId: null, textState: 'not_submitted', text: null };
    const kept = store
      ? ({ textState: 'stored', text: plan.text } as const)
      : ({ textState: 'discarded', text: null } as const);
    if (plan.mode === 'plain' || recordKey === null)
      return { hash: plan.mode === 'plain' ? plan.hash : '', hashKeyId: null, ...kept };
    return { hash: commitKeyed(recordKey, field, plan.text), hashKeyId: plan.hashKeyId, ...kept };
  });
  return { committed, salt: salt === null ? null : formatHex(salt) };
}
