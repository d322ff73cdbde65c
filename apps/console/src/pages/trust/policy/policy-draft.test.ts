import { describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { compareLines, draftOf, judgeDraft } from './policy-draft.ts';

const policy = { ...DEFAULT_TRUST_POLICY, version: 0, updated_at: null };

describe('the form of a trust policy', () => {
  it('sends back what it was given', () => {
    expect(judgeDraft(draftOf(policy))).toEqual({ policy: DEFAULT_TRUST_POLICY });
  });

  it.each([
    ['checkpoint_interval_seconds', '0'],
    ['anchor_interval_seconds', 'soon'],
    ['anchors', 'not JSON'],
    ['anchors', '[{"id":"A","type":"file"}]'],
    ['anchors_required', '99'],
  ] as const)('names %s when it holds %j', (field, text) => {
    expect(judgeDraft({ ...draftOf(policy), [field]: text })).toEqual({ faults: { [field]: expect.any(String) } });
  });
});

describe('compareLines', () => {
  it('lists what went and what came, and counts repetitions', () => {
    expect(compareLines('a\nb\nb', 'a\nb\nc')).toEqual([
      { isAdded: false, line: 'b' },
      { isAdded: true, line: 'c' },
    ]);
    expect(compareLines('a\nb', 'a\nb')).toEqual([]);
  });
});
