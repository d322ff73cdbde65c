import { type KnownPayload, ServiceError } from '@answer-evidence/contracts';

/** Which PostgreSQL holds a log, as far as a head says it: a copy, or a promoted standby, is another one. */
export type HeadServer = {
  /** Which database cluster it is; a physical copy has the same. */
  readonly systemIdentifier: string;
  /** Goes up with each promotion; undefined in heads of the first form. */
  readonly timeline?: number | undefined;
  /** `synchronous_standby_names`: empty where no commit waits for a standby; undefined in heads of the first form. */
  readonly synchronousStandbys?: string | undefined;
};

/** A log's head as it is remembered outside the database. */
export type PinnedHead = HeadServer & {
  readonly workspaceId: string;
  readonly origin: string;
  readonly treeSize: number;
  /** Root at that size, hex. */
  readonly rootHash: string;
};

/** The newest head that is kept of a log. */
export type KeptHead = PinnedHead & {
  /** Where it lies, as a person finds it. */
  readonly place: string;
  /** Sizes at which a second tree was signed, with the places of all heads of that size. */
  readonly twins: readonly Twins[];
  /** What outside parties, and processes of this service that have ended, hold against this log. */
  readonly claims: readonly KeptClaim[];
};

/** Heads of one size and several roots. */
type Twins = { readonly treeSize: number; readonly places: readonly string[] };

/** Somebody who has seen more of a log than the database holds, or another tree. */
export type OutsideClaim = {
  readonly workspaceId: string;
  readonly origin: string;
  /** Who it is, in words of ours. */
  readonly party: string;
  /** The size that it has seen. */
  readonly treeSize: number;
  /** Root at that size, hex, where the party shows it. */
  readonly rootHash: string | undefined;
  /** Where it keeps that, as a person finds it, where that can be looked at. */
  readonly seenAt: string | undefined;
  /** The size that the database held then. */
  readonly heldSize: number;
};

/** A claim that is kept, and where a person finds it. */
export type KeptClaim = Omit<OutsideClaim, 'workspaceId' | 'origin'> & { readonly place: string };

/**
 * Why a head cannot be trusted.
 * - `row_refused`: the database's row is missing, its MAC is wrong, or it is behind or beside one that was seen.
 * - `log_refused`: the log is behind or beside what was kept or published, or its key is not the ledger's.
 * - `server_changed`: the log is on another server than its head, and may lack entries; nothing else speaks against it.
 * - `log_disputed`: an outside party has seen more of the log than the database holds, or another tree.
 * - `head_missing`: the log has entries, and no head of it is kept outside.
 * - `kept_unreadable`: the head kept outside exists and cannot be read.
 * - `kept_gone`: the newest head kept outside is gone, and only its copy and older ones are there.
 * - `place_unavailable`: the place of the heads does not answer, or refuses.
 */
export type HeadErrorCode =
  | 'row_refused'
  | 'log_refused'
  | 'server_changed'
  | 'log_disputed'
  | 'head_missing'
  | 'kept_unreadable'
  | 'kept_gone'
  | 'place_unavailable';

/** A head that cannot be trusted: nothing may be signed or written on top of it. The message says what to do. */
export class HeadError extends Error {
  override readonly name = 'HeadError';
  readonly code: HeadErrorCode;

