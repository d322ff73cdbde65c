import type { VersionedSettings } from '@answer-evidence/ledger';
import type { OtlpLimits } from '@answer-evidence/otlp';
import type {
  AdministrationStore,
  Clock,
  ClockGuard,
  Ledger,
  OtlpStore,
  RandomSource,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What became of the items of a request, and how many attributes of its answers were not taken over. */
export type ItemCounts = {
  readonly accepted: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly droppedAttributes: number;
};

/** What the stage needs from around it. */
export type OtlpDeps = {
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly administration: AdministrationStore;
  readonly otlp: OtlpStore;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly random: RandomSource;
  /** The settings in force, read from the log. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
  readonly onItems?: (counts: ItemCounts) => void;
  readonly otlpLimits: OtlpLimits;
  /** Largest body, as it comes and undone; and what all bodies in hand may have together. */
  readonly otlpBodyBytesMax: number;
  readonly otlpInHandBytesMax: number;
  /** How long an item without a record waits for one. */
  readonly otlpWaitSeconds: number;
};
