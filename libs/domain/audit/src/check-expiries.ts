import { hashCoreText } from '@answer-evidence/commitments';
import type { EventCore, RecordCore } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseTimestamp } from '@answer-evidence/encoding';
import { expiryCoreOf } from '@answer-evidence/ledger';
import { retentionEnd } from '@answer-evidence/lifecycle';
import type { LeafRow, TextExpiryRow } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';

/** The expiries of one record: their leaves, their rows, and what decides whether they came in time. */
export type RecordExpiries = {
  /** Undefined when the record itself does not stand up; that is a finding already. */
  readonly core: RecordCore | undefined;
  readonly events: readonly { readonly core: EventCore; readonly leafIndex: number }[];
  readonly leaves: readonly LeafRow[];
  readonly rows: readonly TextExpiryRow[];
};

/** Every `text_expired` leaf against its row, and against the retention that must have passed before it. */
export async function checkExpiries({ core, events, leaves, rows }: RecordExpiries, findings: Findings): Promise<void> {
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const leaf of leaves) {
    const row = stored.get(leaf.id);
    stored.delete(leaf.id);
    const place = { check: 'expiry', object: `expiry ${leaf.id}`, leafIndex: leaf.leaf_index };
    await findings.guard(place, () => {
      if (row === undefined) throw new CheckFailure('its row is missing');
      assertSame(
        'its hash',
        formatHex(leaf.hash),
        formatHex(hashCoreText('text_expired', canonicalize(expiryCoreOf(row)))),
      );
      assertSame('the seq in its leaf', 0, leaf.seq);
      if (leaf.at <= row.retained_until) throw new CheckFailure('it is in the log before its retention ended');
      if (core === undefined) return;
      const before = events.filter((event) => event.leafIndex < leaf.leaf_index).map((event) => event.core);
      const end = retentionEnd(parseTimestamp(core.retention_until), before);
      assertSame('the retention that had ended', end, row.retained_until);
    });
  }
  for (const id of stored.keys())
    findings.add({ check: 'expiry', object: `expiry ${id}`, leafIndex: null }, 'it has no leaf that names its record');
}
