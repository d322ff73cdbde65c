import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_SETTINGS, type PatchSettingsRequest, type SettingsValues } from '@answer-evidence/contracts';
import { isUsableSettings } from '@answer-evidence/ledger';
import { planSettingsChange } from './plan-settings-change.ts';

const FLAGS = [
  'answer_audit_store_question_text',
  'answer_audit_accept_text',
  'answer_audit_accept_caller_hash',
  'answer_audit_keyed_hash_enabled',
  'answer_audit_otlp_hash_user_ids',
] as const;

const flags = fc.record({
  answer_audit_store_question_text: fc.boolean(),
  answer_audit_accept_text: fc.boolean(),
  answer_audit_accept_caller_hash: fc.boolean(),
  answer_audit_keyed_hash_enabled: fc.boolean(),
  answer_audit_otlp_hash_user_ids: fc.boolean(),
});
const current = fc
  .tuple(flags, fc.constantFrom(null, 'hk_1'))
  .map(([values, keyId]): SettingsValues => ({ ...DEFAULT_SETTINGS, ...values, answer_audit_hash_key_id: keyId }))
  .filter((values) => isUsableSettings(values))
  .filter((values) => !usesKey(values) || values.answer_audit_hash_key_id !== null);
const patch: fc.Arbitrary<PatchSettingsRequest> = fc.record(
  {
    answer_audit_store_question_text: fc.boolean(),
    answer_audit_accept_text: fc.boolean(),
    answer_audit_accept_caller_hash: fc.boolean(),
    answer_audit_keyed_hash_enabled: fc.boolean(),
    answer_audit_otlp_hash_user_ids: fc.boolean(),
    answer_audit_hash_key_id: fc.constantFrom('hk_1', 'hk_2'),
  },
  { requiredKeys: [] },
);

describe('planSettingsChange', () => {
  it('refuses exactly the patches after which no create could be accepted', () => {
    fc.assert(
      fc.property(current, patch, (values, wanted) => {
        const change = planSettingsChange(at(values), { patch: wanted, ifMatch: undefined }, true);
        expect(change.kind === 'refused').toBe(!isUsableSettings({ ...values, ...wanted }));
      }),
    );
  });

  it('calls a patch a change exactly when a value differs, and then takes each value from the patch or leaves it', () => {
    fc.assert(
      fc.property(current, patch, (values, wanted) => {
        const change = planSettingsChange(at(values), { patch: wanted, ifMatch: undefined }, true);
        if (change.kind === 'refused') return;
        const after = { ...values, ...wanted };
        const differs = [...FLAGS, 'answer_audit_hash_key_id' as const].some((field) => after[field] !== values[field]);
        expect(change.kind).toBe(differs ? 'changed' : 'unchanged');
        if (change.kind === 'changed') expect(change.values).toEqual(after);
      }),
    );
  });

  it('refuses a default below the floor, whichever of the two is changed, and names what was sent', () => {
    const floor = { days: 183, reason: 'AI Act, Articles 19(1) and 26(6)' };
    const judge = (values: Partial<SettingsValues>, wanted: PatchSettingsRequest) => {
      const change = planSettingsChange(
        at({ ...DEFAULT_SETTINGS, ...values }),
        { patch: wanted, ifMatch: undefined },
        true,
      );
      return change.kind === 'refused'
        ? [change.error.code, change.error.errors?.map((one) => one.pointer)]
        : change.kind;
    };
    expect(judge({}, { answer_audit_retention_floor: floor })).toBe('changed');
    expect(judge({ answer_audit_default_retention_days: 182 }, { answer_audit_retention_floor: floor })).toEqual([
      'retention_out_of_range',
      ['/answer_audit_retention_floor'],
    ]);
    expect(judge({ answer_audit_retention_floor: floor }, { answer_audit_default_retention_days: 182 })).toEqual([
      'retention_out_of_range',
      ['/answer_audit_default_retention_days'],
    ]);
    expect(judge({ answer_audit_retention_floor: floor }, { answer_audit_default_retention_days: 183 })).toBe(
      'changed',
    );
    expect(judge({ answer_audit_retention_floor: floor }, { answer_audit_retention_floor: null })).toBe('changed');
  });

  it('asks for a key exactly when something that needs one would be on without it', () => {
    fc.assert(
      fc.property(current, patch, (values, wanted) => {
        const change = planSettingsChange(at(values), { patch: wanted, ifMatch: undefined }, true);
        if (change.kind !== 'changed') return;
        expect(change.needsKey).toBe(usesKey(change.values) && change.values.answer_audit_hash_key_id === null);
      }),
    );
  });

  it('judges the version before anything else: any version but the current one refuses any patch', () => {
    fc.assert(
      fc.property(current, patch, fc.integer({ min: 1, max: 9 }), (values, wanted, version) => {
        const byBody = planSettingsChange(at(values), { patch: { ...wanted, version }, ifMatch: undefined }, true);
        const byHeader = planSettingsChange(at(values), { patch: wanted, ifMatch: `"v${version}"` }, true);
        const codes = [byBody, byHeader].map((change) => (change.kind === 'refused' ? change.error.code : change.kind));
        if (version === 5) expect(codes[0]).toBe(codes[1]);
        else expect(codes).toEqual(['version_conflict', 'precondition_failed']);
      }),
    );
  });
});

function at(values: SettingsValues) {
  return { version: 5, values, updatedAt: 0 };
}

function usesKey(values: SettingsValues): boolean {
  return values.answer_audit_keyed_hash_enabled || values.answer_audit_otlp_hash_user_ids;
}
