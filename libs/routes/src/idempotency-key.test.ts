import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { idempotencyKeyOf } from './idempotency-key.ts';

function codeOf(action: () => unknown): string {
  try {
    action();
    return 'accepted';
  } catch (error) {
    return error instanceof ServiceError ? error.code : 'another error';
  }
}

describe('idempotencyKeyOf', () => {
  it.each([
    [undefined, undefined, null],
    ['k', undefined, 'k'],
    [undefined, 'k', 'k'],
    [undefined, '"k"', 'k'],
    ['k', 'k', 'k'],
    ['k', '"k"', 'k'],
    ['a"b\\c', '"a\\"b\\\\c"', 'a"b\\c'],
    [undefined, 'a"b', 'a"b'],
    [undefined, '"a', '"a'],
    [undefined, 'k'.repeat(200), 'k'.repeat(200)],
  ])('reads body %j and header %j as %j', (body, header, key) => {
    expect(idempotencyKeyOf(body, header)).toBe(key);
  });

  it.each([
    ['k', 'other'],
    ['k', 'K'],
    ['k', '"k "'],
    ['"k"', '"k"'],
  ])('refuses body %j beside header %j', (body, header) => {
    expect(codeOf(() => idempotencyKeyOf(body, header))).toBe('idempotency_key_mismatch');
  });

  it.each(['', '""', 'k'.repeat(201), `"${'k'.repeat(201)}"`, 'a\tb'])('refuses the header %j', (header) => {
    expect(codeOf(() => idempotencyKeyOf(undefined, header))).toBe('schema_violation');
  });
});
