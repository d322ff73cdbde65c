import type { LedgerFinding } from '@answer-evidence/contracts';
import { checkEvidence } from './check-evidence.ts';
import { checkIdempotency } from './check-idempotency.ts';
import { checkRecords } from './check-records.ts';
import { NO_EVIDENCE } from './evidence-rows.ts';
import { Findings } from './findings.ts';
import type { LeafRange, RangeReader } from './ledger-reader.ts';
import { type SettingsChange, SettingsSeries } from './settings-series.ts';

/** What was wrong with the rows that belong to a range of leaves. Plain data: it may come from a thread, or a file. */
export type CheckedRange = LeafRange & {
  /** All findings are counted, and the first ones listed. */
  readonly total: number;
  readonly findings: readonly LedgerFinding[];
};

/**
 * Checks the records, the evidence and the idempotency keys that belong to the leaves of a range. It depends on nothing
 * but the range, the settings of the log and what is stored, so ranges may be checked anywhere and in any order.
 */
export async function checkRange(
  { from, to }: LeafRange,
  settings: readonly SettingsChange[],
  reader: RangeReader,
  turn: () => Promise<void>,
): Promise<CheckedRange> {
  const findings = new Findings(turn);
  const place = { check: 'leaf', object: `the rows of leaves ${from} to ${to - 1}`, leafIndex: from };
  const series = new SettingsSeries(settings);
  const rows = await findings.guard(place, () => reader.rowsOf(from, to));
  if (rows !== undefined) {
    await checkRecords(rows, series, reader, findings);
    const evidence = (await findings.guard(place, () => reader.evidenceOf(from, to))) ?? NO_EVIDENCE;
    await checkEvidence(rows, evidence, series, reader, findings);
    await checkIdempotency(rows, evidence, reader, findings);
  }
  return { from, to, total: findings.total, findings: findings.listed };
}
