import { type PatchSettingsRequest, ServiceError, type SettingsValues } from '@answer-evidence/contracts';
import { isUsableSettings, type VersionedSettings } from '@answer-evidence/ledger';
import { isMatch } from '@answer-evidence/routes';
import { formatSettingsTag } from './entity-tag.ts';

/** What a caller wants of the settings, and under which conditions. */
export type WantedChange = { readonly patch: PatchSettingsRequest; readonly ifMatch: string | undefined };

/** What a patch comes to. With `needsKey`, the hash key of `values` is still to be made. */
type SettingsChange =
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly values: SettingsValues; readonly needsKey: boolean };

/**
 * Judges a patch against the settings in force, all of it before any of it: first whether the caller knew this version,
 * then the key that it names, then whether a create could still be accepted. `keyExists` is about the key in the patch.
 */
export function planSettingsChange(
  current: VersionedSettings,
  { patch, ifMatch }: WantedChange,
  keyExists: boolean,
): SettingsChange {
  const { version, ...changes } = patch;
  if (!isMatch(ifMatch, formatSettingsTag(current.version)))
    return refused('precondition_failed', 'the settings have changed; read them again', []);
  if (version !== undefined && version !== current.version)
    return refused('version_conflict', `must be the current version, ${current.version}`, ['/version']);
  if (changes.answer_audit_hash_key_id !== undefined && !keyExists)
    return refused('hash_key_not_found', 'must be the id of a hash key of this workspace', [
      '/answer_audit_hash_key_id',
    ]);

  const values: SettingsValues = { ...current.values, ...changes };
  if (!isUsableSettings(values))
    return refused(
      'settings_unusable',
      'no record could be created: both text and hashes without text would be refused; allow one of them',
      COMMITMENT_FIELDS.filter((field) => changes[field] !== undefined).map((field) => `/${field}`),
    );
  const floor = values.answer_audit_retention_floor;
  if (floor !== null && values.answer_audit_default_retention_days < floor.days)
    return refused(
      'retention_out_of_range',
      `the default of ${values.answer_audit_default_retention_days} days would be below the floor of ${floor.days}`,
      RETENTION_FIELDS.filter((field) => changes[field] !== undefined).map((field) => `/${field}`),
    );
  const names = Object.keys(changes) as readonly (keyof typeof changes)[];
  const isSame = (name: (typeof names)[number]) =>
    JSON.stringify(values[name]) === JSON.stringify(current.values[name]);
  if (names.every(isSame)) return { kind: 'unchanged' };
  const isKeyUsed = values.answer_audit_keyed_hash_enabled || values.answer_audit_otlp_hash_user_ids;
  const needsKey = isKeyUsed && values.answer_audit_hash_key_id === null;
  return { kind: 'changed', values, needsKey };
}

const COMMITMENT_FIELDS = [
  'answer_audit_accept_text',
  'answer_audit_accept_caller_hash',
  'answer_audit_keyed_hash_enabled',
] as const;

const RETENTION_FIELDS = ['answer_audit_default_retention_days', 'answer_audit_retention_floor'] as const;

function refused(
  code:
    | 'precondition_failed'
    | 'version_conflict'
    | 'hash_key_not_found'
    | 'settings_unusable'
    | 'retention_out_of_range',
  detail: string,
  pointers: readonly string[],
): SettingsChange {
  const errors = pointers.map((pointer) => ({ pointer, detail }));
  return { kind: 'refused', error: new ServiceError(code, detail, { errors }) };
}
