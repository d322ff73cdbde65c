import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hmacSha256 } from '@answer-evidence/digest';
import { formatHex } from '@answer-evidence/encoding';
import { appendLeaves } from '@answer-evidence/merkle';
import type { HeadRow } from '@answer-evidence/tables';
import { hashOf } from '../fixtures/rows.ts';
import { EMPTY_HEAD, formatHead, type Head, macOfHead, macOfHeadV1, parseHead, type RowMac } from './head.ts';

const mac: RowMac = (label, parts) =>
  hmacSha256(
    hashOf('key'),
    JSON.stringify([label, ...parts.map((part) => (part instanceof Uint8Array ? formatHex(part) : part))]),
  );

const heads: fc.Arbitrary<Head> = fc
  .tuple(fc.integer({ min: 1, max: 700 }), fc.nat(8_000_000_000_000_000), fc.integer({ min: 1, max: 1000 }))
  .map(([size, lastAt, settingsVersion]) => {
    const leaves = Array.from({ length: size }, (_, n) => hashOf(`${n}`));
    const { frontier } = appendLeaves(0, [], leaves);
    return { treeSize: size, frontier, lastAt, settingsVersion };
  });

describe('a stored head', () => {
  it('reads back as it was, under the MAC that it carries', () => {
    fc.assert(
      fc.property(heads, (head) => {
        const row = formatHead(head, mac);
        expect(parseHead(row)).toEqual(head);
        expect(macOfHead(row, mac)).toEqual(row.mac);
        expect(macOfHeadV1(row, mac)).not.toEqual(row.mac);
      }),
      { numRuns: 50 },
    );
    expect(parseHead(formatHead(EMPTY_HEAD, mac))).toEqual(EMPTY_HEAD);
  });

  it('has another MAC when any field is another', () => {
    fc.assert(
      fc.property(heads, fc.nat(), (head, where) => {
        const row = formatHead(head, mac);
        const edge = row.right_edge.map((byte, n) => (n === where % row.right_edge.length ? byte ^ 1 : byte));
        const altered: readonly HeadRow[] = [
          { ...row, tree_size: row.tree_size + 1 },
          { ...row, right_edge: edge },
          { ...row, right_edge: row.right_edge.slice(0, -32) },
          { ...row, last_at: row.last_at + 1 },
          { ...row, settings_version: row.settings_version + 1 },
        ];
        for (const other of altered) expect(macOfHead(other, mac)).not.toEqual(row.mac);
      }),
      { numRuns: 50 },
    );
  });
});
