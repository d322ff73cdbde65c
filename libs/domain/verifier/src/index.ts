export { BundleFormatError } from './bundle-format.ts';
export type {
  CreationCommit,
  LogView,
  PublishedHead,
  RunAboutRecord,
  VerifyOptions,
  VerifyTimestamp,
} from './bundle-context.ts';
export { type AnchorCase, type AnchorJudgement, judgeAnchors } from './judge-anchors.ts';
export { checkLedger } from './ledger-check/check-ledger.ts';
export { type EvidenceRows, NO_EVIDENCE } from './ledger-check/evidence-rows.ts';
export { FINDINGS_LISTED_MAX } from './ledger-check/findings.ts';
export type {
  LedgerReader,
  LedgerRows,
  OpenedContents,
  OrphanRow,
  Voucher,
  VoucherKind,
  VoucherTally,
} from './ledger-check/ledger-reader.ts';
export { type BundleVerification, verifyBundle } from './verify-bundle.ts';
export { createTlogView, type ReadTlog } from './tlog-view.ts';
export { verifyReceipt } from './verify-receipt.ts';
export { readReconciliationProof } from './reconciliation/read-proof.ts';
export type { ReconciliationFiles } from './reconciliation/proof-context.ts';
export { type ReconciliationVerification, verifyReconciliation } from './reconciliation/verify-reconciliation.ts';
