import { JsonError, parseJsonText } from '@answer-evidence/encoding';
import type { NewNotification } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';

/** A target that may be told. */
export type Listener = Pick<TargetRow, 'id' | 'event_types_json' | 'created_at' | 'mail_json'>;

/**
 * Those of the targets that get it: of the types that they want, and of entries from their own beginning on. What is
 * told as it happens is for every target that there is, whatever a clock says that is not believed.
 */
export function listenersOf(told: NewNotification, all: readonly Listener[]): readonly Listener[] {
  return all.filter(
    ({ id, event_types_json: types, created_at: from }) =>
      id !== told.except &&
      (told.isOfEntry !== true || told.happenedAt >= from) &&
      (types === null || isAmong(told.type, types)),
  );
}

/** What a damaged row cannot say any more is not held against its target, and keeps nothing from the others. */
function isAmong(type: string, typesJson: string): boolean {
  try {
    const types = parseJsonText(typesJson);
    return !Array.isArray(types) || types.includes(type);
  } catch (error) {
    if (error instanceof JsonError) return true;
    throw error;
  }
}
