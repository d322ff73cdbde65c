import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyEvidenceSteps, evidenceCommandOf } from '../fixtures/evidence-steps.ts';
import { OneByOne } from '../fixtures/one-by-one.ts';
import { EMPTY_HEAD, type Head, planAppend, type PlannedOutcome } from './index.ts';

const START: Head = { ...EMPTY_HEAD, settingsVersion: 1 };
const NOW = 1_700_000_000_000_000;

/** What an outcome is, without the proofs, which lead to the root of its batch. */
function comparable(outcome: PlannedOutcome): unknown {
  if (outcome.kind === 'refused') return { code: outcome.error.code, errors: outcome.error.errors };
  return outcome.kind === 'appended' ? outcome.entries.map(({ proof: _, ...entry }) => entry) : outcome;
}

describe('a batch about evidence', () => {
  it('decides and writes what its requests would come to one at a time', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyEvidenceSteps, fc.nat(24), (steps, at) => {
        const commands = steps.map(evidenceCommandOf);
        const cut = at % steps.length;
        const model = new OneByOne(START);
        for (const command of commands.slice(0, cut)) model.append(NOW, command);
        const before = { head: model.head, known: model.known() };
        const writesBefore = model.writes.length;
        const batch = planAppend(before.head, before.known, NOW, commands.slice(cut));
        for (const command of commands.slice(cut)) model.append(NOW, command);

        batch.outcomes.forEach(({ kind }, n) => seen.add(`${steps[cut + n]?.kind} ${kind}`));
        expect(batch.outcomes.map(comparable)).toEqual(model.outcomes.slice(cut).map(comparable));
        expect(batch.writes).toEqual(model.writes.slice(writesBefore));
        expect(batch.head).toEqual(model.head);
      }),
      { numRuns: 500 },
    );
    expect([...seen].sort()).toEqual([
      'access appended',
      'access refused',
      'bind appended',
      'bind refused',
      'expire appended',
      'expire reprepare',
      'redact appended',
      'redact reprepare',
      'register appended',
    ]);
  });

  it('keeps a content for as long as an asset has it, one of equal bytes, and none for nobody', () => {
    fc.assert(
      fc.property(anyEvidenceSteps, (steps) => {
        const model = new OneByOne(START);
        steps.forEach((step, n) => {
          model.append(NOW, evidenceCommandOf(step, n));
          const { assets, contents } = model.known();
          const held = [...assets.values()].flatMap(({ contentId }) => contentId ?? []);
          expect(new Set(held)).toEqual(new Set(contents.keys()));
          expect(new Set([...contents.values()].map(({ hash }) => hash)).size).toBe(contents.size);
        });
      }),
      { numRuns: 100 },
    );
  });
});
