import { expect, it } from '@jest/globals';
import { readAssetFilters } from './asset-filters.ts';

it('takes a hash as other tools print it, and leaves out what the service does not know', () => {
  const hex = 'AB'.repeat(32);
  expect(readAssetFilters({ content_hash: hex, kind: 'file', state: 'lost', other: 'x' })).toEqual({
    content_hash: `sha256:${'ab'.repeat(32)}`,
    kind: 'file',
  });
});

it('ends at the end of the last day', () => {
  const { created_after: after, created_before: before } = readAssetFilters({
    created_after: '2026-11-20',
    created_before: '2026-11-20',
  });
  const hour = 3_600_000;
  const length = Date.parse(before ?? '') - Date.parse(after ?? '');
  expect([23 * hour, 24 * hour, 25 * hour]).toContain(length);
  expect(readAssetFilters({ created_after: 'yesterday' })).toEqual({});
});
