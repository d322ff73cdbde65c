import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import * as contracts from './index.ts';
import { referenceRequest } from './reconciliations.ts';
import { createRecordRequest } from './records.ts';
import { atMost } from './text-length.ts';

describe('the length of a text', () => {
  const text = z
    .string()
    .check(atMost(4))
    .regex(/^[^\n]*$/);

  it.each([
    ['aaaa', true],
    ['aaaaa', false],
    ['😀😀', true],
    ['😀😀a', false],
    ['😀😀😀😀', false],
  ])('counts UTF-16 code units, however many characters these are: %s', (value, isShort) => {
    expect(text.safeParse(value).success).toBe(isShort);
  });

  it('is published, and said once where it is broken', () => {
    expect(z.toJSONSchema(text)).toMatchObject({ maxLength: 4 });
    const { error } = text.safeParse('aaaaa');
    expect(error?.issues).toMatchObject([{ code: 'too_big', message: 'must be at most 4 characters' }]);
  });

  it('of ids and keys is that of the formats', () => {
    const reference = (id: string) =>
      referenceRequest.safeParse({ reference_id: id, occurred_at: '2026-11-20T00:00:00Z' }).success;
    const record = (fields: object) =>
      createRecordRequest.safeParse({
        application_key: 'a',
        question: { text: 'q' },
        answer: { text: 'a' },
        ...fields,
      }).success;
    expect(record({})).toBe(true);
    for (const [accepts, max] of [
      [reference, 256],
      [(external_trace_id: string) => record({ external_trace_id }), 256],
      [(actor_id_hash: string) => record({ actor_id_hash }), 256],
      [(application_key: string) => record({ application_key }), 200],
      [(environment: string) => record({ environment }), 200],
      [(mode: string) => record({ mode }), 64],
    ] as const) {
      expect(accepts('😀'.repeat(max / 2))).toBe(true);
      expect(accepts(`${'😀'.repeat(max / 2)}a`)).toBe(false);
    }
  });

  it('is counted so by every schema: none uses the check that counts code points', () => {
    const seen = new Set<unknown>();
    const found: string[] = [];
    let texts = 0;
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      if (value instanceof z.ZodString) {
        texts += 1;
        const checks = (value._zod.def.checks ?? []).map((check) => check._zod.def.check);
        if (checks.includes('max_length') || checks.includes('length_equals')) found.push(path);
      }
      const inner = value instanceof z.ZodType ? value._zod.def : value;
      for (const [name, part] of Object.entries(inner)) walk(part, `${path}/${name}`);
    };
    for (const [name, schema] of Object.entries(contracts)) if (schema instanceof z.ZodType) walk(schema, name);
    expect(texts).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });
});
