import type {
  Clock,
  Ledger,
  Mailer,
  MemberStore,
  NotificationStore,
  OutboundHttp,
  RandomSource,
  StreamStore,
  WorkspaceDirectory,
} from '@answer-evidence/ports';
import type { OverviewDeps } from '../overview/deps.ts';

/** What notifications need from around them, besides what the overview has. */
export type NotificationDeps = OverviewDeps & {
  readonly notifications: NotificationStore;
  readonly outbound: OutboundHttp;
  /** Undefined: the operator has set no mail server. */
  readonly mailer: Mailer | undefined;
  readonly members: Pick<MemberStore, 'find'>;
  readonly streams: Pick<StreamStore, 'streams'>;
  /** Where the console of a workspace is, without a slash at the end. */
  readonly consoleUrl: (slug: string) => string;
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Whether this process has stopped the log, since it may have been forked or rolled back. */
  readonly isLogStopped: (workspaceId: string) => boolean;
};
