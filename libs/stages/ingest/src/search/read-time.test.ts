import { describe, expect, it } from '@jest/globals';
import { readTime } from './read-time.ts';

/** Saturday, 28 November 2026, 00:30 in Berlin: still the day before in UTC. */
const NOW = Date.parse('2026-11-27T23:30:00Z');

function read(text: string, timeZone = 'Europe/Berlin') {
  const found = readTime(text, NOW, timeZone);
  if (found === undefined) return undefined;
  return [new Date(found.fromMs).toISOString(), new Date(found.toMs).toISOString(), found.rest];
}
const day = (from: string, to: string, rest = '') => [`${from}:00:00.000Z`, `${to}:00:00.000Z`, rest];
const of28 = day('2026-11-27T23', '2026-11-28T23');
const of27 = day('2026-11-26T23', '2026-11-27T23');

describe('a time in a text', () => {
  it.each([
    ['today', of28],
    ['Heute', of28],
    ['yesterday', of27],
    ['gestern', of27],
    ['vorgestern', day('2026-11-25T23', '2026-11-26T23')],
    ['day before yesterday', day('2026-11-25T23', '2026-11-26T23')],
    ['27 Nov', of27],
    ['Nov 27', of27],
    ['November 27th, 2026', of27],
    ['27th of November 2026', of27],
    ['27. November', of27],
    ['27.11.', of27],
    ['27.11.2026', of27],
    ['27.11.26', of27],
    ['2026-11-27', of27],
    ['29 Nov', day('2025-11-28T23', '2025-11-29T23')],
    ['5. März 2026', day('2026-03-04T23', '2026-03-05T23')],
    ['3 Okt', day('2026-10-02T22', '2026-10-03T22')],
    ['12 Dez', day('2025-12-11T23', '2025-12-12T23')],
    ['29 Feb', day('2024-02-28T23', '2024-02-29T23')],
    ['Tuesday', day('2026-11-23T23', '2026-11-24T23')],
    ['am Dienstag', day('2026-11-23T23', '2026-11-24T23')],
    ['Saturday', of28],
    ['last Saturday', day('2026-11-20T23', '2026-11-21T23')],
    ['letzten Samstag', day('2026-11-20T23', '2026-11-21T23')],
    ['last 7 days', day('2026-11-21T23', '2026-11-28T23')],
    ['letzte 7 Tage', day('2026-11-21T23', '2026-11-28T23')],
    ['this week', day('2026-11-22T23', '2026-11-29T23')],
    ['letzte Woche', day('2026-11-15T23', '2026-11-22T23')],
    ['October 2026', day('2026-09-30T22', '2026-10-31T23')],
    ['2026-12', day('2026-11-30T23', '2026-12-31T23')],
  ])('%s is found where the reader is', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('is a minute or a second where the text names one', () => {
    expect(read('27 Nov 14:05')).toEqual(['2026-11-27T13:05:00.000Z', '2026-11-27T13:06:00.000Z', '']);
    expect(read('gestern um 14:05 Uhr')).toEqual(['2026-11-27T13:05:00.000Z', '2026-11-27T13:06:00.000Z', '']);
    expect(read('14:05:09')).toEqual(['2026-11-28T13:05:09.000Z', '2026-11-28T13:05:10.000Z', '']);
    expect(read('2026-11-27T14:05:09.123456Z')).toEqual(['2026-11-27T14:05:09.000Z', '2026-11-27T14:05:10.000Z', '']);
    expect(read('2026-11-27 14:05+01:00')).toEqual(['2026-11-27T13:05:00.000Z', '2026-11-27T13:06:00.000Z', '']);
  });

  it('leaves the other words as they are, without the one that joins the day to them', () => {
    expect(read('a customer asked on Tuesday about Jackets')?.[2]).toBe('a customer asked about Jackets');
    expect(read('jacken am 27.11.')).toEqual([...of27.slice(0, 2), 'jacken']);
  });

  it('has as many hours as the day had where the clocks were set', () => {
    expect(read('2026-03-29')).toEqual(day('2026-03-28T23', '2026-03-29T22'));
    expect(read('2026-10-25')).toEqual(day('2026-10-24T22', '2026-10-25T23'));
    expect(read('2026-10-25', 'America/New_York')).toEqual(day('2026-10-25T04', '2026-10-26T04'));
  });

  it.each([
    'msg-2026-11-27',
    'jackets',
    '2026-02-30',
    '31.02.2026',
    '32 Nov',
    '25:00',
    'a2026-11-27',
    'monday.csv',
    '',
  ])('is not found in %s', (text) => {
    expect(read(text)).toBeUndefined();
  });
});
