export { createPostgresStores, type PostgresStores } from './create-stores.ts';
export { createPostgresLedger, type PostgresLedger, readSettings } from './ledger.ts';
export type { CommittedBatch } from './append/batch-committer.ts';
export { createWorkspace, type NewWorkspace, SlugTakenError } from './create-workspace.ts';
export { isConnectionFailure, isDiskFull, isUnavailable, sqlState } from './failures.ts';
export { isMigrated, judgeSchema, migrate } from './migrate.ts';
export { assertSessionsStay, assertWrites, type DatabaseRole } from './assert-session.ts';
export { DatabaseSetupError } from './database-setup-error.ts';
export {
  explainMissingRoles,
  openLogins,
  planLogins,
  readServiceUrls,
  type ServiceRole,
  type ServiceUrls,
} from './logins.ts';
export { openPool } from './pool.ts';
export { sessionOf } from './session-settings.ts';
export { watchPulse } from './pulse.ts';
export { createJobOutbox } from './outbox/job-outbox.ts';
export { createOutboxRelay } from './outbox/outbox-relay.ts';
export { createClockMarkStore } from './stores/clock-mark-store.ts';
export {
  createWorkspaceDirectory,
  type DamagedWorkspace,
  listStoredWorkspaces,
  type StoredWorkspace,
} from './stores/directory.ts';
export { checkInstallation } from './check-installation.ts';
export { sealRows } from './seal-rows.ts';
export { createConsoleSessionStore } from './stores/console-session-store.ts';
export { createLogStore } from './stores/log-store.ts';
export { createLoginTryStore } from './stores/login-try-store.ts';
export { createOtlpStore } from './stores/otlp-store.ts';
export { createRecordStore } from './stores/record-store.ts';
export { createWordIndexStore } from './stores/word-index-store.ts';
export { createTokenKeyStore } from './stores/token-key-store.ts';
export { createTokenUseStore } from './stores/token-use-store.ts';
export { createReconciliationStore } from './reconciliation/reconciliation-store.ts';
export { createOriginalsReader } from './ledger-check/read-originals.ts';
export {
  checkStoredLedger,
  type RangeTask,
  type RangeThreads,
  type StoredCheckOptions,
} from './ledger-check/check-stored-ledger.ts';
export { openRangeChecker } from './ledger-check/open-range-checker.ts';
export { createTrustStore } from './stores/trust-store.ts';
export { isAnyPartLarge, keepSealedParts, type PartLimits, type PartsOutcome } from './sealed-parts/keep-parts.ts';
export { isAnythingErased, vacuumErased } from './vacuum-erased.ts';
export type { VacuumLimits, VacuumOutcome } from './vacuum-outcome.ts';
export { openEpoch } from './open-epoch.ts';
export { countServiceConnections } from './service-connections.ts';
export { rewrapKeys, type Rewrap } from './rewrap-keys.ts';
export { type FoundServer, OtherServerError, readServer, ServerWatch } from './server-watch.ts';
export { countAsynchronousStandbys } from './surroundings/standbys.ts';
export { readInstallationName, whileContinuing } from './workspace-lock.ts';
export { DATABASE_CHECKS } from './surroundings/database-checks.ts';
export { type ConnectionDemand, readDatabaseFacts } from './surroundings/read-database-facts.ts';
export { ON_COORDINATOR, ON_EVERY_NODE } from './distribution/placement.ts';
export { findUnavailableNodes } from './distribution/node-questions.ts';
export { moveWorkspace, type WorkspaceMove } from './distribution/move-workspace.ts';
export { checkDistribution, distribute } from './distribution/distribute.ts';
export type { DistributionPlan, DistributionStep } from './distribution/plan-distribution.ts';
