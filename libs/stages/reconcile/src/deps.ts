import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  AnchoredCheckpoints,
  Clock,
  ClockGuard,
  Ledger,
  LogStore,
  MemberStore,
  RandomSource,
  ReconciliationStore,
  SweepHold,
  TriageStore,
  WorkFinder,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type ReconcileDeps = {
  readonly directory: WorkspaceDirectory;
  readonly work: WorkFinder;
  readonly ledger: Ledger;
  readonly logs: LogStore;
  readonly reconciliations: ReconciliationStore;
  readonly triage: TriageStore;
  readonly members: MemberStore;
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly checkpoints: AnchoredCheckpoints;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  /** What sweeps of this process hold back until an operator confirms it, by kind and workspace. */
  readonly sweepHolds: Map<string, SweepHold>;
  readonly random: RandomSource;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
};
