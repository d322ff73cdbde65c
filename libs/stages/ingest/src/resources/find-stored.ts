import type { CommittedText } from '@answer-evidence/contracts';
import { StoredDamageError, type StoredSealed } from '@answer-evidence/ports';

/**
 * A content of a record or an event; null where there is none. A redaction or an expiry deletes contents with the
 * transaction that appends its leaf, and both are read in one snapshot. So what should be stored, by the leaves, and is
 * not, was deleted outside of the service: throws `StoredDamageError`.
 */
export function findStored<T>(isStored: boolean, content: T | null | undefined): T | null {
  if (isStored && (content === null || content === undefined))
    throw new StoredDamageError('contents are gone and no leaf says why');
  return content ?? null;
}

/** The same of a text, beside the state that the leaves give it. Texts that are withheld are as none. */
export function withText<Shown extends Pick<CommittedText, 'text_state'>>(
  shown: Shown,
  text: string | null | undefined,
  sealed: StoredSealed | undefined,
): Shown & { readonly text: string | null } {
  const areTextsHere = sealed?.areTextsWithheld !== true;
  return { ...shown, text: findStored(areTextsHere && shown.text_state === 'stored', text) };
}
