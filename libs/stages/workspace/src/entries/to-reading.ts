import { type Reading, readingCore, revealCore, type WorkspaceEntryItem } from '@answer-evidence/contracts';
import { StoredDamageError } from '@answer-evidence/ports';

/** An entry `texts_revealed` as the reading that it is. Throws `StoredDamageError` for what the service never wrote. */
export function toReading({ id, created_at, core, names, ledger }: WorkspaceEntryItem): Reading {
  const { entry: _, ...place } = ledger;
  const common = { id, created_at, names, ledger: place };
  const reveal = revealCore.safeParse(core);
  if (reveal.success) {
    const { actor, answer_log_id, reason_code, reason } = reveal.data;
    return { ...common, actor, operation: null, answer_log_ids: [answer_log_id], reason_code, reason };
  }
  const read = readingCore.safeParse(core);
  if (!read.success) throw new StoredDamageError('an entry of a reading cannot be read', { cause: read.error });
  const { actor, operation, answer_log_id: one, answer_log_ids: many = [], reason_code, reason } = read.data;
  return { ...common, actor, operation, answer_log_ids: one === undefined ? many : [one], reason_code, reason };
}
