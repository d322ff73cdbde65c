import { describe, expect, it } from '@jest/globals';
import { classifyFailure, isConnectionFailure, sqlState } from './failures.ts';

function failure(code: string | undefined, message = 'failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('a failed transaction', () => {
  it.each(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', '08006', '57P01', '57P03', '25P03'])(
    'may have been kept when the connection broke (%s)',
    (code) => {
      expect(isConnectionFailure(failure(code))).toBe(true);
      expect(classifyFailure(failure(code))).toBe('unknown-outcome');
    },
  );

  it.each(['Connection terminated unexpectedly', 'Client has encountered a connection error and is not queryable'])(
    'may have been kept when pg says "%s"',
    (message) => {
      expect(classifyFailure(failure(undefined, message))).toBe('unknown-outcome');
    },
  );

  it.each([
    ['23505', 'guilty-request'],
    ['22P02', 'guilty-request'],
    ['40001', 'try-again'],
    ['40P01', 'try-again'],
    ['55P03', 'try-again'],
    ['57014', 'try-again'],
    ['53300', 'try-again'],
    ['42P01', 'fatal'],
    ['XX000', 'fatal'],
  ] as const)('was not kept when the server refused it: %s is %s', (code, expected) => {
    expect(classifyFailure(failure(code))).toBe(expected);
    expect(sqlState(failure(code))).toBe(code);
  });

  it('is a bug when nobody refused it and no connection broke', () => {
    expect(classifyFailure(failure(undefined, 'undefined is not a function'))).toBe('fatal');
    expect(classifyFailure('a string')).toBe('fatal');
  });

  it('has no SQLSTATE when the system refused it', () => {
    for (const code of ['EPIPE', 'EBUSY', 'EPERM', 'ENOENT']) expect(sqlState(failure(code))).toBeUndefined();
  });
});
