import { mayBeTold } from '@answer-evidence/access';
import { type JsonObject, type NotificationType, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText, readOr } from '@answer-evidence/encoding';
import { accessOf } from '@answer-evidence/ledger';
import type { NewNotification } from '@answer-evidence/ports';
import type { MemberRow, TargetRow } from '@answer-evidence/tables';

/** A target that may be told. */
export type Listener = Pick<TargetRow, 'id' | 'event_types_json' | 'created_at' | 'mail_json' | 'member_id'> &
  /** Of the member whose own it is, if they are one still. */
  { readonly [Column in 'role' | 'access_json']: MemberRow[Column] | null };

/**
 * Those of the targets that get it: of the types that they want, and of entries from their own beginning on. What is
 * told as it happens is for every target that there is, whatever a clock says that is not believed.
 */
export function listenersOf(told: NewNotification, all: readonly Listener[]): readonly Listener[] {
  return all.filter(
    ({ id, event_types_json: types, created_at: from, ...listener }) =>
      id !== told.except &&
      (told.isOfEntry !== true || told.happenedAt >= from) &&
      (types === null || isAmong(told.type, types)) &&
      maySee(listener, told.type, told.content),
  );
}

/** Of what a member has mailed to themselves, no more than their role reads; nothing where the row does not say it. */
function maySee(
  { member_id: memberId, role, access_json }: Pick<Listener, 'member_id' | 'role' | 'access_json'>,
  type: NotificationType,
  { about }: JsonObject,
): boolean {
  if (memberId === null) return true;
  if (role === null) return false;
  try {
    return mayBeTold(accessOf({ role, access_json }), type, Object(about) as JsonObject);
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** What a damaged row cannot say any more is not held against its target, and keeps nothing from the others. */
function isAmong(type: string, typesJson: string): boolean {
  const types = readOr(() => parseJsonText(typesJson), undefined);
  return !Array.isArray(types) || types.includes(type);
}
