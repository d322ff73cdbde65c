import { hashCoreText } from '@answer-evidence/commitments';
import { canonicalize, formatHex, parseJsonText } from '@answer-evidence/encoding';
import { traceCoreOf } from '@answer-evidence/ledger';
import type { LeafRow, TraceAttachmentRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';

/** Every `trace_attached` leaf of one record against its row, and every such row of the record against a leaf. */
export async function checkTraces(
  leaves: readonly LeafRow[],
  rows: readonly TraceAttachmentRow[],
  findings: Findings,
): Promise<void> {
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const leaf of leaves) {
    const row = stored.get(leaf.id);
    stored.delete(leaf.id);
    const place = { check: 'trace', object: `trace ${leaf.id}`, leafIndex: leaf.leaf_index };
    await findings.guard(place, () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      const core = canonicalize(traceCoreOf(row));
      assertSame('its hash', formatHex(leaf.hash), formatHex(hashCoreText('trace_attached', core)));
      assertSame('the seq in its leaf', 0, leaf.seq);
      // A text that differs from what was hashed must not pass because it means the same.
      if (canonicalize(parseJsonText(row.actor_json)) !== row.actor_json)
        throw new CheckFailure('actor_json is not in canonical form');
    });
  }
  for (const id of stored.keys())
    findings.add({ check: 'trace', object: `trace ${id}`, leafIndex: null }, 'it has no leaf that names its record');
}
