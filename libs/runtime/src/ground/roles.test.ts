import { expect, it } from '@jest/globals';
import { ROLE_NAMES, roleOf, ROLES } from './roles.ts';
import { STAGE_NAMES } from './stage-names.ts';

it('names a process by its stages, in whatever order, and none that only has some of them', () => {
  for (const role of ROLE_NAMES) expect(roleOf(ROLES[role].toReversed())).toBe(role);
  expect([roleOf(['ingest']), roleOf(['otlp', 'trust']), roleOf([])]).toEqual(['custom', 'custom', 'custom']);
});

it('has each stage in one process of the split form, and all of them in the one that stands alone', () => {
  const { 'all-in-one': every, ...split } = ROLES;
  expect(every).toEqual(STAGE_NAMES);
  expect(Object.values(split).flat().toSorted()).toEqual(STAGE_NAMES.toSorted());
});
