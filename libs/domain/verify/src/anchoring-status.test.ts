import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { anchoringOf } from './anchoring-status.ts';

const OUTCOMES = ['PASS', 'FAIL', 'SKIP', 'NA'] as const;
const CHECKS = [
  'checkpoint_signature',
  'merkle_inclusion',
  'witness_cosignatures',
  'external_anchor',
  'anchored',
] as const;
type Outcomes = Readonly<Record<string, (typeof OUTCOMES)[number]>>;

const page = readFileSync(new URL('../../../../docs/formats/bundle.md', import.meta.url), 'utf8');
/** The rows of the table: any of the checks, `is` or `is not`, an outcome, and what the record then is. */
const rules = [...page.matchAll(/^\| (?:any of )?((?:`\w+`(?:, )?)+) is (not )?(PASS|FAIL|SKIP) +\| (\w+) +\|$/gm)].map(
  ([, names = '', not, outcome, status]) => ({
    applies: (outcomes: Outcomes) =>
      [...names.matchAll(/\w+/g)].some(([name]) => (outcomes[name] === outcome) === (not === undefined)),
    status,
  }),
);

/** Every combination of outcomes. */
const combinations = CHECKS.reduce<readonly Outcomes[]>(
  (all, check) => all.flatMap((outcomes) => OUTCOMES.map((outcome) => ({ ...outcomes, [check]: outcome }))),
  [{}],
);

describe('anchoringOf', () => {
  it('is for every combination of outcomes what the first rule of the table that applies says', () => {
    expect([rules.length, combinations.length]).toEqual([4, 1_024]);
    const differing = combinations.filter(
      (outcomes) =>
        anchoringOf((check) => outcomes[check]) !==
        (rules.find(({ applies }) => applies(outcomes))?.status ?? 'NOT_ANCHORED'),
    );
    expect(differing).toEqual([]);
  });

  it('is never PENDING or ANCHORED beside a FAIL of anything demanded', () => {
    for (const outcomes of combinations.filter((all) => Object.values(all).includes('FAIL')))
      expect(['NOT_ANCHORED', ...(outcomes['anchored'] === 'PASS' ? ['ANCHORED'] : [])]).toContain(
        anchoringOf((check) => outcomes[check]),
      );
  });
});
