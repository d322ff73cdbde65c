import { commitPlain } from '@answer-evidence/commitments';
import { ServiceError, type SettingsValues, type TextOrHash } from '@answer-evidence/contracts';

/** How a submitted text or hash is committed to; `text` is what the service may work on, never what it must keep. */
type CommitmentPlan =
  | { readonly mode: 'plain'; readonly hash: string; readonly text: string }
  | { readonly mode: 'caller'; readonly hash: string }
  | { readonly mode: 'keyed'; readonly text: string; readonly hashKeyId: string };

type CommitmentSettings = Pick<
  SettingsValues,
  | 'answer_audit_accept_text'
  | 'answer_audit_accept_caller_hash'
  | 'answer_audit_keyed_hash_enabled'
  | 'answer_audit_hash_key_id'
>;

function refusal(
  code: 'text_not_accepted' | 'caller_hash_not_accepted' | 'hash_mismatch',
  pointer: string,
  detail: string,
) {
  return new ServiceError(code, detail, { errors: [{ pointer, detail }] });
}

/** RFC 6901 pointers of a text and a hash in the request. */
export type CommitmentPointers = { readonly text: string; readonly hash: string };

/** Applies the commitment rules. Throws `text_not_accepted`, `caller_hash_not_accepted` or `hash_mismatch`. */
export function planCommitment(
  settings: CommitmentSettings,
  value: TextOrHash,
  pointers: CommitmentPointers,
  digest?: string,
): CommitmentPlan {
  const { text, hash } = value;
  if (text !== undefined && !settings.answer_audit_accept_text)
    throw refusal('text_not_accepted', pointers.text, 'this workspace does not accept text; send a hash without text');
  if (hash !== undefined && settings.answer_audit_keyed_hash_enabled)
    throw refusal(
      'caller_hash_not_accepted',
      pointers.hash,
      'this workspace derives keyed commitments itself; send text without a hash',
    );
  if (text === undefined) {
    if (hash === undefined)
      throw new ServiceError('schema_violation', 'must have text, hash or both', {
        errors: [{ pointer: pointers.text, detail: 'must have text, hash or both' }],
      });
    if (!settings.answer_audit_accept_caller_hash)
      throw refusal(
        'caller_hash_not_accepted',
        pointers.hash,
        'this workspace does not accept a hash without its text; send the text',
      );
    return { mode: 'caller', hash };
  }
  if (settings.answer_audit_keyed_hash_enabled) {
    if (settings.answer_audit_hash_key_id === null) throw new Error('keyed hashing is on without an active key');
    return { mode: 'keyed', text, hashKeyId: settings.answer_audit_hash_key_id };
  }
  const derived = digest ?? commitPlain(text);
  if (hash !== undefined && hash !== derived)
    throw refusal(
      'hash_mismatch',
      pointers.hash,
      'the hash is not the SHA-256 of the text; hash the exact UTF-8 bytes, or send only the text',
    );
  return { mode: 'plain', hash: derived, text };
}

/** Whether any create could be accepted under these settings: some mode of text or hash must be left open. */
export function isUsableSettings(settings: CommitmentSettings): boolean {
  if (settings.answer_audit_accept_text) return true;
  return settings.answer_audit_accept_caller_hash && !settings.answer_audit_keyed_hash_enabled;
}
