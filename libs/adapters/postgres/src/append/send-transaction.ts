import pg from 'pg';
import type { Statement } from './insert-rows.ts';

/** The part of pg's connection that its own query classes work with. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  /** Names of prepared statements that are known to be there. */
  readonly parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string; types: readonly number[] }): void;
  bind(bound: { portal: string; statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void;
  execute(executed: { portal: string; rows: number }): void;
  close(closed: { type: 'S'; name: string }): void;
  sync(): void;
};

type Callback = (error: Error | null) => void;

/**
 * Several statements before one Sync (PostgreSQL protocol, "Pipelining"): one write, one reply. Outside of a transaction block they are
 * one transaction, committed by the Sync; when one fails, the server skips the rest. Rows are not looked at. pg's own queries send
 * a Sync each, which at thirty requests a batch cost a fifth of the process.
 */
class TransactionQuery extends pg.Query {
  readonly #statements: readonly Statement[];
  readonly #parsing: Statement[] = [];
  readonly #settle: Callback;
  #isSettled = false;

  constructor(statements: readonly Statement[], settle: Callback) {
    super('');
    this.#statements = statements;
    this.#settle = settle;
    // pg calls a query's callback itself in some of its failures.
    Object.assign(this, {
      callback: (error: Error | null) => {
        this.#end(error);
      },
      submit: (wire: Wire) => {
        this.#send(wire);
        return null;
      },
    });
  }

  #send(wire: Wire): void {
    wire.stream.cork();
    try {
      for (const statement of this.#statements) {
        if (wire.parsedStatements[statement.name] !== statement.text) {
          // A failed transaction may or may not have left it prepared; closing what is not there is no error.
          wire.close({ type: 'S', name: statement.name });
          wire.parse({ name: statement.name, text: statement.text, types: [] });
          this.#parsing.push(statement);
        }
        wire.bind({ portal: '', statement: statement.name, values: statement.values, valueMapper: formatValue });
        wire.execute({ portal: '', rows: 0 });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(wire: Wire): void {
    if (!this.#isSettled) for (const { name, text } of this.#parsing) wire.parsedStatements[name] = text;
    this.#end(null);
  }

  #end(error: Error | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(error);
  }
}

/** Values as the protocol takes them: bytes in binary, everything else as text. */
function formatValue(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value === null || typeof value === 'string') return value;
  throw new TypeError('a value of a row is neither text, number nor bytes');
}

/** Sends the statements as one transaction, or as the rest of an open one. Resolves when the server has done all of them. */
export function sendTransaction(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(
      new TransactionQuery(statements, (error) => {
        if (error === null) resolve();
        else reject(error);
      }),
    );
  });
}
