import type pg from 'pg';
import { ServiceError } from '@answer-evidence/contracts';
import { StoredDamageError } from '@answer-evidence/ports';
import { isConnectionFailure, isCorrupted, isStoredDamage, isUnavailable } from './failures.ts';
import { fenceQuery, statementFor } from './workspace-setting.ts';

/** Asks one statement within a read transaction; with a name it is prepared once per connection, with '' it is not. */
export type Query = <Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** Asks on a connection whose transaction the caller began. */
export function queryOn(client: pg.ClientBase): Query {
  return async (name, text, values) =>
    (
      await client.query({
        ...(name === '' ? {} : { name }),
        text: statementFor(client, text),
        values: values as unknown[],
      })
    ).rows as never;
}

const BEGIN = 'begin isolation level repeatable read read only';

/** How long one answer may take where statements may run longer than requests; then the connection is broken. */
export type Patience = { readonly answerMsMax: number };

/**
 * Runs reads of one workspace in one snapshot. The database shows this workspace only. Statements are prepared under
 * their name and sent without waiting for each other. Throws `ledger_unavailable` when the database is unavailable, or
 * silent.
 */
export async function readWorkspace<T>(
  pool: pg.Pool,
  workspaceId: string,
  read: (query: Query) => Promise<T>,
  patience?: Patience,
): Promise<T> {
  return withSetting(pool, BEGIN, 'rollback', 'answer_evidence.workspace_id', workspaceId, read, patience);
}

/** The rows of one such statement, whose first value is the workspace. */
export function readRows<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  name: string,
  text: string,
  values: readonly [workspaceId: string, ...more: readonly unknown[]],
): Promise<readonly Row[]> {
  return readWorkspace(pool, values[0], (query) => query<Row>(name, text, values));
}

/** The first row of one such statement, if any. */
export async function readRow<Row extends pg.QueryResultRow>(
  ...statement: Parameters<typeof readRows>
): Promise<Row | undefined> {
  return (await readRows<Row>(...statement))[0];
}

/** The same for the one token that a request presents, before its workspace is known. */
export async function readPresentedToken<T>(
  pool: pg.Pool,
  tokenId: string,
  read: (query: Query) => Promise<T>,
): Promise<T> {
  return withSetting(pool, BEGIN, 'rollback', 'answer_evidence.token_id', tokenId, read);
}

/** Reads tables that belong to no workspace. */
export async function readInstallation<T>(pool: pg.Pool, read: (query: Query) => Promise<T>): Promise<T> {
  return withSetting(pool, BEGIN, 'rollback', 'answer_evidence.workspace_id', '', read);
}

/** Runs a write of one workspace outside any ledger, in its own transaction. Throws `ledger_unavailable`. */
export async function writeWorkspace<T>(
  pool: pg.Pool,
  workspaceId: string,
  write: (query: Query) => Promise<T>,
  patience?: Patience,
): Promise<T> {
  return withSetting(pool, 'begin', 'commit', 'answer_evidence.workspace_id', workspaceId, write, patience);
}

/** Runs one such statement, whose first value is the workspace. */
export async function writeRows(...[pool, name, text, values]: Parameters<typeof readRows>): Promise<void> {
  await writeWorkspace(pool, values[0], (query) => query(name, text, values));
}

/** Runs a write across workspaces, as far as the role of the pool sees them. Throws `ledger_unavailable`. */
export async function writeInstallation<T>(pool: pg.Pool, write: (query: Query) => Promise<T>): Promise<T> {
  return withSetting(pool, 'begin', 'commit', 'answer_evidence.workspace_id', '', write);
}

async function withSetting<T>(
  pool: pg.Pool,
  begin: string,
  end: 'commit' | 'rollback',
  setting: Parameters<typeof fenceQuery>[1],
  value: string,
  run: (query: Query) => Promise<T>,
  patience?: Patience,
): Promise<T> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    const opening = Promise.all([client.query(begin), client.query(fenceQuery(client, setting, value))]);
    // The reads below are already on their way; when opening fails they fail as well and `opening` is awaited next.
    opening.catch(() => undefined);
    const limits = patience === undefined ? {} : { query_timeout: patience.answerMsMax };
    let refusal: unknown;
    const query: Query = async (name, text, values) => {
      try {
        const statement = {
          ...(name === '' ? {} : { name }),
          text: statementFor(client, text),
          values: values as unknown[],
          ...limits,
        };
        return (await client.query(statement)).rows as never;
      } catch (error) {
        refusal ??= error;
        throw error;
      }
    };
    try {
      const result = await run(query);
      await opening;
      await client.query(end);
      return result;
    } catch (error) {
      // After a refusal the rest of a transaction is refused for that alone, and which of several statements is heard
      // of first depends on what is done with their rows: the first one says why.
      const first = await opening.then(
        () => (isOfFailedTransaction(error) ? refusal : error),
        (unopened: unknown) => unopened,
      );
      await client.query('rollback');
      throw first;
    }
  } catch (error) {
    if (isConnectionFailure(error)) broken = error instanceof Error ? error : new Error('the connection failed');
    throw toCallerError(error);
  } finally {
    client.release(broken);
  }
}

/** Whether a statement was refused because one before it was (SQLSTATE `in_failed_sql_transaction`). */
function isOfFailedTransaction(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25P02';
}

/** A connection, or `ledger_unavailable`. */
export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw unavailable(error);
  }
}

/** Asks one statement in a transaction of its own. Throws `ledger_unavailable`. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  try {
    return await pool.query<Row>(query);
  } catch (error) {
    throw toCallerError(error);
  }
}

/**
 * What a caller is told of a failure: `StoredDamageError` where something stored is gone, `content_damaged` where the
 * database itself is damaged, `ledger_unavailable` where the failure is the database's, else the failure as it is.
 */
export function toCallerError(error: unknown): unknown {
  if (isStoredDamage(error)) return new StoredDamageError('the log lacks a leaf', { cause: error });
  if (isCorrupted(error))
    // Not about one object: jobs try again, and nothing is dropped as if its own row were the damaged one.
    return new ServiceError('content_damaged', 'PostgreSQL finds its files damaged; tell the operator', {
      remedy: 'retry',
      cause: error,
    });
  return isUnavailable(error) ? unavailable(error) : error;
}

/** What is thrown when the database is unavailable. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('ledger_unavailable', 'the database is unavailable; retry the same request', {
    remedy: 'retry',
    cause,
  });
}
