import { describe, expect, it } from '@jest/globals';
import { settingsCore } from './cores.ts';
import { DEFAULT_SETTINGS, patchSettingsRequest, settingsValues, tenantSettings } from './settings.ts';

/** What the cores of the first workspaces state, member by member. */
const FIRST = {
  answer_audit_store_question_text: true,
  answer_audit_store_answer_text: true,
  answer_audit_default_retention_days: 365,
  answer_audit_keyed_hash_enabled: false,
  answer_audit_hash_key_id: null,
  answer_audit_accept_text: true,
  answer_audit_accept_caller_hash: false,
  answer_audit_evidence_max_bytes: 1024 ** 3,
};
const LATER = Object.entries(DEFAULT_SETTINGS).filter(([name]) => !(name in FIRST));

describe('settingsValues', () => {
  it('reads a core that states no later setting, and writes the same members again', () => {
    expect(settingsValues.decode(FIRST)).toEqual(DEFAULT_SETTINGS);
    expect(settingsValues.encode(DEFAULT_SETTINGS)).toEqual(FIRST);
    const core = {
      id: '0199f3c2-5d2e-7b4a-9c1f-3e8d6a7b0c45',
      nonce: '00'.repeat(16),
      version: 1,
      settings: FIRST,
      actor: { kind: 'service' as const, id: 'operator', token_id: null },
    };
    expect(settingsCore.encode(settingsCore.parse(core))).toEqual(core);
  });

  it('states a later setting only while it differs from its default', () => {
    const values = { ...DEFAULT_SETTINGS, answer_audit_otlp_hash_user_ids: true };
    const stored = settingsValues.encode(values);
    expect(stored).toEqual({ ...FIRST, answer_audit_otlp_hash_user_ids: true });
    expect(settingsValues.decode(stored)).toEqual(values);
  });

  it.each(LATER)('refuses a core that states %s at its default', (name, value) => {
    expect(settingsValues.safeParse({ ...FIRST, [name]: value }).success).toBe(false);
  });

  it.each(Object.keys(FIRST))('refuses a core without %s', (name) => {
    const { [name]: _, ...rest } = FIRST as Record<string, unknown>;
    expect(settingsValues.safeParse(rest).success).toBe(false);
  });

  it('refuses a core with a setting that is unknown', () => {
    expect(settingsValues.safeParse({ ...FIRST, answer_audit_unknown: true }).success).toBe(false);
  });
});

describe('the settings of the API', () => {
  it.each(LATER)('always show %s, and may set it back to its default', (name, value) => {
    const { [name]: _, ...rest } = {
      ...DEFAULT_SETTINGS,
      version: 1,
      updated_at: '2026-11-23T09:00:00.000000Z',
    } as Record<string, unknown>;
    expect(tenantSettings.safeParse(rest).success).toBe(false);
    expect(tenantSettings.safeParse({ ...rest, [name]: value }).success).toBe(true);
    expect(patchSettingsRequest.parse({ [name]: value })).toEqual({ [name]: value });
  });
});
