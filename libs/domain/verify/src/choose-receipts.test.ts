import { describe, expect, it } from '@jest/globals';
import { chooseReceipts, isReceiptOfBundle } from './choose-receipts.ts';

/** As much of a receipt as says what it is of. */
const receipt = (origin: string, index: number) =>
  `c2sp.org/tlog-proof@v1\nindex ${index}\n\n${origin}\n9\n${Buffer.alloc(32).toString('base64')}\n\n— ${origin} ${Buffer.alloc(68).toString('base64')}\n`;
const bundle = (origin: string, leafIndex: number) => ({ origin, record: { leaf_index: leafIndex } });

describe('which receipt is of which bundle', () => {
  const kept = [
    { name: 'other log', receipt: receipt('b.example/log', 4) },
    { name: 'other leaf', receipt: receipt('a.example/log', 3) },
    { name: 'this one', receipt: receipt('a.example/log', 4) },
    { name: 'none at all', receipt: 'no receipt' },
  ];

  it('goes by log and leaf among several', () => {
    const receipts = chooseReceipts(kept, false);
    expect(receipts.findFor(bundle('a.example/log', 4))).toBe(kept[2]?.receipt);
    expect(receipts.findFor(bundle('a.example/log', 5))).toBeUndefined();
    expect(receipts.findFor({})).toBeUndefined();
    expect([...receipts.used]).toEqual(['this one']);
  });

  it('is the one beside the one bundle, whatever it says', () => {
    const receipts = chooseReceipts(kept.slice(3), true);
    expect(receipts.findFor(bundle('a.example/log', 4))).toBe('no receipt');
    expect(isReceiptOfBundle({ bundles: 1, packs: 0, receipts: 1 })).toBe(true);
    for (const counts of [
      { bundles: 2, packs: 0, receipts: 1 },
      { bundles: 1, packs: 1, receipts: 1 },
      { bundles: 1, packs: 0, receipts: 2 },
    ])
      expect(isReceiptOfBundle(counts)).toBe(false);
  });
});
