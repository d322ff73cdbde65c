import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sha256 } from '@answer-evidence/digest';
import { type AppendedLeaves, appendLeaves } from '@answer-evidence/merkle';
import { formatTlogProof } from '@answer-evidence/note';
import { createQuotedReceipts } from './receipts.ts';

const CHECKPOINT =
  'log.example/demo\n%SIZE\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u2014 log.example/demo Az3grlgtzPICa5OS\n';

/** A tree that grows by these numbers of leaves. */
function grow(batches: readonly number[]): { readonly size: number; readonly proofs: readonly Uint8Array[][] }[] {
  let tree: Pick<AppendedLeaves, 'size' | 'frontier'> = { size: 0, frontier: [] };
  return batches.map((count) => {
    const leaves = Array.from({ length: count }, (_, n) => sha256(`${tree.size + n}`));
    const { proofOf, ...grown } = appendLeaves(tree.size, tree.frontier, leaves);
    tree = grown;
    return { size: grown.size, proofs: leaves.map((_, n) => [...proofOf(n)]) };
  });
}

describe('quoted receipts', () => {
  it('are the tlog-proofs of a batch as JSON, whatever was quoted before and in whichever order', () => {
    const batches = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(batches, fc.boolean(), (counts, backwards) => {
        const quote = createQuotedReceipts();
        for (const { size, proofs } of grow(counts)) {
          const checkpoint = CHECKPOINT.replace('%SIZE', String(size));
          const order = [...proofs.keys()];
          for (const n of backwards ? order.reverse() : order) {
            const leafIndex = size - proofs.length + n;
            const hashes = proofs[n] ?? [];
            const quoted = quote({ leafIndex, proof: hashes }, checkpoint);
            expect(JSON.parse(quoted)).toBe(formatTlogProof({ index: leafIndex, hashes, checkpoint }));
          }
        }
      }),
    );
  });
});
