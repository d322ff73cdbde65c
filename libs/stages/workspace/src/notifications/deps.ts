import type { Mailer, OutboundHttp } from '@answer-evidence/ports';
import type { OverviewDeps } from '../overview/deps.ts';

/** What notifications need from around them, besides what the overview has. */
export type NotificationDeps = OverviewDeps & {
  readonly outbound: OutboundHttp;
  /** Undefined: the operator has set no mail server. */
  readonly mailer: Mailer | undefined;
  /** Where the console of a workspace is, without a slash at the end. */
  readonly consoleUrl: (slug: string) => string;
  /** Whether this process has stopped the log, since it may have been forked or rolled back. */
  readonly isLogStopped: (workspaceId: string) => boolean;
};
