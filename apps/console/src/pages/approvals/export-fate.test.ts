import { expect, it } from '@jest/globals';
import { exportFate } from './export-fate.ts';

const AT = '2027-03-04T05:06:07.000000Z';
const NOW = Date.parse(AT);
const READER = 'a reader';
const mine = {
  state: 'approved' as const,
  used: false,
  expires_at: AT,
  requested_by: { kind: 'user' as const, id: READER, token_id: null },
};

it('an approved export is for who asked, once, and before its time', () => {
  expect(exportFate(mine, READER, NOW - 1)).toBe('yours');
  expect(exportFate(mine, 'another reader', NOW - 1)).toBe('theirs');
  expect(exportFate(mine, READER, NOW)).toBe('overdue');
  expect(exportFate({ ...mine, used: true }, READER, NOW - 1)).toBe('used');
  expect(exportFate({ ...mine, used: true }, READER, NOW)).toBe('used');
});

it('what is no export, or was not approved, is none', () => {
  expect(exportFate({ ...mine, used: null }, READER, NOW - 1)).toBeUndefined();
  for (const state of ['open', 'declined', 'withdrawn', 'expired'] as const)
    expect(exportFate({ ...mine, state }, READER, NOW - 1)).toBeUndefined();
});
