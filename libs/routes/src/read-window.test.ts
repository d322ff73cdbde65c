import { expect, it } from '@jest/globals';
import { readWindow } from './read-window.ts';

it.each([
  {},
  { created_after: '2027-01-01T00:00:00Z' },
  { created_before: '2027-01-01T00:00:00Z' },
  { created_after: '2027-01-01T00:00:00Z', created_before: '2027-01-01T00:00:00Z' },
  { created_after: '2027-01-01T01:00:00+02:00', created_before: '2027-01-01T00:00:00Z' },
])('takes the window %j', (window) => {
  expect(() => readWindow(window)).not.toThrow();
});

it('refuses a window that ends before it begins, by a microsecond and in any offset, and says what to do', () => {
  for (const [after, before] of [
    ['2027-01-01T00:00:00.000001Z', '2027-01-01T00:00:00Z'],
    ['2027-01-01T00:00:00Z', '2027-01-01T01:00:00+02:00'],
  ] as const)
    expect(() => readWindow({ created_after: after, created_before: before })).toThrow(
      expect.objectContaining({
        code: 'schema_violation',
        errors: [{ pointer: '?created_before', detail: 'must not be earlier than created_after; exchange the two' }],
      }),
    );
});

it('refuses each time that the service cannot tell', () => {
  expect(() => readWindow({ created_after: '2500-01-01T00:00:00Z', created_before: '1500-01-01T00:00:00Z' })).toThrow(
    expect.objectContaining({
      errors: [{ pointer: '?created_after' }, { pointer: '?created_before' }].map((at) => expect.objectContaining(at)),
    }),
  );
});

it('gives each time as the service writes it, and leaves other filters as they are', () => {
  const asked = { created_after: '2016-12-31t18:59:60.5-05:00', created_before: '2027-01-01T00:00:00z', mode: 'live' };
  expect(readWindow(asked)).toEqual({
    created_after: '2017-01-01T00:00:00.500000Z',
    created_before: '2027-01-01T00:00:00.000000Z',
    mode: 'live',
  });
});
