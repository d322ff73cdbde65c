import * as z from 'zod';
import { type OtlpRules, otlpRules, otlpRulesRequest } from './otlp-rules.ts';
import { commitmentHash, NAMED_ID_LENGTH_MAX, RETENTION_DAYS_MAX, shownName, timestamp } from './primitives.ts';
import { READING_RULES, type ReadingRule } from './reading-rules.ts';
import { atMost } from './text-length.ts';
import { NO_SECOND_PERSON, twoPeople, twoPeopleRequest } from './two-people.ts';

/** The settings that every core states. */
const firstFields = {
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

/** Longest reason of a floor, in UTF-16 code units. */
const FLOOR_REASON_LENGTH_MAX = 200;

/** For how many days from its entry a record is kept at least, and why: the law or the contract that asks for it. */
export const retentionFloor = z.strictObject({ days: z.int().min(1).max(RETENTION_DAYS_MAX), reason: z.string() });
export type RetentionFloor = z.infer<typeof retentionFloor>;
const retentionFloorRequest = retentionFloor.extend({ reason: shownName(FLOOR_REASON_LENGTH_MAX) });

/** The settings that came later, and what holds while a core does not state them. */
const laterFields = {
  answer_audit_otlp_hash_user_ids: z.boolean(),
  answer_audit_otlp_rules: otlpRules,
  answer_audit_retention_floor: retentionFloor.nullable(),
  answer_audit_reading_rule: z.enum(READING_RULES),
  answer_audit_proof_links_enabled: z.boolean(),
  answer_audit_word_search_enabled: z.boolean(),
  answer_audit_two_people: twoPeople,
};
const LATER_DEFAULTS = {
  answer_audit_otlp_hash_user_ids: false,
  answer_audit_otlp_rules: [] as OtlpRules,
  answer_audit_retention_floor: null as RetentionFloor | null,
  answer_audit_reading_rule: 'open' as ReadingRule,
  answer_audit_proof_links_enabled: false,
  answer_audit_word_search_enabled: false,
  answer_audit_two_people: NO_SECOND_PERSON,
};
const LATER_DEFAULT_TEXTS = new Map(
  Object.entries(LATER_DEFAULTS).map(([name, value]) => [name, JSON.stringify(value)]),
);

const fields = { ...firstFields, ...laterFields };
const storedSettings = z
  .strictObject({ ...firstFields, ...z.object(laterFields).partial().shape })
  .refine((stored) => !Object.entries(stored).some(isLaterDefault), 'must not state a later setting at its default');

/**
 * The answer-evidence settings of a workspace, without their version. Decoding reads them as a core states them,
 * encoding writes them so: a later setting is absent while it has its default. So each policy has one text, and cores
 * of workspaces that do not use a later setting stay the same bytes (decision 0099).
 */
export const settingsValues = z.codec(storedSettings, z.strictObject(fields), {
  decode: (stored) => ({ ...LATER_DEFAULTS, ...stored }),
  encode: (values) =>
    storedSettings.parse(Object.fromEntries(Object.entries(values).filter((entry) => !isLaterDefault(entry)))),
});
export type SettingsValues = z.infer<typeof settingsValues>;

function isLaterDefault([name, value]: [string, unknown]): boolean {
  return LATER_DEFAULT_TEXTS.get(name) === JSON.stringify(value);
}

/** `GET /api/tenant/settings`. */
export const tenantSettings = z.strictObject({ ...fields, version: z.int().positive(), updated_at: timestamp });
export type TenantSettings = z.infer<typeof tenantSettings>;

/** Body of `PATCH /api/tenant/settings`; a `version` must be the current one. */
export const patchSettingsRequest = z
  .strictObject({
    ...fields,
    answer_audit_hash_key_id: z.string(),
    answer_audit_otlp_rules: otlpRulesRequest,
    answer_audit_retention_floor: retentionFloorRequest.nullable(),
    answer_audit_two_people: twoPeopleRequest,
  })
  .partial()
  .extend({ version: z.int().positive().optional() });
export type PatchSettingsRequest = z.infer<typeof patchSettingsRequest>;

/** What holds where nothing else was ever stated. */
export const DEFAULT_SETTINGS: SettingsValues = {
  answer_audit_store_question_text: true,
  answer_audit_store_answer_text: true,
  answer_audit_default_retention_days: 365,
  answer_audit_keyed_hash_enabled: false,
  answer_audit_hash_key_id: null,
  answer_audit_accept_text: true,
  answer_audit_accept_caller_hash: false,
  answer_audit_evidence_max_bytes: 1024 ** 3,
  ...LATER_DEFAULTS,
};

/** What a new workspace starts with. Older ones read by the default until a manager changes it. */
export const NEW_WORKSPACE_SETTINGS: SettingsValues = { ...DEFAULT_SETTINGS, answer_audit_reading_rule: 'logged' };

/** A tenant's hash key: never its bytes. */
export const hashKey = z.strictObject({ id: z.string(), active: z.boolean(), created_at: timestamp });
export type HashKey = z.infer<typeof hashKey>;
/** `GET /api/tenant/hash-keys`. */
export const hashKeyList = z.strictObject({ items: z.array(hashKey) });

/** Body of `POST /api/tenant/id-hashes`. */
export const hashIdRequest = z.strictObject({
  kind: z.enum(['actor', 'session']).meta({ description: 'Whom or what the id names: a person or a session' }),
  id: z
    .string()
    .min(1, 'must not be empty')
    .check(atMost(NAMED_ID_LENGTH_MAX))
    .refine((id) => id.isWellFormed(), 'must be well-formed Unicode')
    .meta({ description: 'The id as the application sends it; it is neither stored nor logged' }),
});
export type HashIdRequest = z.infer<typeof hashIdRequest>;
const idHash = z.strictObject({ hash_key_id: z.string(), active: z.boolean(), hash: commitmentHash });
/** Its response: what `actor_id_hash` or `session_id_hash` is under each hash key. */
export const idHashList = z.strictObject({ items: z.array(idHash) });
export type IdHashList = z.infer<typeof idHashList>;
