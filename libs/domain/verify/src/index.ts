export { BundleFormatError } from './bundle-format.ts';
export type {
  CreationCommit,
  LogView,
  ProvenLeaf,
  PublishedHead,
  RunAboutRecord,
  VerifyOptions,
  VerifyTimestamp,
} from './verify-options.ts';
export { beginChain, extendChain, findCovering } from './archive-chain.ts';
export { type AnchorCase, type AnchorJudgement, judgeAnchors, type TimeBound } from './judge-anchors.ts';
export { type BundleVerification, verifyBundle } from './verify-bundle.ts';
export { assertNotBefore, TIME_TOLERANCE_MICROS, type YoungestLeaf } from './stated-times.ts';
export { createTrustFile, pinAnchors } from './create-trust-file.ts';
export { type ChosenReceipts, chooseReceipts, isReceiptOfBundle } from './choose-receipts.ts';
export type { GivenTrees } from './given-tree.ts';
export { openGivenTrees, type ShownFile } from './given-trees.ts';
export { describeWindow } from './describe-window.ts';
export { compareTrees, type ProvenPrefix, type TreeComparison } from './compare-trees.ts';
export { createTileTree, type TileTree } from './tile-proofs.ts';
export { copyTiles, type TileFolder } from './copy-tiles.ts';
export { createTlogView, readEntries, type ReadTlog } from './tlog-view.ts';
export { findPins, keysAt, verifyPinned } from './trusted-checkpoint.ts';
export { type PlacedEntry } from './order/entry-kinds.ts';
export { LogOrder, OrderFaults, seedOf } from './order/log-order.ts';
export { type OrderSoFar, SequenceOrder } from './order/sequence-order.ts';
export { viewLog } from './view-log.ts';
export { assertReadablePins, UnreadablePinError } from './trust-file-pins.ts';
export { verifyReceipt } from './verify-receipt.ts';
export { readReconciliationProof } from './reconciliation/read-proof.ts';
export type { ReconciliationFiles } from './reconciliation/proof-context.ts';
export { type ReconciliationVerification, verifyReconciliation } from './reconciliation/verify-reconciliation.ts';
export { type Pack, type PackBundle, type PackLink, readPack } from './packs/read-pack.ts';
export { type KeptEntry, PACK_CHECKS, type PackCheckResult, verifyPack } from './packs/verify-pack.ts';
export { LOG_CHECKS, type LogCheckResult, openPublishedLog, type PublishedLog, verifyLog } from './verify-log.ts';
export { verifyGivenCheckpoint } from './verify-given-checkpoint.ts';
export { verifyGivenReceipt } from './verify-given-receipt.ts';
export { NO_TRUST, NOBODY, skipByTrust } from './without-trust.ts';
export { type Evidence, findEvidence } from './evidence-kinds.ts';
export { skipBySets } from './reconciliation/without-sets.ts';
export { describePolicyChanges, describeWeakerPolicies } from './weaker-demands.ts';
export {
  findLevels,
  groupChecks,
  type GroupedChecks,
  type GroupState,
  type Level,
  LEVELS,
  type LevelState,
  sortByUrgency,
  WORD_GROUPS,
  type WordGroup,
} from './words/word-groups.ts';
export { markItems, type MarkedItems, type MarkedText, markTexts, type TextMark } from './words/mark-texts.ts';
export { sayCheck, sayDetail } from './words/details/say-detail.ts';
export { chooseLanguage, WORD_LANGUAGES, type WordLanguage, WORDS } from './words/words.ts';
export type { Words } from './words/words-of.ts';
export { readHolds, tellHolds } from './words/tell-holds.ts';
export { findHolding, type StoryStep, tellStory, type Vouching } from './words/tell-story.ts';
