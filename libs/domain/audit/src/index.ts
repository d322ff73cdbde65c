export { checkLedger } from './check-ledger.ts';
export { type EvidenceRows, NO_EVIDENCE } from './evidence-rows.ts';
export { FINDINGS_LISTED_MAX } from './findings.ts';
export {
  type Attestation,
  ATTESTATION_KINDS,
  type AttestationCounts,
  type AttestationKind,
  type LedgerReader,
  type LedgerRows,
  type OpenedContents,
  type OrphanRow,
} from './ledger-reader.ts';
