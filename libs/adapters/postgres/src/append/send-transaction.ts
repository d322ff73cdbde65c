import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { fencedBlock, fenceStatement, isSpread } from '../workspace-setting.ts';
import { ColumnArray, type Statement } from './insert-rows.ts';
import { WireMessages } from './wire-messages.ts';

/** The part of pg's connection that its own query classes work with. */
type Wire = {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): boolean };
  /** Names of prepared statements that are known to be there. */
  readonly parsedStatements: Record<string, string>;
};

/** For the messages themselves, and for texts, which get room for any characters while they are written. */
const SIZE_BYTES_MIN = 32 * 1024;
/** A length, and as much as a number or a UUID takes. */
const VALUE_BYTES = 20;

type Callback = (error: Error | null) => void;

/**
 * Several statements before one Sync (PostgreSQL protocol, "Pipelining"): one write, one reply. Outside of a
 * transaction block they are one transaction, committed by the Sync; when one fails, the server skips the rest. Rows
 * are not looked at. pg's own queries send a Sync each, which at thirty requests a batch cost a fifth of the process.
 */
export class TransactionQuery extends pg.Query {
  readonly #statements: readonly Statement[];
  readonly #parsing: Statement[] = [];
  /** Is called when it is over. pg puts one of its own around it, which ends the wait for an answer. */
  declare callback: Callback;
  #hasFailed = false;

  constructor(statements: readonly Statement[], settle: Callback) {
    super('');
    this.#statements = statements;
    Object.assign(this, {
      callback: settle,
      submit: (wire: Wire) => {
        try {
          this.#send(wire);
          return null;
        } catch (error) {
          // pg ends the query with it. Thrown, it would leave the connection waiting for an answer to nothing.
          return error;
        }
      },
    });
  }

  #send(wire: Wire): void {
    const messages = new WireMessages(sizeOf(this.#statements));
    for (const statement of this.#statements) {
      if (statement.name === '') messages.parse(statement);
      else if (wire.parsedStatements[statement.name] !== statement.text) {
        // A failed transaction may or may not have left it prepared; closing what is not there is no error.
        messages.close(statement.name);
        messages.parse(statement);
        this.#parsing.push(statement);
      }
      messages.bind(statement);
      messages.execute();
    }
    messages.sync();
    // pg does the same with a connection that has ended: its end fails what was asked on it.
    if (wire.stream.writable) wire.stream.write(messages.written());
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.callback(error);
  }

  handleReadyForQuery(wire: Wire): void {
    if (this.#hasFailed) return;
    for (const { name, text } of this.#parsing) wire.parsedStatements[name] = text;
    this.callback(null);
  }
}

/**
 * Room for the messages of these statements. Memory that has to grow is copied, and of megabytes each page of it is
 * new to the process: that took longer than all else about sending them.
 */
function sizeOf(statements: readonly Statement[]): number {
  let sizeBytes = SIZE_BYTES_MIN;
  for (const { values } of statements)
    for (const value of values) sizeBytes += value instanceof ColumnArray ? sizeOfColumn(value) : sizeOfValue(value);
  return sizeBytes;
}

function sizeOfColumn({ rows, column, type }: ColumnArray): number {
  let sizeBytes = rows.length * VALUE_BYTES;
  if (type === 'text' || type === 'bytea') for (const row of rows) sizeBytes += sizeOfValue(row[column]);
  return sizeBytes;
}

function sizeOfValue(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length + VALUE_BYTES : VALUE_BYTES;
}

/** Ends the transaction that is open. */
export const COMMIT: Statement = { name: 'transact_commit', text: 'commit', values: [] };

/**
 * Sends the statements as one transaction about one workspace, in one message. Resolves when it is committed; after a
 * refusal nothing of it is kept, and no transaction is open.
 */
export async function sendTransaction(
  client: pg.ClientBase,
  workspaceId: string,
  statements: readonly Statement[],
): Promise<void> {
  // What lies before one Sync is a transaction of PostgreSQL; nodes of Citus hear of a transaction by `begin` alone.
  if (!isSpread(client)) return send(client, [fenceStatement(workspaceId), ...statements]);
  try {
    await send(client, [...fencedBlock(workspaceId), ...statements.flatMap(inValues), COMMIT]);
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Sends the statements as the rest of a transaction that is open. Resolves when all of them are done. */
export function sendRest(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return send(client, isSpread(client) ? statements.flatMap(inValues) : statements);
}

/** Citus copies what an insert selects to the nodes, which no table with row-level security takes. */
function inValues(statement: Statement): readonly Statement[] {
  return statement.inValues?.() ?? [statement];
}

function send(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new TransactionQuery(statements, (error) => {
        if (error === null) resolve();
        else reject(error);
      }),
    );
  });
}

/** What speaks the protocol for a client: not in the types of pg, but what its own code works with. */
export function connectionOf(client: pg.ClientBase): EventEmitter & { readonly stream: Socket } {
  return (client as unknown as { readonly connection: EventEmitter & { readonly stream: Socket } }).connection;
}

/** What a connection is sent over. */
export function socketOf(client: pg.ClientBase): Socket {
  return connectionOf(client).stream;
}

/** Breaks a connection at once, and leaves it to anyone who holds it to find that out. */
export function destroyConnection(client: pg.ClientBase): void {
  socketOf(client).destroy();
}

/**
 * Breaks a connection at once: what was asked on it fails, nothing more is sent, and a server that still hears of it
 * takes back what is open. To be asked to end, with questions on their way, pg first waits for their answers, which may
 * never come.
 */
export function breakConnection(client: pg.PoolClient): void {
  destroyConnection(client);
  client.release(new Error('the connection failed'));
}
