import type pg from 'pg';
import type { Clock, MasterVault, RandomSource, WorkspaceDirectory } from '@answer-evidence/ports';
import { createNotificationStore } from './notifications/notification-store.ts';
import { createDeadLetterStore } from './outbox/dead-letter-store.ts';
import { createJobOutbox } from './outbox/job-outbox.ts';
import { createOverviewStore } from './overview/overview-store.ts';
import { createReconciliationStore } from './reconciliation/reconciliation-store.ts';
import { createTriageStore } from './reconciliation/triage-store.ts';
import { createAdministrationStore } from './stores/administration-store.ts';
import { createApprovalStore } from './stores/approval-store.ts';
import { createClockMarkStore } from './stores/clock-mark-store.ts';
import { createDeviceLoginStore } from './stores/device-login-store.ts';
import { createEvidenceErasureStore } from './stores/evidence-erasure-store.ts';
import { createEvidenceStore } from './stores/evidence-store.ts';
import { createHoldStore } from './stores/hold-store.ts';
import { createLogStore } from './stores/log-store.ts';
import { createMemberStore } from './stores/member-store.ts';
import { createOtlpStore } from './stores/otlp-store.ts';
import { createRecordStore } from './stores/record-store.ts';
import { createRetentionStore } from './stores/retention-store.ts';
import { createSavedViewStore } from './stores/saved-view-store.ts';
import { createTrustStore } from './stores/trust-store.ts';
import { createWordIndexStore } from './stores/word-index-store.ts';
import { createWorkFinder } from './stores/work-finder.ts';
import { createWorkspaceEntryStore } from './stores/workspace-entry-store.ts';
import { createStreamStore } from './streams/stream-store.ts';

/** What the stores of one process share. */
type StoreDeps = {
  /** Connections of the service's role. */
  readonly pool: pg.Pool;
  /** Connections of the role that sees all workspaces. */
  readonly relayPool: pg.Pool;
  readonly directory: WorkspaceDirectory;
  readonly vault: MasterVault;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Is called after jobs were written. */
  readonly onJobs?: () => void;
  /** Resolves when long work may go on. */
  readonly turn?: () => Promise<void>;
};

/** What `createPostgresStores` makes. */
export type PostgresStores = ReturnType<typeof createPostgresStores>;

/** Every store that stages ask for, by the name under which they ask. Nothing is read until one is used. */
export function createPostgresStores({
  onJobs = () => undefined,
  turn = () => Promise.resolve(),
  ...shared
}: StoreDeps) {
  const { pool, relayPool, directory, vault } = shared;
  const deps = { ...shared, onJobs, turn };
  return {
    administration: createAdministrationStore(pool),
    approvals: createApprovalStore(pool),
    clockMarks: createClockMarkStore(pool, relayPool),
    deadLetters: createDeadLetterStore(deps),
    deviceLogins: createDeviceLoginStore(pool, vault),
    entries: createWorkspaceEntryStore(pool),
    evidence: createEvidenceStore(pool, directory),
    evidenceErasures: createEvidenceErasureStore(pool, directory),
    holds: createHoldStore(pool),
    jobs: createJobOutbox(deps),
    logs: createLogStore(pool, directory),
    members: createMemberStore(pool),
    notifications: createNotificationStore(deps),
    otlp: createOtlpStore(deps),
    overview: createOverviewStore(pool),
    reconciliations: createReconciliationStore(deps),
    records: createRecordStore(pool),
    retention: createRetentionStore(pool),
    savedViews: createSavedViewStore(pool),
    streams: createStreamStore(deps),
    triage: createTriageStore(pool, directory),
    trust: createTrustStore(pool, directory),
    words: createWordIndexStore(pool),
    work: createWorkFinder(relayPool, directory),
  };
}
