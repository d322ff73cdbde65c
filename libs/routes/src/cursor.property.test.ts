import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '@answer-evidence/contracts';
import { createMacVault } from '../fixtures/mac-vault.ts';
import { formatCursor, parseCursor } from './cursor.ts';

const vault = createMacVault('0199f3c2-0000-7000-8000-000000000001');
const position = fc.record({ leaf: fc.maxSafeNat(), page: fc.integer({ min: 1, max: 1_000_000 }) });
const filters = fc.dictionary(
  fc.constantFrom('application_key', 'environment', 'mode'),
  fc.string({ unit: 'grapheme' }),
);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+ ';

function codeOf(action: () => unknown): string {
  try {
    action();
    return 'accepted';
  } catch (error) {
    return error instanceof ServiceError ? error.code : 'another error';
  }
}

describe('a cursor', () => {
  it('leads back to its position in its list, whatever the order of the filters', () => {
    fc.assert(
      fc.property(position, filters, (at, wanted) => {
        const reordered = Object.fromEntries(Object.entries(wanted).reverse());
        expect(parseCursor(vault, reordered, formatCursor(vault, wanted, at))).toEqual(at);
      }),
    );
  });

  it('is refused with any character changed, dropped or added', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.constantFrom(...ALPHABET), (at, place, character) => {
        const cursor = formatCursor(vault, {}, at);
        const n = place % cursor.length;
        const [head, tail] = [cursor.slice(0, n), cursor.slice(n + 1)];
        fc.pre(cursor.charAt(n) !== character);
        for (const altered of [head + character + tail, head + tail, cursor + character])
          expect(codeOf(() => parseCursor(vault, {}, altered))).toBe('cursor_not_valid');
      }),
    );
  });

  it('is refused for other filters, another workspace, and when it was never made', () => {
    const other = createMacVault('0199f3c2-0000-7000-8000-000000000002');
    fc.assert(
      fc.property(position, filters, filters, fc.string(), (at, wanted, others, text) => {
        const cursor = formatCursor(vault, wanted, at);
        fc.pre(JSON.stringify(Object.entries(wanted).sort()) !== JSON.stringify(Object.entries(others).sort()));
        expect(codeOf(() => parseCursor(vault, others, cursor))).toBe('cursor_not_valid');
        expect(codeOf(() => parseCursor(other, wanted, cursor))).toBe('cursor_not_valid');
        expect(codeOf(() => parseCursor(vault, wanted, text))).toBe('cursor_not_valid');
      }),
    );
  });
});
