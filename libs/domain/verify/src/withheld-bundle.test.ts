import { describe, expect, it } from '@jest/globals';
import { type CheckName, CHECKS, type Outcome, type ProofBundle } from '@answer-evidence/contracts';
import { bundleOf, logViewOf, trustOf, withhold } from '../fixtures/bundles.ts';
import { verifySignature } from '../fixtures/signer.ts';
import { createWorkedLog } from '../fixtures/worked-log.ts';
import { verifyBundle } from './index.ts';

const { ledger, ...log } = await createWorkedLog();

async function checksOf(bundle: unknown) {
  const { checks } = await verifyBundle(bundle, trustOf(ledger), { verifySignature, log: logViewOf(ledger) });
  return checks;
}

async function outcomes(bundle: unknown): Promise<Record<CheckName, Outcome>> {
  const checks = await checksOf(bundle);
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])) as Record<CheckName, Outcome>;
}

const OF_TEXTS = ['question_commitment', 'answer_commitment', 'corrections'] as const;
const corrected = bundleOf(ledger, log.correctedId);
const without = withhold(corrected);

describe('a bundle without texts', () => {
  it('skips the checks that need a text, says how to decide them, and has every other outcome of one with texts', async () => {
    const checks = await checksOf(without);
    const skipped = checks.filter(({ check }) => OF_TEXTS.some((name) => name === check));
    expect(skipped.map(({ outcome }) => outcome)).toEqual(['SKIP', 'SKIP', 'SKIP']);
    for (const { detail } of skipped) expect(detail).toContain('a bundle with them decides this check');
    const whole = await outcomes(corrected);
    const others = checks.filter((check) => !skipped.includes(check));
    expect(others.map(({ outcome }) => outcome)).toEqual(others.map(({ check }) => whole[check]));
  });

  it('says of a text that is gone that it is gone', async () => {
    const gone = bundleOf(ledger, log.redactedId);
    expect(await outcomes(withhold(gone))).toEqual(await outcomes(gone));
  });

  it.each<[CheckName, (copy: typeof without) => void]>([
    ['question_commitment', (copy) => (copy.record.disclosed.question = corrected.record.disclosed.question)],
    ['answer_commitment', (copy) => (copy.record.disclosed.answer = corrected.record.disclosed.answer)],
    [
      'corrections',
      (copy) => copy.events.forEach((event, n) => Object.assign(event.disclosed, corrected.events[n]?.disclosed)),
    ],
  ])('fails %s for a text that it shows, although it is the right one', async (check, show) => {
    const copy = structuredClone(without);
    show(copy);
    const found = await outcomes(copy);
    expect(CHECKS.filter((name) => found[name] === 'FAIL')).toEqual([check]);
  });

  it('is no way to say less in version 1, nor to show more in version 2', async () => {
    const { withheld: _, ...rest } = without;
    const asOne: ProofBundle = { ...rest, format: 'answer-evidence-bundle/v1' };
    const asTwo = { ...corrected, format: 'answer-evidence-bundle/v2', withheld: ['texts'] };
    for (const bundle of [asOne, asTwo]) {
      const found = await outcomes(bundle);
      expect(CHECKS.filter((name) => found[name] === 'FAIL')).toEqual(OF_TEXTS);
    }
  });

  it.each([[[]], [['items']], [['texts', 'texts']], ['texts'], [null], [undefined]])(
    'fails every check if it states another thing withheld: %j',
    async (withheld) => {
      const found = await outcomes({ ...without, withheld });
      expect(CHECKS.filter((name) => found[name] !== 'FAIL')).toEqual([]);
    },
  );
});
