import { describe, expect, it } from '@jest/globals';
import { parseOptions, UsageError } from './options.ts';

describe('parseOptions', () => {
  it('measures everything in three rounds of ten seconds unless told otherwise', () => {
    expect(parseOptions([])).toEqual({
      only: new Set([1, 2, 3, 4, 5, 6, 7, 8]),
      rounds: 3,
      roundSeconds: 10,
      jsonFile: undefined,
    });
  });

  it('takes numbers, a quick run and a file', () => {
    expect(parseOptions(['--quick', '--only', '5,1', '--json', 'figures.json'])).toEqual({
      only: new Set([5, 1]),
      rounds: 1,
      roundSeconds: 4,
      jsonFile: 'figures.json',
    });
  });

  it('takes bytes, console, fairness, lists, observe and processes by their names, and measures them only then', () => {
    expect(parseOptions(['--only', 'fairness,4']).only).toEqual(new Set(['fairness', 4]));
    expect(parseOptions(['--only', 'bytes']).only).toEqual(new Set(['bytes']));
    expect(parseOptions(['--only', 'lists,observe']).only).toEqual(new Set(['lists', 'observe']));
    expect(parseOptions(['--only', 'console,processes']).only).toEqual(new Set(['console', 'processes']));
  });

  it.each([['--only', '9'], ['--only', ''], ['--only', '1e0'], ['--fast'], ['stray']])(
    'refuses %s %s with its usage',
    (...args) => {
      expect(() => parseOptions(args)).toThrow(UsageError);
      expect(() => parseOptions(args)).toThrow(/usage: npm run bench/);
    },
  );
});
