export { checkLedger } from './check-ledger.ts';
export { type EvidenceRows, NO_EVIDENCE } from './evidence-rows.ts';
export { FINDINGS_LISTED_MAX } from './findings.ts';
export type {
  LedgerReader,
  LedgerRows,
  OpenedContents,
  OrphanRow,
  Attestation,
  AttestationKind,
  AttestationCounts,
} from './ledger-reader.ts';
