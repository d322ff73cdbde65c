import type { VersionedSettings } from '@answer-evidence/ledger';
import type {
  AdministrationStore,
  ApplicationTokens,
  Clock,
  DeadLetterStore,
  Ledger,
  RandomSource,
  Workspace,
  WorkspaceDirectory,
} from '@answer-evidence/ports';

/** What is told in public about the workspace that a host name stands for. */
export type HostWorkspace = Pick<Workspace, 'slug' | 'displayName'>;

/** What the stage needs from around it. */
export type WorkspaceParts = {
  readonly ledger: Ledger;
  readonly directory: WorkspaceDirectory;
  readonly administration: AdministrationStore;
  readonly applicationTokens: ApplicationTokens;
  readonly deadLetters: DeadLetterStore;
  /** The policy in force, read from the database at each call: another process may have changed it a moment ago. */
  readonly readFreshSettings: (workspaceId: string) => Promise<VersionedSettings>;
  /** The workspace that a `Host` header selects; left out where tokens alone select it. */
  readonly workspaceOfHost?: (host: string | undefined) => Promise<HostWorkspace | undefined>;
  readonly clock: Clock;
  readonly random: RandomSource;
};