  constructor(code: HeadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * What callers of the API are told of it; the place and its sentence are for those who run the service. Damage is no
 * outage that a caller waits for. Jobs do wait: what they have to do is not what is damaged.
 */
export function headRefusal(cause: HeadError): ServiceError {
  switch (cause.code) {
    case 'place_unavailable':
      return new ServiceError(
        'ledger_unavailable',
        'the head of the ledger outside the database cannot be read; retry the same request',
        { remedy: 'retry', cause },
      );
    case 'server_changed':
      return new ServiceError('ledger_unavailable', 'the ledger of this workspace is stopped; tell the operator', {
        remedy: 'retry',
        cause,
      });
    case 'kept_unreadable':
      return new ServiceError(
        'content_damaged',
        'the head of the ledger outside the database was altered or cut; tell the operator',
        { remedy: 'retry', cause },
      );
    case 'kept_gone':
      return new ServiceError(
        'content_damaged',
        'the newest head of the ledger outside the database is gone; tell the operator',
        { remedy: 'retry', cause },
      );
    case 'row_refused':
    case 'log_refused':
    case 'log_disputed':
    case 'head_missing':
      return new ServiceError(
        'content_damaged',
        'the ledger of this workspace is stopped, because it was altered or entries of it are lost; tell the operator',
        { remedy: 'retry', cause },
      );
  }
}

/**
 * Heads kept where a restore of the database does not reach, in one place for all processes of an installation, so that
 * a log cannot be rolled back unnoticed. A write is durable when it returns. Any number of processes may write: two
 * roots for one size both stay, and `find` names them.
 */
export interface HeadStore {
  /** Where the heads are, as a person finds them. */
  readonly place: string;
  /**
   * Undefined when this workspace has none yet. Throws `HeadError` when there is one that cannot be read, or when one
   * that was copied is gone.
   */
  find(workspaceId: string): Promise<KeptHead | undefined>;
  /** Every workspace of which anything is kept, in order. */
  workspaceIds(): Promise<readonly string[]>;
  /**
   * Keeps the head, unless one of a larger size is kept. Refuses one of another origin than the newest. Another root at
   * the size of the newest is kept beside it, as evidence, and then refused with `HeadError`. The same tree on another
   * server is kept with that server's name.
   */
  keep(head: PinnedHead): Promise<void>;
  /** Copies the newest head, so that it is missed when it is gone. Throws `HeadError` when one that was copied is. */
  copyNewest(workspaceId: string): Promise<void>;
  /**
   * Goes on with a log of another origin, whose head may be smaller. The head of `ended`, which must be the newest
   * origin, stays kept beside it for ever.
   */
  moveOn(head: PinnedHead, ended: string): Promise<void>;
  /** Accepts a log of which no head is kept, as it is, and remembers for ever that it was done and when. */
  adopt(head: PinnedHead, atMicros: number): Promise<void>;
  /**
   * Takes back the head of an empty log that was kept before the log was made, which it then was not. Changes nothing
   * where anything else is kept of the workspace.
   */
  takeBack(head: PinnedHead): Promise<void>;
  /**
   * Remembers for ever that the database is to have no such workspace, and when that was said. Its heads stay. Refuses
   * a workspace of which no head is kept.
   */
  forget(workspaceId: string, atMicros: number): Promise<void>;
  /** Whether that was said of a workspace. */
  isForgotten(workspaceId: string): Promise<boolean>;
  /** Keeps what an outside party holds against the log, until the log moves on. The same claim is kept once. */
  dispute(claim: OutsideClaim): Promise<void>;
  /** Every origin that the log has had before the newest one, oldest first. */
  findEnded(workspaceId: string): Promise<readonly string[]>;
  /**
   * Adds the redactions of leaves from `fromSize` on to those that are kept; durable when it returns. One that is there
   * already changes nothing.
   */
  keepRedactions(workspaceId: string, fromSize: number, redactions: readonly OutsideRedaction[]): Promise<void>;
  /** Whether they were ever kept, an empty list counted. */
  hasRedactions(workspaceId: string): Promise<boolean>;
  /**
   * Every redaction that is kept, once, in the order of their leaves; undefined when none was ever kept, not even an
   * empty list.
   */
  findRedactions(workspaceId: string): Promise<readonly OutsideRedaction[] | undefined>;
}

/** A redaction, remembered so that a restored database can be made to forget again what it had forgotten. */
export type OutsideRedaction = {
  readonly recordId: string;
  readonly eventId: string;
  /** The event's payload, as far as it stands in its core. */
  readonly payload: KnownPayload;
};
