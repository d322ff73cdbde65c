import type {
  Clock,
  Ledger,
  NotificationStore,
  OutboundHttp,
  RandomSource,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import type { OverviewDeps } from '../overview/deps.ts';

/** What notifications need from around them, besides what the overview has. */
export type NotificationDeps = OverviewDeps & {
  readonly notifications: NotificationStore;
  readonly outbound: OutboundHttp;
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Whether this process has stopped the log, since it may have been forked or rolled back. */
  readonly isLogStopped: (workspaceId: string) => boolean;
};
