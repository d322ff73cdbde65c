import { isVisible, type RetentionFloor, type TenantSettings, type TwoPeople } from '@answer-evidence/contracts';

/** The settings that the form has, in its order. */
const FIELDS = [
  'answer_audit_reading_rule',
  'answer_audit_word_search_enabled',
  'answer_audit_proof_links_enabled',
  'answer_audit_default_retention_days',
  'answer_audit_retention_floor',
  'answer_audit_store_question_text',
  'answer_audit_store_answer_text',
  'answer_audit_evidence_max_bytes',
  'answer_audit_accept_text',
  'answer_audit_accept_caller_hash',
  'answer_audit_keyed_hash_enabled',
  'answer_audit_otlp_hash_user_ids',
  'answer_audit_two_people',
] as const;
/** One of them. */
export type Field = (typeof FIELDS)[number];
/** The settings as they stand in the form. */
export type Draft = Pick<TenantSettings, Field>;

/** What differs, in the order of the form. */
export function changedFields(base: Draft, draft: Draft): readonly Field[] {
  return FIELDS.filter((name) => textOf(base[name]) !== textOf(draft[name]));
}

/** Whether the form can be sent: a floor has its reason, and what is kept by default is kept at least as long. */
export function isComplete({ answer_audit_retention_floor: floor, ...draft }: Draft): boolean {
  const days = draft.answer_audit_default_retention_days;
  if (!Number.isSafeInteger(days) || days < 1 || draft.answer_audit_evidence_max_bytes < 1) return false;
  return floor === null || (isVisible(floor.reason) && floor.days >= 1 && floor.days <= days);
}

function textOf(value: boolean | number | string | RetentionFloor | TwoPeople | null): string {
  if (value !== null && typeof value === 'object' && 'acts' in value)
    return JSON.stringify([value.acts.toSorted(), value.expires_within, value.exports_above ?? 0]);
  return value !== null && typeof value === 'object' ? JSON.stringify([value.days, value.reason]) : String(value);
}
