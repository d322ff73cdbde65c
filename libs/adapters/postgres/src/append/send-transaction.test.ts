import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectionOf, TransactionQuery } from './send-transaction.ts';

/** The major version whose inner workings `send-transaction.ts` and `wire-messages.ts` were written after. */
const READ_MAJOR = '8';

describe('what transactions use of the inner workings of pg', () => {
  it('is of the major version that it was written after', () => {
    const { version } = createRequire(import.meta.url)('pg/package.json') as { readonly version: string };
    expect(version.split('.')[0]).toBe(READ_MAJOR);
  });

  it('is there: statements by name, and a stream that takes bytes', () => {
    const client = new pg.Client();
    expect(connectionOf(client)).toMatchObject({
      parsedStatements: {},
      stream: { writable: expect.any(Boolean), write: expect.any(Function), destroy: expect.any(Function) },
    });
  });

  it('leaves no answer of the server to a query of pg that does not know of a transaction', () => {
    const told = Object.getOwnPropertyNames(pg.Query.prototype).filter((name) => name.startsWith('handle'));
    const own = Object.getOwnPropertyNames(TransactionQuery.prototype);
    // No statement of a transaction copies.
    expect(told.filter((name) => !own.includes(name)).toSorted()).toEqual(['handleCopyData', 'handleCopyInResponse']);
  });
});
