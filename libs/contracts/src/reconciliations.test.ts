import { describe, expect, it } from '@jest/globals';
import { referenceRequest } from './reconciliations.ts';

describe('the id of a reference', () => {
  const accepts = (id: string) =>
    referenceRequest.safeParse({ reference_id: id, occurred_at: '2026-11-20T00:00:00Z' }).success;

  it('has at most 256 UTF-16 code units, however many characters these are', () => {
    expect(accepts('a'.repeat(256))).toBe(true);
    expect(accepts('a'.repeat(257))).toBe(false);
    expect(accepts('😀'.repeat(128))).toBe(true);
    expect(accepts(`${'😀'.repeat(128)}a`)).toBe(false);
    expect(accepts('😀'.repeat(129))).toBe(false);
  });
});
