import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEntry } from '@answer-evidence/commitments';
import { frontierRoot, verifyInclusion } from '@answer-evidence/merkle';
import { OneByOne } from '../fixtures/one-by-one.ts';
import { anyStep, commandOf } from '../fixtures/steps.ts';
import { EMPTY_HEAD, type Head, NOTHING_KNOWN, planAppend } from './index.ts';

const START: Head = { ...EMPTY_HEAD, settingsVersion: 1 };
const NOW = 1_700_000_000_000_000;
const steps = fc.array(anyStep, { minLength: 1, maxLength: 24, size: '+1' });

/** Outcomes without what tells a batch from single appends: proofs lead to the batch's root. */
function comparable(outcomes: ReturnType<typeof planAppend>['outcomes']) {
  return outcomes.map((outcome) =>
    outcome.kind === 'appended'
      ? { kind: outcome.kind, entries: outcome.entries.map(({ proof: _, ...entry }) => entry) }
      : outcome.kind === 'refused'
        ? { kind: outcome.kind, code: outcome.error.code }
        : outcome,
  );
}

describe('a batch', () => {
  it('decides and writes what its requests would come to one at a time', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(steps, fc.nat(24), (wanted, at) => {
        const commands = wanted.map(commandOf);
        const cut = at % wanted.length;
        const model = new OneByOne(START);
        // What was there before the batch is read from the database, the rest is seen within the batch.
        for (const command of commands.slice(0, cut)) model.append(NOW, command);
        const before = { head: model.head, known: model.known(), leaves: model.rows.ledger_leaves.length };
        const writesBefore = model.writes.length;
        const batch = planAppend(before.head, before.known, NOW, commands.slice(cut));
        for (const command of commands.slice(cut)) model.append(NOW, command);

        for (const { kind } of batch.outcomes) seen.add(kind);
        expect(comparable(batch.outcomes)).toEqual(comparable(model.outcomes.slice(cut)));
        expect(batch.leaves).toEqual(model.rows.ledger_leaves.slice(before.leaves));
        expect(batch.writes).toEqual(model.writes.slice(writesBefore));
        expect(batch.head).toEqual(model.head);
        if (batch.head.treeSize > 0) expect(batch.root).toEqual(frontierRoot(model.head.frontier));
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(['appended', 'refused', 'replayed', 'reprepare']);
  });

  it('gives every entry a proof to its root, and no other entry', () => {
    fc.assert(
      fc.property(steps, (wanted) => {
        const plan = planAppend(START, NOTHING_KNOWN, NOW, wanted.map(commandOf));
        const { treeSize } = plan.head;
        for (const outcome of plan.outcomes) {
          if (outcome.kind !== 'appended') continue;
          for (const entry of outcome.entries) {
            const claim = (leafHash: Uint8Array) => () =>
              verifyInclusion(entry.leafIndex, treeSize, leafHash, entry.proof, plan.root);
            expect(claim(entry.leafHash)).not.toThrow();
            expect(claim(entry.leafHash.map((byte, n) => (n === 0 ? byte ^ 1 : byte)))).toThrow();
            expect(parseEntry(entry.entry).id).toBe(entry.id);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('that appends nothing leaves the head as it is and makes no commit', () => {
    fc.assert(
      fc.property(steps, (wanted) => {
        const plan = planAppend(START, NOTHING_KNOWN, NOW, wanted.map(commandOf));
        const appends = plan.outcomes.some(({ kind }) => kind === 'appended');
        expect(plan.commit !== undefined).toBe(appends);
        expect(plan.leaves.length > 0).toBe(appends);
        if (!appends) expect(plan.head).toEqual(START);
        else expect(plan.commit).toEqual({ from_size: 0, tree_size: plan.leaves.length, root: plan.root });
      }),
      { numRuns: 100 },
    );
  });
});

describe('the time of a leaf', () => {
  it('is later than that of the leaf before, whatever the clock says, and the clock’s own when that is later', () => {
    const clock = fc.oneof(fc.constant(NOW), fc.integer({ min: NOW - 20, max: NOW + 20 }), fc.nat(5));
    fc.assert(
      fc.property(fc.array(fc.tuple(clock, fc.integer({ min: 1, max: 5 })), { maxLength: 12 }), (batches) => {
        let head = START;
        let ids = 0;
        for (const [now, count] of batches) {
          const commands = Array.from({ length: count }, () => commandOf({ kind: 'note' }, ids++));
          const plan = planAppend(head, NOTHING_KNOWN, now, commands);
          let last = head.lastAt;
          for (const leaf of plan.leaves) {
            expect(leaf.at).toBeGreaterThan(last);
            last = leaf.at;
          }
          expect(plan.leaves[0]?.at).toBe(now > head.lastAt ? now : head.lastAt + 1);
          expect(plan.head.lastAt).toBe(last);
          head = plan.head;
        }
      }),
    );
  });
});
