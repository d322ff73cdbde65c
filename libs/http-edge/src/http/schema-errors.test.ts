import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { dateTime, textOrHash } from '@answer-evidence/contracts';
import { IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import { bodyViolation, pathViolation, queryViolation } from './schema-errors.ts';

const schema = z.strictObject({
  application_key: z.string().min(1).max(5).optional(),
  kind: z.enum(['a', 'b']),
  one: z.literal(true).optional(),
  count: z.int().min(2).max(9).optional(),
  list: z.array(z.boolean()).min(1).max(2).optional(),
  question: textOrHash.optional(),
  at: dateTime.optional(),
  either: z.union([z.string(), z.null()]).optional(),
  open: z.record(z.string(), z.number()).optional(),
  anchor: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('file') }),
      z.strictObject({ type: z.literal('rfc3161'), url: z.string() }),
    ])
    .optional(),
});

function faultsOf(value: object): readonly string[] {
  const parsed = schema.safeParse({ kind: 'a', ...value }, IN_OUR_WORDS);
  if (parsed.success) return [];
  return bodyViolation(parsed.error.issues).errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

describe('a body that does not fit its schema is told', () => {
  it.each<[object, string]>([
    [{ kind: undefined }, '/kind is required'],
    [{ kind: 'c' }, '/kind must be one of "a", "b"'],
    [{ one: false }, '/one must be true'],
    [{ application_key: 7 }, '/application_key must be a string'],
    [{ application_key: '' }, '/application_key must not be empty'],
    [{ application_key: '123456' }, '/application_key must be at most 5 characters'],
    [{ count: '3' }, '/count must be a number'],
    [{ count: 2.5 }, '/count must be an integer'],
    [{ count: 1 }, '/count must be at least 2'],
    [{ count: 10 }, '/count must be at most 9'],
    [{ list: {} }, '/list must be an array'],
    [{ list: [] }, '/list must not be empty'],
    [{ list: [true, true, true] }, '/list must have at most 2 items'],
    [{ list: [1] }, '/list/0 must be true or false'],
    [{ question: 'q' }, '/question must be an object such as {"text": "…"}'],
    [{ question: {} }, '/question must have text, hash or both'],
    [{ question: { txt: 'q' } }, '/question/txt is an unknown field; did you mean text?'],
    [{ question: { value: 'q' } }, '/question/value is an unknown field; use one of text, hash'],
    [{ applicationKey: 'a' }, '/applicationKey is an unknown field; did you mean application_key?'],
    [
      { question: { text: 'q' }, at_time: 1 },
      `/at_time is an unknown field; use one of ${Object.keys(schema.shape).join(', ')}`,
    ],
    [{ anchor: {} }, '/anchor/type is required: one of "file", "rfc3161"'],
    [{ anchor: { kind: 'file' } }, '/anchor/type is required: one of "file", "rfc3161"'],
    [{ anchor: { type: 'RFC3161' } }, '/anchor/type must be one of "file", "rfc3161"; did you mean "rfc3161"?'],
    [{ anchor: { type: 7 } }, '/anchor/type must be one of "file", "rfc3161"'],
    [{ anchor: 'file' }, '/anchor must be an object'],
    [
      { at: '2026-11-20' },
      '/at must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00Z or 2026-11-20T10:00:00+01:00',
    ],
    [{ either: 7 }, '/either must have the form that GET /api/openapi.json describes'],
    [{ open: { a: 'x' } }, '/open/a must be a number'],
  ])('of %j: %s', (value, fault) => {
    expect(faultsOf(value)).toContain(fault);
  });
});

it('a name that was misspelt comes before the one that it leaves missing', () => {
  expect(faultsOf({ kind: undefined, kindd: 'a' })).toEqual([
    '/kindd is an unknown field; did you mean kind?',
    '/kind is required',
  ]);
});

it('of many names none is listed', () => {
  const many = z.strictObject(
    Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field_${n}`, z.string().optional()])),
  );
  const parsed = many.safeParse({ other: 1 }, IN_OUR_WORDS);
  expect(bodyViolation(parsed.error?.issues ?? []).errors[0]?.detail).toBe('is an unknown field; leave it out');
});

it('an offset that was not escaped in a query is told from other mistakes in a time', () => {
  const faultOf = (at: string) => {
    const parsed = z.strictObject({ at: dateTime }).safeParse({ at }, IN_OUR_WORDS);
    return queryViolation(parsed.error?.issues ?? []).errors[0]?.detail;
  };
  expect(faultOf('2026-11-20T09:00:00 01:00')).toMatch(/; in a query, write \+ as %2B$/);
  expect(faultOf('yesterday')).not.toContain('%2B');
});

it('a parameter of a path is named, and what was sent for it is not', () => {
  const parsed = z.strictObject({ run_id: z.uuid('must be a UUID') }).safeParse({ run_id: 'marker' }, IN_OUR_WORDS);
  const { code, message } = pathViolation(parsed.error?.issues ?? []);
  expect([code, message]).toEqual([
    'not_found',
    'no resource exists at this path; check it: run_id in the path must be a UUID',
  ]);
});
