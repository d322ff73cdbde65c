export { type CheckedLog } from './checked-log.ts';
export { checkLedger, type CheckOptions } from './check-ledger.ts';
export { type CheckProgress } from './check-ranges.ts';
export { type CheckedRange, checkRange } from './check-range.ts';
export { ENTRY_KINDS } from './entry-kinds.ts';
export { type EvidenceRows, NO_EVIDENCE } from './evidence-rows.ts';
export { FINDINGS_LISTED_MAX } from './findings.ts';
export {
  type Attestation,
  ATTESTATION_KINDS,
  type AttestationCounts,
  type AttestationKind,
  type ContentsOnHold,
  type EvidenceContentReader,
  type HoldReader,
  type LeafRange,
  type LeafRangeReader,
  type LedgerReader,
  type LedgerRows,
  type OpenedContents,
  type OrphanRow,
  type RangeReader,
  type ReconciliationReader,
  type StoredErasure,
  type WorkspaceRows,
} from './ledger-reader.ts';
export type { SettingsChange } from './settings-series.ts';
