import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  AdministrationStore,
  Clock,
  ClockGuard,
  EvidenceErasureStore,
  EvidenceStore,
  HoldStore,
  Ledger,
  LogStore,
  MemberStore,
  RandomSource,
  ReadAttestations,
  RecordStore,
  RetentionStore,
  SavedViewStore,
  SweepHold,
  WordIndexStore,
  WorkFinder,
  WorkspaceDirectory,
  WorkspaceEntryStore,
} from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type IngestDeps = {
  readonly ledger: Pick<Ledger, 'append'>;
  readonly directory: WorkspaceDirectory;
  readonly work: WorkFinder;
  readonly records: RecordStore;
  readonly logs: LogStore;
  readonly savedViews: SavedViewStore;
  readonly members: Pick<MemberStore, 'find'>;
  readonly words: WordIndexStore;
  readonly entries: Pick<WorkspaceEntryStore, 'find'>;
  /** How far others vouch for the log. */
  readonly readAttestations: ReadAttestations;
  readonly administration: AdministrationStore;
  /** The settings in force, as the database has them now. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly random: RandomSource;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
  readonly holds: HoldStore;
  readonly retention: RetentionStore;
  /** What sweeps of this process hold back until an operator confirms it, by kind and workspace. */
  readonly sweepHolds: Map<string, SweepHold>;
  readonly evidence: EvidenceStore;
  readonly evidenceErasures: EvidenceErasureStore;
  readonly backupDays: number;
};

/** The settings that a request is prepared under. */
export type Settings = VersionedSettings;
