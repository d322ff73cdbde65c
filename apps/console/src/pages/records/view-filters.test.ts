import { expect, it } from '@jest/globals';
import { dayBefore, toSearch, toViewFilters } from './view-filters.ts';

it('a view of the last days stays one of the last days, and any other keeps its times', () => {
  const recent = { application_key: 'support-bot', created_after: dayBefore(6) };
  expect(toViewFilters(recent)).toEqual({ application_key: 'support-bot', recent_days: 7 });
  expect(toSearch(toViewFilters(recent))).toEqual(recent);
  const fixed = toViewFilters({ created_after: '2024-03-01', answered_before: '2024-03-02' });
  expect(fixed.recent_days).toBeUndefined();
  expect(toViewFilters(toSearch(fixed))).toEqual(fixed);
});

it('a window that ends is no view of the last days', () => {
  expect(toViewFilters({ created_after: dayBefore(0), created_before: dayBefore(0) }).recent_days).toBeUndefined();
});
