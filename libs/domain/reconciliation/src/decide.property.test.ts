import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ReconciliationFinding } from '@answer-evidence/contracts';
import { worlds } from '../fixtures/worlds.ts';
import { compareFindings, decide } from './decide.ts';
import type { ReconciledRecord } from './facts.ts';
import { formatFindingLine } from './lines.ts';

const RUNS = { numRuns: 1_000 };

function typesAbout(findings: readonly ReconciliationFinding[], recordId: string): readonly string[] {
  return findings.filter(({ answer_log_id: id }) => id === recordId).map(({ type }) => type);
}

describe('a decision', () => {
  it('does not depend on the order of references, nor on the order in which records are read', () => {
    fc.assert(
      fc.property(worlds, fc.infiniteStream(fc.nat()), ({ rules, references, records }, draws) => {
        const shuffle = <T>(items: readonly T[]): readonly T[] => {
          const drawn = items.map((item) => ({ item, rank: Number(draws.next().value) }));
          return drawn.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
        };
        const once = decide(rules, references, records);
        expect(decide(rules, shuffle(references), shuffle(records))).toEqual(once);
      }),
      RUNS,
    );
  });

  it('accounts for every reference exactly once', () => {
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        const { findings, counts } = decide(rules, references, records);
        expect(counts.references).toBe(references.length);
        expect(counts.matched + counts.missing_service + counts.repeated_references).toBe(references.length);
        const ids = new Set(references.map(({ referenceId }) => referenceId));
        const missing = findings.filter(({ type }) => type === 'missing_service').map(({ reference_id: id }) => id);
        expect(new Set(missing).size).toBe(missing.length);
        expect(counts.matched + missing.length).toBe(ids.size);
      }),
      RUNS,
    );
  });

  it('accounts for every record of the window exactly once', () => {
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        const { records: set, findings, counts } = decide(rules, references, records);
        const named = new Set(references.map(({ referenceId }) => referenceId));
        const isNamed = (record: ReconciledRecord) => record.matchValue !== null && named.has(record.matchValue);
        const inWindow = records.filter(
          ({ createdAt }) => rules.windowStart <= createdAt && createdAt < rules.windowEnd,
        );
        expect(set).toEqual(expect.arrayContaining([...inWindow]));
        expect(set.filter((record) => !inWindow.includes(record)).every(isNamed)).toBe(true);
        for (const record of set) {
          const roles = typesAbout(findings, record.id).filter((type) =>
            ['missing_service', 'unexpected_service', 'duplicate_service'].includes(type),
          );
          const isExcused = !isNamed(record) && record.namedEarlier !== null;
          expect(roles.length).toBeLessThanOrEqual(isExcused ? 0 : 1);
          if (!isNamed(record) && !isExcused) expect(roles).toEqual(['unexpected_service']);
        }
        const { matched, hash_mismatches: other, duplicate_service: surplus } = counts;
        expect(matched + other + surplus + counts.unexpected_service + counts.named_earlier).toBe(counts.records);
        expect(counts.records).toBe(set.length);
      }),
      RUNS,
    );
  });

  it('turns a matched record that is taken away into exactly one missing service', () => {
    let taken = 0;
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        const before = decide(rules, references, records);
        const values = before.records.map(({ matchValue }) => matchValue);
        for (const record of before.records) {
          const isOnly = values.filter((value) => value === record.matchValue).length === 1;
          const isNamed = references.some(({ referenceId }) => referenceId === record.matchValue);
          const isMatched = isNamed && !typesAbout(before.findings, record.id).includes('missing_service');
          if (!isOnly || !isMatched) continue;
          taken += 1;
          const after = decide(
            rules,
            references,
            records.filter((other) => other !== record),
          );
          const lines = new Set(before.findings.map(formatFindingLine));
          const added = after.findings.filter((finding) => !lines.has(formatFindingLine(finding)));
          expect(added).toMatchObject([
            { type: 'missing_service', reference_id: record.matchValue, detail: { reason: 'no_record' } },
          ]);
          const kept = before.findings.filter(({ answer_log_id: id }) => id !== record.id);
          expect(after.findings.length).toBe(kept.length + 1);
        }
      }),
      RUNS,
    );
    expect(taken).toBeGreaterThan(100);
  });

  it('lists findings in one order, no two of which are equal, and counts them', () => {
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        const { findings, counts } = decide(rules, references, records);
        findings.forEach((finding, n) => {
          const before = findings[n - 1];
          if (before !== undefined) expect(compareFindings(before, finding)).toBeLessThan(0);
        });
        for (const type of new Set(findings.map((finding) => finding.type)))
          expect(counts[type]).toBe(findings.filter((finding) => finding.type === type).length);
      }),
      RUNS,
    );
  });

  it('is not changed by records outside of its window and lateness', () => {
    fc.assert(
      fc.property(worlds, ({ rules, references, records }) => {
        const { records: set, findings } = decide(rules, references, records);
        expect(decide(rules, references, set).findings).toEqual(findings);
      }),
      RUNS,
    );
  });
});
