import type { ApplicationCaller, UserCaller } from '@answer-evidence/access';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  AdministrationStore,
  ApprovalStore,
  ContentSniffer,
  DeadLetterStore,
  EvidenceErasureStore,
  EvidenceStore,
  HoldStore,
  HtmlReader,
  JobOutbox,
  Ledger,
  LogStore,
  MemberStore,
  RandomSource,
  ReadAttestations,
  RecordStore,
  RetentionStore,
  SavedViewStore,
  SweepHold,
  TrustStore,
  WordIndexStore,
  WorkFinder,
  Workspace,
  WorkspaceDirectory,
  WorkspaceEntryStore,
} from '@answer-evidence/ports';
import type { MemoryObjects } from './memory-objects.ts';
import type { SteppingClock, ToldClockGuard } from './stepping-clock.ts';

/** A workspace for tests, in memory or in PostgreSQL, with all that stages ask for and one caller of each kind. */
export type TestWorkspace = {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  /** Another process's ledger on the same database. */
  readonly otherLedger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly records: RecordStore;
  readonly logs: LogStore;
  readonly work: WorkFinder;
  readonly administration: AdministrationStore;
  readonly approvals: ApprovalStore;
  readonly trust: TrustStore;
  readonly members: MemberStore;
  readonly entries: WorkspaceEntryStore;
  readonly holds: HoldStore;
  readonly retention: RetentionStore;
  readonly savedViews: SavedViewStore;
  readonly words: WordIndexStore;
  readonly readAttestations: ReadAttestations;
  readonly evidence: EvidenceStore;
  readonly evidenceErasures: EvidenceErasureStore;
  readonly jobs: JobOutbox;
  readonly deadLetters: DeadLetterStore;
  readonly objects: MemoryObjects;
  readonly sniffer: ContentSniffer;
  readonly htmlReader: HtmlReader;
  readonly turn: () => Promise<void>;
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly backupDays: number;
  readonly clock: SteppingClock;
  readonly clockGuard: ToldClockGuard;
  readonly sweepHolds: Map<string, SweepHold>;
  readonly random: RandomSource;
  readonly manager: UserCaller;
  readonly member: UserCaller;
  /** Bound to `support-bot`, with the scopes to create and to read. */
  readonly application: ApplicationCaller;
};
