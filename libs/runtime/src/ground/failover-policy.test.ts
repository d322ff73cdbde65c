import { describe, expect, it } from '@jest/globals';
import { createFailoverJudge, parseStandbyNames } from './failover-policy.ts';

const kept = { systemIdentifier: '74', timeline: 1, synchronousStandbys: 'FIRST 1 (pg1, "Pg-2")' };
const promoted = { systemIdentifier: '74', timeline: 2, synchronousStandbys: '' };

describe('what the operator says of another server', () => {
  it.each([
    ['nothing', undefined, kept, promoted, false],
    ['that a standby for which commits waited is promoted', 'synchronous:pg1', kept, promoted, true],
    ['the same in other letters, of one of several', 'synchronous:other,pg-2', kept, promoted, true],
    ['that another standby is synchronous', 'synchronous:pg3', kept, promoted, false],
    ['it of any standby', 'synchronous:pg3', { ...kept, synchronousStandbys: 'ANY 1 (*)' }, promoted, true],
    ['it while no commit waited', 'synchronous:pg1', { ...kept, synchronousStandbys: '' }, promoted, false],
    ['it of another cluster', 'synchronous:pg1', kept, { ...promoted, systemIdentifier: '75' }, false],
    ['it of a timeline from before', 'synchronous:pg1', { ...kept, timeline: 3 }, promoted, false],
    ['that this very server is complete', 'complete:75/1', kept, { systemIdentifier: '75', timeline: 1 }, true],
    ['it, and the server was promoted since', 'complete:75/1', kept, { systemIdentifier: '75', timeline: 2 }, false],
  ])('%s', (_, word, head, server, lacksNothing) => {
    expect(createFailoverJudge(word)(head, server)).toBe(lacksNothing);
  });

  it('is held against each form of synchronous_standby_names', () => {
    expect(['', 'a', 'a, "B c"', '2 (a,b)', 'FIRST 1 (a)', 'any 1 ("x""y", *)'].map(parseStandbyNames)).toEqual([
      [],
      ['a'],
      ['a', 'b c'],
      ['a', 'b'],
      ['a'],
      ['x"y', '*'],
    ]);
  });
});
