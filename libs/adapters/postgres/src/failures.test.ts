import { describe, expect, it } from '@jest/globals';
import { DatabaseSetupError } from './database-setup-error.ts';
import {
  classifyFailure,
  constraintOf,
  isConnectionFailure,
  isCorrupted,
  isStoredDamage,
  isUnavailable,
  sqlState,
} from './failures.ts';

function errorOf(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

const TABLE: readonly (readonly [code: string | undefined, message: string, meaning: string])[] = [
  ['22021', 'a NUL in a text', 'guilty-request'],
  ['22P02', 'a text that is no UUID', 'guilty-request'],
  ['23505', 'a unique key', 'guilty-request'],
  ['23001', 'a trigger refused', 'guilty-request'],
  ['40001', 'the head has moved', 'try-again'],
  ['40P01', 'a deadlock', 'try-again'],
  ['55P03', 'a lock timeout', 'try-again'],
  ['57014', 'a statement timeout', 'try-again'],
  ['53300', 'too many connections', 'try-again'],
  ['53100', 'a full disk', 'try-again'],
  ['53200', 'out of memory', 'try-again'],
  ['57000', 'an operator', 'try-again'],
  ['58000', 'an error of the system', 'try-again'],
  ['58030', 'a disk that fails', 'try-again'],
  ['58P01', 'a library that was replaced', 'try-again'],
  ['57P01', 'an administrator', 'unknown-outcome'],
  ['57P02', 'a crash', 'unknown-outcome'],
  ['57P03', 'a start', 'unknown-outcome'],
  ['08006', 'a connection', 'unknown-outcome'],
  ['25P03', 'idle in a transaction', 'unknown-outcome'],
  ['25006', 'a standby, or a read-only server', 'unknown-outcome'],
  ['ECONNRESET', 'read ECONNRESET', 'unknown-outcome'],
  ['ECONNREFUSED', 'connect ECONNREFUSED', 'unknown-outcome'],
  ['ETIMEDOUT', 'connect ETIMEDOUT', 'unknown-outcome'],
  ['EPIPE', 'write EPIPE', 'unknown-outcome'],
  ['EBADF', 'bad file descriptor', 'unknown-outcome'],
  [undefined, 'Connection terminated unexpectedly', 'unknown-outcome'],
  [undefined, 'Client has encountered a connection error and is not queryable', 'unknown-outcome'],
  [undefined, 'timeout expired', 'unknown-outcome'],
  ['ENOSPC', 'ENOSPC: no space left on device, write', 'fatal'],
  ['EEXIST', 'EEXIST: file already exists, mkdir', 'fatal'],
  ['42P01', 'no such table', 'fatal'],
  ['42501', 'no permission', 'fatal'],
  ['XX000', 'internal', 'fatal'],
  ['XX001', 'a damaged page', 'fatal'],
  ['XX002', 'a damaged index', 'fatal'],
  ['42883', 'no such function', 'fatal'],
  ['0A000', 'not supported', 'fatal'],
  ['P0002', 'a leaf that is gone', 'fatal'],
  [undefined, 'undefined is not a function', 'fatal'],
];

describe('a failed transaction', () => {
  it.each(TABLE)('with code %s (%s) means %s', (code, message, meaning) => {
    const error = errorOf(code, message);
    expect(classifyFailure(error)).toBe(meaning);
    expect(isConnectionFailure(error)).toBe(meaning === 'unknown-outcome');
    const isOfDatabase = meaning === 'unknown-outcome' || meaning === 'try-again' || code?.startsWith('XX') === true;
    expect(isUnavailable(error)).toBe(isOfDatabase);
    expect(isStoredDamage(error)).toBe(code === 'P0002');
    expect(isCorrupted(error)).toBe(message.startsWith('a damaged'));
  });

  it('of a file is no connection that broke, whatever its code', () => {
    const error = Object.assign(errorOf('EACCES', 'EACCES: permission denied, open'), { path: '/data/heads/x.json' });
    expect(isConnectionFailure(error)).toBe(false);
    expect(isConnectionFailure(errorOf('EACCES', 'connect EACCES'))).toBe(true);
  });

  it("for a database that is not set up is not the request's", () => {
    expect(isUnavailable(new DatabaseSetupError('gives connections another user'))).toBe(true);
  });

  it('that threw no error object is fatal', () => {
    for (const thrown of [undefined, null, 'connection', 7]) expect(classifyFailure(thrown)).toBe('fatal');
    for (const thrown of [undefined, null, 'connection', 7]) expect(isUnavailable(thrown)).toBe(false);
  });
});

describe('what an error names', () => {
  it('is a SQLSTATE or none, never the code of a system error', () => {
    expect(sqlState(errorOf('23505'))).toBe('23505');
    for (const code of ['EPIPE', 'EBADF', 'EBUSY', 'EPERM', '2350', '235055', '2350a', undefined])
      expect(sqlState(errorOf(code))).toBeUndefined();
    expect(sqlState({ code: 23505 })).toBeUndefined();
  });

  it('is a constraint or none', () => {
    expect(constraintOf({ constraint: 'tokens_live_name' })).toBe('tokens_live_name');
    for (const error of [undefined, {}, { constraint: 1 }]) expect(constraintOf(error)).toBeUndefined();
  });
});
