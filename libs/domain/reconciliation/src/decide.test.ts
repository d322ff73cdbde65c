import { describe, expect, it } from '@jest/globals';
import type { ReconciliationFinding } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { decide } from './decide.ts';
import type { ReconciledRecord, Reference, RunRules } from './facts.ts';
import { readReference } from './lines.ts';

const at = parseTimestamp;
const START = at('2026-11-20T00:00:00Z');
const SECOND = 1_000_000;
const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;
const KEYED = `hmac-sha256:${'c'.repeat(64)}`;

const RULES: RunRules = {
  windowStart: START,
  windowEnd: at('2026-11-21T00:00:00Z'),
  maxLatenessSeconds: 300,
  decidedAt: at('2026-11-22T00:00:00Z'),
  anchoredTreeSize: null,
};

function reference(id: string, seconds: number, hashes: Partial<Reference> = {}): Reference {
  return { referenceId: id, occurredAt: START + seconds * SECOND, questionHash: null, answerHash: null, ...hashes };
}

let leaves = 0;
function record(value: string | null, seconds: number, more: Partial<ReconciledRecord> = {}): ReconciledRecord {
  const leafIndex = ++leaves;
  return {
    id: `0199f3c2-0000-7000-8000-${String(leafIndex).padStart(12, '0')}`,
    leafIndex,
    createdAt: START + Math.round(seconds * SECOND),
    matchValue: value,
    question: { hash: A, opened: false, equals: null },
    answer: { hash: A, opened: false, equals: null },
    status: 'recorded',
    namedEarlier: null,
    ...more,
  };
}

/** The findings as `type:reference`, for tables. */
function told(findings: readonly ReconciliationFinding[]): readonly string[] {
  return findings.map(({ type, reference_id: id }) => `${type}:${id ?? '-'}`);
}

describe('a window', () => {
  const lastMicro = 86_400 - 1e-6;

  it('holds records from its start on and none from its end on', () => {
    const records = [record('start', 0), record('last', lastMicro), record('end', 86_400), record('before', -1e-6)];
    const { findings, counts } = decide(RULES, [reference('m', 1)], [...records, record('m', 1)]);
    expect(findings.flatMap(({ answer_log_id: id }) => id ?? [])).toEqual([records[0]?.id, records[1]?.id]);
    expect(counts.records).toBe(3);
  });

  it('has references served after its end while they are not too late, and not after that', () => {
    const references = [reference('in-time', lastMicro), reference('too-late', lastMicro)];
    const records = [record('in-time', lastMicro + 300), record('too-late', 86_400 + 300)];
    expect(told(decide(RULES, references, records).findings)).toEqual(['missing_service:too-late']);
  });

  it.each([
    ['exactly at the limit', 300, []],
    ['a microsecond above it', 300 + 1e-6, ['late_service:m']],
    ['before it was asked, by another clock', -5, []],
  ])('judges a record created %s', (_, after, expected) => {
    const { findings } = decide(RULES, [reference('m', 100)], [record('m', 100 + after)]);
    expect(told(findings)).toEqual(expected);
  });

  it('says how much too late a record was, rounded up to seconds', () => {
    const { findings } = decide(RULES, [reference('m', 0)], [record('m', 301.5)]);
    expect(findings[0]).toMatchObject({ detail: { max_lateness_seconds: 300, late_by_seconds: 2 } });
  });

  it('knows times by what they mean, whatever their offset', () => {
    const sent = { reference_id: 'm', occurred_at: '2026-11-20T02:00:00.5+02:00' };
    expect(readReference(sent).occurredAt).toBe(at('2026-11-20T00:00:00.500000Z'));
  });
});

describe('a reference without a record', () => {
  it.each([
    ['a microsecond before the lateness has passed', at('2026-11-21T00:04:59.999999Z'), true],
    ['when it has passed', at('2026-11-21T00:05:00Z'), false],
  ])('is missing; decided %s, provisionally so: %s', (_, decidedAt, provisional) => {
    const { findings } = decide({ ...RULES, decidedAt }, [reference('m', 5)], []);
    expect(findings).toEqual([
      {
        type: 'missing_service',
        reference_id: 'm',
        answer_log_id: null,
        detail: { reason: 'no_record', occurred_at: '2026-11-20T00:00:05.000000Z', provisional },
      },
    ]);
  });
});

describe('hashes', () => {
  const keyed = (opened: boolean, equals: string | null) => ({ question: { hash: KEYED, opened, equals } });

  it.each([
    ['none given', { questionHash: null }, {}, [], 0],
    ['equal', { questionHash: A, answerHash: A }, {}, [], 0],
    ['another question', { questionHash: B }, {}, ['question'], 0],
    ['another answer', { questionHash: A, answerHash: B }, {}, ['answer'], 0],
    ['both others', { questionHash: B, answerHash: B }, {}, ['question', 'answer'], 0],
    ['SHA-256 against a keyed commitment without text', { questionHash: A }, keyed(false, null), [], 1],
    ['SHA-256 against a keyed commitment whose text has it', { questionHash: A }, keyed(true, A), [], 0],
    ['SHA-256 against a keyed commitment whose text has not', { questionHash: A }, keyed(true, null), ['question'], 0],
    ['the keyed commitment itself', { questionHash: KEYED }, keyed(false, null), [], 0],
    ['a keyed hash against SHA-256', { questionHash: KEYED }, {}, [], 1],
    ['unclear question and another answer', { questionHash: A, answerHash: B }, keyed(false, null), ['answer'], 0],
  ])('%s', (_, hashes, more, fields, unclear) => {
    const { findings, counts } = decide(RULES, [reference('m', 0, hashes)], [record('m', 1, more)]);
    expect(findings.map(({ detail }) => ('fields' in detail ? detail.fields : null))).toEqual(
      fields.length === 0 ? [] : [fields],
    );
    expect(counts).toMatchObject({
      matched: fields.length === 0 ? 1 : 0,
      hash_mismatches: fields.length === 0 ? 0 : 1,
      hashes_not_comparable: unclear,
    });
  });

  it('show both sides of what differs, and of which record', () => {
    const other = record('m', 1, { status: 'voided' });
    expect(decide(RULES, [reference('m', 0, { answerHash: B })], [other]).findings).toEqual([
      {
        type: 'missing_service',
        reference_id: 'm',
        answer_log_id: other.id,
        detail: {
          reason: 'hash_mismatch',
          occurred_at: '2026-11-20T00:00:00.000000Z',
          created_at: '2026-11-20T00:00:01.000000Z',
          record_status: 'voided',
          fields: ['answer'],
          referenced: { question: null, answer: B },
          recorded: { question: A, answer: A },
        },
      },
    ]);
  });
});

