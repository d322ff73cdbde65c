export { checkLedger } from './check-ledger.ts';
export { type EvidenceRows, NO_EVIDENCE } from './evidence-rows.ts';
export { FINDINGS_LISTED_MAX } from './findings.ts';
export {
  type Attestation,
  ATTESTATION_KINDS,
  type AttestationCounts,
  type AttestationKind,
  type EvidenceContentReader,
  type LeafRange,
  type LeafRangeReader,
  type LedgerReader,
  type LedgerRows,
  type OpenedContents,
  type OrphanRow,
  type ReconciliationReader,
} from './ledger-reader.ts';
