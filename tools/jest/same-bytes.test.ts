import { expect, it } from '@jest/globals';
import { sameBytes } from './same-bytes.ts';

it('takes bytes for the same only if all of them are, in arrays of one kind', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  expect(sameBytes(bytes, Uint8Array.of(1, 2, 3))).toBe(true);
  for (const other of [
    Uint8Array.of(1, 2, 4),
    Uint8Array.of(1, 2),
    Uint8Array.of(),
    Buffer.from(bytes),
    [1, 2, 3],
    null,
  ])
    expect(sameBytes(bytes, other)).toBeUndefined();
});

it('leaves what differs to Jest, which still refuses it', () => {
  const stored = { hash: Uint8Array.of(1, 2, 3) };
  expect(stored).toEqual({ hash: Uint8Array.of(1, 2, 3) });
  expect(() => expect(stored).toEqual({ hash: Uint8Array.of(1, 2, 4) })).toThrow('toEqual');
  expect(() => expect(stored).not.toEqual({ hash: Uint8Array.of(1, 2, 3) })).toThrow('toEqual');
});