describe('what there is more than once', () => {
  it('is one finding for a reference, and one for each surplus record', () => {
    const records = [record('m', 1), record('m', 2), record('m', 3)];
    const references = [reference('m', 0), reference('m', 1), reference('m', 0)];
    const { findings, counts } = decide(RULES, references, records);
    expect(told(findings)).toEqual(['duplicate_reference:m', 'duplicate_service:m', 'duplicate_service:m']);
    expect(findings[0]?.detail).toEqual({
      times: 3,
      occurred_at: ['2026-11-20T00:00:00.000000Z', '2026-11-20T00:00:01.000000Z'],
      differ: true,
    });
    expect(findings[1]).toMatchObject({
      answer_log_id: records[1]?.id,
      detail: { first_answer_log_id: records[0]?.id, question: 'not_given', answer: 'not_given' },
    });
    expect(counts).toMatchObject({ references: 3, repeated_references: 2, matched: 1, records: 3 });
  });

  it('may be hundreds of thousands of records of one name', () => {
    const records = Array.from({ length: 200_000 }, () => record('m', 1));
    expect(decide(RULES, [reference('m', 0)], records).counts.duplicate_service).toBe(199_999);
  });

  it('matches the record whose hashes are right, wherever it stands', () => {
    const wrong = record('m', 1, { answer: { hash: B, opened: false, equals: null } });
    const right = record('m', 2);
    const { findings, counts } = decide(RULES, [reference('m', 0, { answerHash: A })], [right, wrong]);
    expect(findings).toMatchObject([
      {
        type: 'duplicate_service',
        answer_log_id: wrong.id,
        detail: { first_answer_log_id: right.id, answer: 'different' },
      },
    ]);
    expect(counts.matched).toBe(1);
  });

  it('tells repetitions that are the same from those that differ', () => {
    const same = decide(RULES, [reference('m', 0), reference('m', 0)], []);
    expect(same.findings.map(({ detail }) => ('differ' in detail ? detail.differ : null))).toEqual([null, false]);
    const other = decide(RULES, [reference('m', 0), reference('m', 0, { answerHash: A })], []);
    expect(other.findings.map(({ detail }) => ('differ' in detail ? detail.differ : null))).toEqual([null, true]);
  });
});

describe('a record that no reference names', () => {
  it('is unexpected, unless an earlier run names it', () => {
    const earlier = { namedEarlier: '0199f3c2-0000-7000-8000-000000000000' };
    const records = [record('x', 1), record('y', 2, earlier), record(null, 3)];
    const { findings, counts } = decide(RULES, [reference('m', 0)], [...records, record('m', 0)]);
    expect(findings.map(({ detail }) => detail)).toMatchObject([
      { match_value: 'x', provisional: false },
      { match_value: null, provisional: false },
    ]);
    expect(counts).toMatchObject({ named_earlier: 1, unexpected_service: 2 });
  });

  it('is so provisionally while the window is open', () => {
    const { findings } = decide({ ...RULES, decidedAt: START + 5 * SECOND }, [], [record('x', 1)]);
    expect(findings).toMatchObject([{ type: 'unexpected_service', detail: { provisional: true } }]);
  });

  it('is no finding of two nightly runs when it came after midnight for what was asked before', () => {
    const late = record('m', 86_400 + 3);
    const first = decide(RULES, [reference('m', 86_400 - 2)], [late]);
    expect(first.findings).toEqual([]);
    const next = { ...RULES, windowStart: RULES.windowEnd, windowEnd: RULES.windowEnd + 86_400 * SECOND };
    const named = { ...late, namedEarlier: '0199f3c2-0000-7000-8000-000000000000' };
    expect(decide(next, [reference('n', 90_000)], [named, record('n', 90_001)]).findings).toEqual([]);
  });
});

describe('anchors', () => {
  it.each([
    ['the policy asks for none', null, []],
    ['the leaf is below the anchored tree’s size', 1_000_001, []],
    ['the leaf is the first above it', 1_000_000, ['unanchored_service:m']],
    ['nothing is anchored yet', 0, ['unanchored_service:m']],
  ])('%s', (_, anchoredTreeSize, expected) => {
    const matched = record('m', 1, { leafIndex: 1_000_000 });
    const { findings } = decide({ ...RULES, anchoredTreeSize }, [reference('m', 0)], [matched]);
    expect(told(findings)).toEqual(expected);
  });
});

describe('a record that was corrected, voided or redacted', () => {
  it.each(['corrected', 'voided', 'redacted'] as const)('counts as served, and findings say %s', (status) => {
    const { findings, counts } = decide(RULES, [reference('m', 0)], [record('m', 400, { status })]);
    expect(counts.matched).toBe(1);
    expect(findings).toMatchObject([{ type: 'late_service', detail: { record_status: status } }]);
  });
});
