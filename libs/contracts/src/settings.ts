import * as z from 'zod';
import { RETENTION_DAYS_MAX, timestamp } from './primitives.ts';

const fields = {
  answer_audit_store_question_text: z.boolean(),
  answer_audit_store_answer_text: z.boolean(),
  answer_audit_default_retention_days: z.int().min(1).max(RETENTION_DAYS_MAX),
  answer_audit_keyed_hash_enabled: z.boolean(),
  answer_audit_hash_key_id: z.string().nullable(),
  answer_audit_accept_text: z.boolean(),
  answer_audit_accept_caller_hash: z.boolean(),
  answer_audit_evidence_max_bytes: z
    .int()
    .min(1)
    .max(5 * 1024 ** 4),
};

/** The answer-evidence settings of a workspace, without their version. */
export const settingsValues = z.strictObject(fields);
export type SettingsValues = z.infer<typeof settingsValues>;

/** `GET /api/tenant/settings`. */
export const tenantSettings = z.strictObject({ ...fields, version: z.int().positive(), updated_at: timestamp });
export type TenantSettings = z.infer<typeof tenantSettings>;

/** Body of `PATCH /api/tenant/settings`; a `version` must be the current one. */
export const patchSettingsRequest = z
  .strictObject({ ...fields, answer_audit_hash_key_id: z.string() })
  .partial()
  .extend({ version: z.int().positive().optional() });
export type PatchSettingsRequest = z.infer<typeof patchSettingsRequest>;

/** What a new workspace starts with. */
export const DEFAULT_SETTINGS: SettingsValues = {
  answer_audit_store_question_text: true,
  answer_audit_store_answer_text: true,
  answer_audit_default_retention_days: 365,
  answer_audit_keyed_hash_enabled: false,
  answer_audit_hash_key_id: null,
  answer_audit_accept_text: true,
  answer_audit_accept_caller_hash: false,
  answer_audit_evidence_max_bytes: 1024 ** 3,
};

/** A tenant's hash key: never its bytes. */
export const hashKey = z.strictObject({ id: z.string(), active: z.boolean(), created_at: timestamp });
export type HashKey = z.infer<typeof hashKey>;
/** `GET /api/tenant/hash-keys`. */
export const hashKeyList = z.strictObject({ items: z.array(hashKey) });
