import type {
  AnchoredCheckpoints,
  Clock,
  Ledger,
  LogStore,
  RandomSource,
  ReconciliationStore,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What the stage needs from around it. */
export type ReconcileDeps = {
  readonly directory: WorkspaceDirectory;
  readonly ledger: Ledger;
  readonly logs: LogStore;
  readonly reconciliations: ReconciliationStore;
  readonly checkpoints: AnchoredCheckpoints;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
};
