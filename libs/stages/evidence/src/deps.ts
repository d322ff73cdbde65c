import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  Clock,
  ClockGuard,
  ContentSniffer,
  EvidenceErasureStore,
  EvidenceStore,
  HoldStore,
  HtmlReader,
  Ledger,
  LogStore,
  ObjectStore,
  RandomSource,
  RecordStore,
  SweepHold,
  WorkFinder,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type EvidenceDeps = {
  readonly ledger: Pick<Ledger, 'append'>;
  readonly directory: WorkspaceDirectory;
  readonly work: WorkFinder;
  readonly records: RecordStore;
  readonly evidence: EvidenceStore;
  readonly evidenceErasures: EvidenceErasureStore;
  readonly holds: HoldStore;
  readonly logs: LogStore;
  /** What sweeps of this process hold back until an operator confirms it, by kind and workspace. */
  readonly sweepHolds: Map<string, SweepHold>;
  readonly objects: ObjectStore;
  readonly sniffer: ContentSniffer;
  readonly htmlReader: HtmlReader;
  /** `splitText` of a large text in another thread, for a workspace; left out: in this one. */
  readonly splitElsewhere?: (workspaceId: string, text: string, contentType: string) => Promise<readonly string[]>;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly random: RandomSource;
  /** The settings in force as the database has it now. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly backupDays: number;
};
