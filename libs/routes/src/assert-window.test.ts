import { expect, it } from '@jest/globals';
import { assertWindow } from './assert-window.ts';

it.each([
  {},
  { created_after: '2027-01-01T00:00:00Z' },
  { created_before: '2027-01-01T00:00:00Z' },
  { created_after: '2027-01-01T00:00:00Z', created_before: '2027-01-01T00:00:00Z' },
  { created_after: '2027-01-01T01:00:00+02:00', created_before: '2027-01-01T00:00:00Z' },
])('takes the window %j', (window) => {
  expect(() => assertWindow(window)).not.toThrow();
});

it('refuses a window that ends before it begins, by a microsecond and in any offset, and says what to do', () => {
  for (const [after, before] of [
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00Z'],
    ['2027-01-01T00:00:00Z', '2027-01-01T01:00:00+02:00'],
  ] as const)
    expect(() => assertWindow({ created_after: after, created_before: before })).toThrow(
      expect.objectContaining({
        code: 'schema_violation',
        errors: [{ pointer: '?created_before', detail: 'must not be earlier than created_after; exchange the two' }],
      }),
    );
});

it('refuses each time that the service cannot tell', () => {
  expect(() => assertWindow({ created_after: '2500-01-01T00:00:00Z', created_before: '1500-01-01T00:00:00Z' })).toThrow(
    expect.objectContaining({
      errors: [{ pointer: '?created_after' }, { pointer: '?created_before' }].map((at) => expect.objectContaining(at)),
    }),
  );
});
