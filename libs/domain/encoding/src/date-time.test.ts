import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EncodingError, formatTimestamp, parseDateTime, parseTimestamp } from './index.ts';

describe('parseDateTime', () => {
  it.each([
    ['2026-11-28t01:00:00z', '2026-11-28T01:00:00.000000Z'],
    ['2026-11-28t01:00:00+01:00', '2026-11-28T00:00:00.000000Z'],
    ['2026-11-28T01:00:00.1Z', '2026-11-28T01:00:00.100000Z'],
    ['2026-11-28T01:00:00.1234567890123456789Z', '2026-11-28T01:00:00.123456Z'],
    ['2026-11-28T01:00:00.0000009999999Z', '2026-11-28T01:00:00.000000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000Z'],
    ['2016-12-31T23:59:60.75z', '2017-01-01T00:00:00.750000Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000000Z'],
    ['2012-07-01T05:44:60+05:45', '2012-07-01T00:00:00.000000Z'],
    ['2028-02-29T23:59:60Z', '2028-03-01T00:00:00.000000Z'],
  ])('reads %s as %s', (text, utc) => {
    expect(formatTimestamp(parseDateTime(text))).toBe(utc);
  });

  it('reads each time that the service writes, and refuses it with half of its digits', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (micros) => {
        const text = formatTimestamp(micros);
        expect(parseDateTime(text)).toBe(parseTimestamp(text));
        expect(() => parseDateTime(text.slice(0, 13))).toThrow(EncodingError);
      }),
    );
  });

  it.each([
    ['2026-11-28', /RFC 3339 date-time with an offset/],
    ['2026-11-28T01:00:00', /RFC 3339 date-time with an offset/],
    ['2026-11-28T01:00:00.Z', /RFC 3339 date-time with an offset/],
    ['2026-11-28 01:00:00Z', /RFC 3339 date-time with an offset/],
    ['2026-02-30T01:00:00Z', /a day that exists/],
    ['2026-11-28T24:00:00Z', /hours of at most 23/],
    ['2026-11-28T01:00:00+24:00', /hours of at most 23/],
    ['2026-11-28T01:60:00Z', /minutes and seconds of at most 59/],
    ['2026-11-28T01:00:61Z', /minutes and seconds of at most 59/],
    ['2026-11-28T01:00:60Z', /leap second/],
    ['2016-12-31T23:59:60+01:00', /leap second/],
    ['2016-12-30T23:59:60Z', /leap second/],
    ['1683-01-01T00:00:00Z', /between the years 1684 and 2255/],
    ['2256-01-01T00:00:00.0000000000Z', /between the years 1684 and 2255/],
  ])('refuses %s, and says what is wrong with it', (text, reason) => {
    expect(() => parseDateTime(text)).toThrow(reason);
    expect(() => parseDateTime(text)).toThrow(EncodingError);
  });
});
