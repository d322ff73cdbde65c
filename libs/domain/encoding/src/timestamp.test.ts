import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EncodingError, formatTimestamp, parseTimestamp } from './index.ts';

describe('formatTimestamp', () => {
  it('reads back as the time it was given, and sorts as the times do', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(parseTimestamp(formatTimestamp(a))).toBe(a);
        expect(formatTimestamp(a) < formatTimestamp(b)).toBe(a < b);
      }),
    );
  });

  it('writes six fraction digits and Z', () => {
    expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000000Z');
    expect(formatTimestamp(-1)).toBe('1969-12-31T23:59:59.999999Z');
    expect(formatTimestamp(1_795_165_200_123_456)).toBe('2026-11-20T09:00:00.123456Z');
  });

  it('refuses what is not a safe integer', () => {
    for (const micros of [0.5, NaN, Infinity, 2 ** 53]) expect(() => formatTimestamp(micros)).toThrow(EncodingError);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.520000Z'],
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57.000000Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870000Z'],
    ['2026-11-20t09:00:00z', '2026-11-20T09:00:00.000000Z'],
    ['2026-11-20T09:00:00-00:00', '2026-11-20T09:00:00.000000Z'],
    ['2026-11-20T09:00:00.123456999Z', '2026-11-20T09:00:00.123456Z'],
    ['1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
  ])('reads %s as %s', (text, utc) => {
    expect(formatTimestamp(parseTimestamp(text))).toBe(utc);
  });

  it('agrees with Date on every day and minute it can hold', () => {
    const date = fc.date({
      min: new Date('1685-01-01T00:00:00Z'),
      max: new Date('2255-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(date, (d) => parseTimestamp(d.toISOString()) === d.getTime() * 1000));
  });

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T09:00Z',
    '2026-11-20T09:00:00',
    '2026-11-20 09:00:00Z',
    '2026-11-20T09:00:00.Z',
    '2026-11-20T09:00:00.1234567890Z',
    '2026-11-20T09:00:00,5Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-10-00T00:00:00Z',
    '2026-10-10T24:00:00Z',
    '2026-10-10T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-10-10T00:00:00+24:00',
    '2026-10-10T00:00:00+00:60',
    '2026-10-10T00:00:00+0000',
    '2026-10-10T00:00:00Z\n',
    ' 2026-10-10T00:00:00Z',
    '+002026-10-10T00:00:00Z',
    '\u0662026-10-10T00:00:00Z',
    '0099-01-01T00:00:00Z',
    '1600-01-01T00:00:00Z',
    '2300-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('refuses %j', (text) => {
    expect(() => parseTimestamp(text)).toThrow(EncodingError);
  });
});
