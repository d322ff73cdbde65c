import type { VersionedSettings } from '@answer-evidence/ledger';
import type { Stores } from './all-stores.ts';
import type { Clock, RandomSource } from './clock.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Ledger } from './ledger.ts';
import type { WorkspaceDirectory } from './stores.ts';
import type { SweepHold } from './sweep-limit.ts';

/** What every stage finds around it. */
export type StageDeps = Stores & {
  readonly directory: WorkspaceDirectory;
  readonly ledger: Pick<Ledger, 'append'>;
  /** The settings in force, read from the database at each call: another process may have changed them a moment ago. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  readonly clock: Clock;
  readonly clockGuard: ClockGuard;
  readonly random: RandomSource;
  /** Lets others have their turn; called now and then in long work. */
  readonly turn: () => Promise<void>;
  /** What sweeps of this process hold back until an operator confirms it, by kind and workspace. */
  readonly sweepHolds: Map<string, SweepHold>;
};
