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
export { type BundleVerification, verifyBundle } from './verify-bundle.ts';
export { createTlogView, type ReadTlog } from './tlog-view.ts';
export { verifyReceipt } from './verify-receipt.ts';
export { readReconciliationProof } from './reconciliation/read-proof.ts';
export type { ReconciliationFiles } from './reconciliation/proof-context.ts';
export { type ReconciliationVerification, verifyReconciliation } from './reconciliation/verify-reconciliation.ts';
