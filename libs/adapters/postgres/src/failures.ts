import { DatabaseSetupError } from './database-setup-error.ts';

/** What a failed transaction means for its batch. */
export type Failure =
  /** A row was refused; one request is guilty, the others are not. */
  | 'guilty-request'
  /** Nothing was kept; the same batch may succeed now. */
  | 'try-again'
  /** The connection broke; the commit may or may not have happened. */
  | 'unknown-outcome'
  /** Not about the data: a bug or a broken installation. It may be one request's all the same. */
  | 'fatal';

// Every SQLSTATE of PostgreSQL has a digit; the system's error EPIPE has the length of one, and none.
const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && SQL_STATE.test(error.code) ? error.code : undefined;
}

/** What the name of a table's part on a node of Citus ends with. */
const OF_SHARD = /_\d{5,}$/;

/** The constraint that a database error names, or undefined. */
export function constraintOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint.replace(OF_SHARD, '') : undefined;
}

const DISK_FULL = '53100';

/** What `first_leaf_at` raises when it meets a place without a leaf. No other of our functions asks strictly. */
const NO_DATA_FOUND = 'P0002';

/** Whether the database tells of something that the service needs and has once stored, and that is no longer there. */
export function isStoredDamage(error: unknown): boolean {
  return sqlState(error) === NO_DATA_FOUND;
}

/** Whether the database has no room for what was to be written. */
export function isDiskFull(error: unknown): boolean {
  return sqlState(error) === DISK_FULL;
}

/** What a server says that takes no writes: a standby, or one that is read-only while its disk is full. */
const READ_ONLY = '25006';

/**
 * Whether connection or server went away (class 08, 57P, or an error that is no answer of the server). A server that
 * takes no writes counts, too: after a failover a new connection leads to the one that does.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('message' in error)) return false;
  const state = sqlState(error);
  if (state !== undefined)
    return (
      state.startsWith('08') || state.startsWith('57P') || state === '25P03' || state === '25P04' || state === READ_ONLY
    );
  if (isOfFile(error)) return false;
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true;
  return /connection|terminated|timeout|socket|Client (was closed|has encountered)/i.test(String(error.message));
}

/** What only files are refused with; the rest is told by the path, which errors of sockets have not. */
const OF_FILES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EROFS',
  'ENOTDIR',
  'EISDIR',
  'EEXIST',
]);

/** Whether the system refused something of a file: a full disk of ours is no database that is unavailable. */
function isOfFile(error: object): boolean {
  return ('code' in error && OF_FILES.has(error.code)) || ('path' in error && typeof error.path === 'string');
}

/**
 * What the database may take a moment later. 40: serialization, deadlock. 53: out of connections, memory or disk.
 * 55P03: lock timeout. 57: an operator, a statement timeout. 58: an error of its system.
 */
const PASSING = /^(40|53|55P03|57|58)/;
/** A page or an index of PostgreSQL that is not as it was written. */
const CORRUPTED = /^XX00[12]$/;
/** A bug or a damage of PostgreSQL itself. */
const INTERNAL = /^XX/;

/** Whether PostgreSQL says that what it stores is damaged. */
export function isCorrupted(error: unknown): boolean {
  return CORRUPTED.test(sqlState(error) ?? '');
}

/**
 * Whether a failure is the database's, and the same request may succeed later: it cannot be reached, or lacks
 * something, or is damaged, or is not set up as the service needs it.
 */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  return (
    isConnectionFailure(error) || PASSING.test(state) || INTERNAL.test(state) || error instanceof DatabaseSetupError
  );
}

/** What to do about a failed transaction. */
export function classifyFailure(error: unknown): Failure {
  if (isConnectionFailure(error)) return 'unknown-outcome';
  const state = sqlState(error);
  if (state === undefined) return 'fatal';
  if (state.startsWith('22') || state.startsWith('23')) return 'guilty-request';
  return PASSING.test(state) ? 'try-again' : 'fatal';
}
