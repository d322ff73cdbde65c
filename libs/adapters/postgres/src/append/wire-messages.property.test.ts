import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WireMessages } from './wire-messages.ts';

type Serializer = {
  close(closed: { type: string; name: string }): Uint8Array;
  parse(statement: { name: string; text: string; types: readonly number[] }): Uint8Array;
  bind(bound: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): Uint8Array;
  execute(): Uint8Array;
  sync(): Uint8Array;
};
// What pg itself sends with.
const fromPg = createRequire(createRequire(import.meta.url).resolve('pg'));
const { serialize } = fromPg('pg-protocol') as { serialize: Serializer };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('', '\ud800', 'a'.repeat(40), 'a'.repeat(41), 'é'.repeat(40), 'x'.repeat(70_000)),
);
const value = fc.oneof(
  text,
  fc.constant(null),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.uint8Array({ maxLength: 300 }),
  fc.constant(new Uint8Array(70_000)),
);
const name = fc.stringMatching(/^[a-z_0-9]{0,60}$/);
const statement = fc.record({ name, text, values: fc.array(value, { maxLength: 60 }) });

/** Bytes as the Buffers that pg takes for binary. */
function mapValue(mapped: unknown): unknown {
  if (mapped instanceof Uint8Array) return Buffer.from(mapped);
  return typeof mapped === 'number' || typeof mapped === 'boolean' ? String(mapped) : mapped;
}

/** The last word of pg's Bind asks for each result in text by one code; ours by none, which says the same. */
function withoutResultFormat(bind: Uint8Array): Buffer {
  const bytes = Buffer.from(bind.subarray(0, bind.length - 2));
  bytes.writeInt32BE(bytes.length - 1, 1);
  bytes.writeInt16BE(0, bytes.length - 2);
  return bytes;
}

describe('the messages of a transaction', () => {
  it('are byte for byte what pg sends, for every statement and value', () => {
    fc.assert(
      fc.property(
        fc.array(statement, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 100 }),
        (all, size) => {
          const messages = new WireMessages(size);
          const expected: Uint8Array[] = [];
          for (const one of all) {
            messages.close(one.name);
            messages.parse(one);
            messages.bind(one);
            messages.execute();
            const bound = { statement: one.name, values: one.values, valueMapper: mapValue };
            expected.push(serialize.close({ type: 'S', name: one.name }));
            expected.push(serialize.parse({ name: one.name, text: one.text, types: [] }));
            expected.push(withoutResultFormat(serialize.bind(bound)), serialize.execute());
          }
          messages.sync();
          expected.push(serialize.sync());
          expect(Buffer.compare(messages.written(), Buffer.concat(expected))).toBe(0);
        },
      ),
    );
  });

  it.each([[undefined], [{}], [1n]])('refuse %p as a value', (wrong) => {
    const messages = new WireMessages(1_024);
    expect(() => messages.bind({ name: 'n', text: '', values: [wrong] })).toThrow(TypeError);
  });
});
