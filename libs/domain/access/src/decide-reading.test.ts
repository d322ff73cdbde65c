import { describe, expect, it } from '@jest/globals';
import { READING_RULES } from '@answer-evidence/contracts';
import { decideReading } from './decide-reading.ts';

describe('decideReading', () => {
  it('gives a person texts without a reason as the rule says', () => {
    const decided = READING_RULES.map((rule) => decideReading(rule, { kind: 'user' }, false));
    expect(decided).toEqual(['free', 'entry', 'withhold']);
  });

  it.each(READING_RULES)('keeps every reason, and lets an application read by its scopes, under %s', (rule) => {
    for (const kind of ['user', 'application'] as const) expect(decideReading(rule, { kind }, true)).toBe('entry');
    expect(decideReading(rule, { kind: 'application' }, false)).toBe('free');
  });
});
