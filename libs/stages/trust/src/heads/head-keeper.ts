import type {
  Clock,
  HeadError,
  HeadServer,
  LogSnapshot,
  LogStore,
  OutsideClaim,
  Ticker,
  WorkFinder,
  Workspace,
} from '@answer-evidence/ports';
import type { HeadDeps } from './assert-heads-hold.ts';
import type { SeenHead } from './known-heads.ts';
import type { ServerKnowledge } from './outside-faults.ts';

/** What a keeper works with. */
export type HeadKeeperDeps = HeadDeps & {
  readonly servers: ServerKnowledge & {
    /** Whether what is read may lag behind what was committed. */
    readonly isOnStandby: () => boolean;
  };
  readonly work: Pick<WorkFinder, 'grownLogs'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  /** Resolves when a process that has to end waits no longer for what it writes down. */
  readonly late: () => Promise<void>;
  /** Ends the process: a log is not the one that was kept, and nothing more may be signed on it. */
  readonly onFatal: (error: Error) => void;
  /** A log is found on another server, which lacks nothing. */
  readonly onMoved?: (sentence: string) => void;
  /** A log is stopped, and the others go on. Called once for each. */
  readonly onStopped: (error: HeadError) => void;
};

/** What a process does about the heads of the logs that it signs. Why they have one place: decision 0080. */
export interface HeadKeeper {
  /**
   * Holds logs against their kept heads: the first few, each that has gone back, and each against which something is
   * held. The others wait until they are used. Throws `HeadError` for one that is refused; one that is disputed is
   * stopped.
   */
  checkAtStart(): Promise<void>;
  /** Holds those that wait against their heads, so that a fault is found within minutes of a start. */
  restTicker(): Ticker;
  /**
   * Asked before each append: undefined when it may be made at once, or a promise to wait for, which is only given for
   * the first one to a log. Throws, or rejects with, `ledger_unavailable` when nothing may be appended.
   */
  admit(workspaceId: string): Promise<void> | undefined;
  /** Asked before a tree is signed; rejects with `ledger_unavailable` when nothing may be signed. */
  admitSigning(workspaceId: string): Promise<void>;
  /**
   * Asked before each signature, also by those who know the keys already; throws `ledger_unavailable` when nothing may
   * be signed.
   */
  assertSigning(workspaceId: string): void;
  /** This process has committed entries, which their head outside does not cover yet, or may have without a `head`. */
  noteAppended(workspaceId: string, head?: SeenHead): void;
  /** Reads a tree of a log; ends the process when that one is behind or beside one that it had seen before. */
  see(workspaceId: string, read: () => Promise<LogSnapshot>): Promise<LogSnapshot>;
  /** Ends the process for `error`, once what it knows of logs is written beside their heads. Nothing more is signed. */
  end(error: Error): void;
  /**
   * Throws `HeadError` unless a log, read from another server, holds everything that is known of it, here and outside,
   * and nothing that was signed can be missing. One that is disputed is stopped.
   */
  assertFollows(workspace: Workspace, logs: LogStore, server: HeadServer): Promise<void>;
  /** Keeps what this process knows and nobody has kept; for a process that was asked to stop. */
  keepLast(): Promise<void>;
  /** Moves the head of one log outside of the database now. */
  keep(workspace: Workspace): Promise<void>;
  /** Keeps what an outside party holds against a log, and stops the log. */
  dispute(workspace: Workspace, claim: Omit<OutsideClaim, 'workspaceId' | 'origin'>): Promise<void>;
  isStopped(workspaceId: string): boolean;
  /** Moves the heads of the logs that this process has appended to, or of all. */
  ticker(logs: 'own' | 'all'): Ticker;
  /**
   * How many logs are stopped, for how long the oldest entry of this process has been without a head outside, and
   * whether that is so long that nothing more is appended.
   */
  standing(): { readonly stopped: number; readonly unkeptMs: number; readonly isOverdue: boolean };
}
