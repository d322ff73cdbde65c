import { expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import { changedFields, isComplete } from './settings-draft.ts';

const floor = { days: 183, reason: 'AI Act' };

it('names what differs, a floor by what it says', () => {
  const before = { ...DEFAULT_SETTINGS, answer_audit_retention_floor: floor };
  expect(changedFields(before, { ...before, answer_audit_retention_floor: { ...floor } })).toEqual([]);
  for (const other of [null, { ...floor, days: 184 }, { ...floor, reason: 'Act' }])
    expect(changedFields(before, { ...before, answer_audit_retention_floor: other })).toEqual([
      'answer_audit_retention_floor',
    ]);
  const two = { answer_audit_accept_text: false, answer_audit_reading_rule: 'reasoned' } as const;
  expect(changedFields(before, { ...before, ...two })).toEqual([
    'answer_audit_reading_rule',
    'answer_audit_accept_text',
  ]);
});

it.each([
  [null, 365, true],
  [floor, 365, true],
  [floor, 183, true],
  [floor, 182, false],
  [{ ...floor, reason: ' ' }, 365, false],
  [{ ...floor, days: 0 }, 365, false],
  [null, 0, false],
  [null, NaN, false],
])('with the floor %j and %d days can be sent: %s', (wanted, days, isReady) => {
  expect(
    isComplete({
      ...DEFAULT_SETTINGS,
      answer_audit_retention_floor: wanted,
      answer_audit_default_retention_days: days,
    }),
  ).toBe(isReady);
});
