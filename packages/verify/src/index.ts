export type {
  CheckName,
  CheckResult,
  Outcome,
  ReconciliationCheckName,
  ReconciliationCheckResult,
  TrustFile,
  Verification,
} from '@answer-evidence/contracts';
export type { BundleVerification, ReadTlog, ReconciliationVerification } from '@answer-evidence/verify';
export { EvidenceFormatError, type EvidenceFile } from './evidence-format-error.ts';
export { readLogAt } from './read-log-at.ts';
export { verifyBundle, type VerifyBundleOptions } from './verify-bundle.ts';
export { verifyReceipt } from './verify-receipt.ts';
export {
  type ReconciliationInputs,
  verifyReconciliation,
  type VerifyReconciliationOptions,
} from './verify-reconciliation.ts';
