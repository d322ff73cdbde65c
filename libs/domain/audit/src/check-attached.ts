import { hashCoreText } from '@answer-evidence/commitments';
import type { EventCore, RecordCore } from '@answer-evidence/contracts';
import { canonicalize, formatHex, parseTimestamp } from '@answer-evidence/encoding';
import { coreOf } from '@answer-evidence/ledger';
import { retentionEnd } from '@answer-evidence/lifecycle';
import { EVENTS, type LeafRow, OF_A_RECORD, type RowsOf, type Table } from '@answer-evidence/tables';
import { assertSame, CheckFailure } from '@answer-evidence/verify/verdict';
import { checkCanonical } from './check-canonical.ts';
import type { Findings } from './findings.ts';

/** One record with the leaves and rows that hang on it. */
type RecordWithRows = {
  /** Undefined when the record itself does not stand up; that is a finding already. */
  readonly core: RecordCore | undefined;
  readonly events: readonly { readonly core: EventCore; readonly leafIndex: number }[];
  readonly leaves: readonly LeafRow[];
  readonly rows: Omit<RowsOf<typeof OF_A_RECORD>, 'records'>;
};

type AttachedRow = { readonly id: string };

/** Every table whose rows have a leaf each, but for the events, which are a chain. */
const ATTACHED = Object.entries(OF_A_RECORD as unknown as Readonly<Record<string, Table<AttachedRow>>>).filter(
  ([, table]) => table.leafType !== undefined && table.name !== EVENTS.name,
);

/**
 * Every leaf about one record that is no event against its row, and every such row of the record against a leaf. What
 * an expiry says beyond that is judged by the events before it.
 */
export async function checkAttached(of: RecordWithRows, findings: Findings): Promise<void> {
  const rowsOf = of.rows as unknown as Readonly<Record<string, readonly AttachedRow[]>>;
  for (const [kind, table] of ATTACHED) {
    const { leafType, noun = kind } = table;
    const stored = new Map((rowsOf[kind] ?? []).map((row) => [row.id, row]));
    for (const leaf of of.leaves) {
      if (leaf.type !== leafType) continue;
      const row = stored.get(leaf.id);
      stored.delete(leaf.id);
      await findings.guard({ check: noun, object: `${noun} ${leaf.id}`, leafIndex: leaf.leaf_index }, () => {
        if (row === undefined) throw new CheckFailure('its row is missing');
        const hash = hashCoreText(leafType, canonicalize(coreOf(table, row)));
        assertSame('its hash', formatHex(leaf.hash), formatHex(hash));
        assertSame('the seq in its leaf', 0, leaf.seq);
        checkCanonical(row);
        if (leafType === 'text_expired') checkExpiry(of, leaf);
      });
    }
    for (const id of stored.keys())
      findings.add({ check: noun, object: `${noun} ${id}`, leafIndex: null }, 'it has no leaf that names its record');
  }
}

/** The retention that must have passed before an expiry. */
function checkExpiry({ core, events, rows }: RecordWithRows, leaf: LeafRow): void {
  const row = rows.expiries.find(({ id }) => id === leaf.id);
  if (row === undefined) throw new CheckFailure('its row is missing');
  if (leaf.at <= row.retained_until) throw new CheckFailure('it is in the log before its retention ended');
  if (core === undefined) return;
  const before = events.filter((event) => event.leafIndex < leaf.leaf_index).map((event) => event.core);
  const end = retentionEnd(parseTimestamp(core.retention_until), before);
  assertSame('the retention that had ended', end, row.retained_until);
}
