import type { ApplicationCaller, UserCaller } from '@answer-evidence/access';
import type {
  ContentSniffer,
  HtmlReader,
  Ledger,
  ReadAttestations,
  StageDeps,
  Workspace,
} from '@answer-evidence/ports';
import type { MemoryObjects } from './memory-objects.ts';
import type { SteppingClock, ToldClockGuard } from './stepping-clock.ts';

/** A workspace for tests, in memory or in PostgreSQL, with all that stages ask for and one caller of each kind. */
export type TestWorkspace = StageDeps & {
  readonly workspace: Workspace;
  readonly ledger: Ledger;
  /** Another process's ledger on the same database. */
  readonly otherLedger: Ledger;
  readonly readAttestations: ReadAttestations;
  readonly objects: MemoryObjects;
  readonly sniffer: ContentSniffer;
  readonly htmlReader: HtmlReader;
  readonly backupDays: number;
  readonly clock: SteppingClock;
  readonly clockGuard: ToldClockGuard;
  readonly manager: UserCaller;
  readonly member: UserCaller;
  /** Bound to `support-bot`, with the scopes to create and to read. */
  readonly application: ApplicationCaller;
};
