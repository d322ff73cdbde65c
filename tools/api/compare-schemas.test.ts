import { describe, expect, it } from '@jest/globals';
import type { JsonNode } from './changes.ts';
import { compareSchemas, type Direction } from './compare-schemas.ts';

const DIRECTIONS: readonly Direction[] = ['request', 'response', 'stored'];

/** The directions in which the change lets somebody down. */
function breaks(before: JsonNode, after: JsonNode): readonly Direction[] {
  return DIRECTIONS.filter((direction) =>
    compareSchemas({ direction, before, after }, before, after, '').some(({ kind }) => kind === 'breaking'),
  );
}

const text = { type: 'string' };
const object = (properties: JsonNode, required: readonly string[] = [], more: JsonNode = {}): JsonNode => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
});
const nullable = (schema: JsonNode): JsonNode => ({ anyOf: [schema, { type: 'null' }] });
const all = DIRECTIONS;

const PAIRS: readonly (readonly [string, JsonNode, JsonNode, readonly Direction[]])[] = [
  ['nothing', object({ a: text }, ['a']), object({ a: text }, ['a']), []],
  ['only words', { ...text, description: 'a' }, { ...text, description: 'b' }, []],
  ['another type', text, { type: 'integer' }, all],
  ['an integer that becomes a number', { type: 'integer' }, { type: 'number' }, ['response', 'stored']],
  ['a number that becomes an integer', { type: 'number' }, { type: 'integer' }, ['request', 'stored']],
  ['a new optional member', object({ a: text }), object({ a: text, b: text }), []],
  ['a new required member', object({ a: text }), object({ a: text, b: text }, ['b']), ['request', 'stored']],
  ['a member that is gone', object({ a: text, b: text }), object({ a: text }), all],
  ['a member that becomes required', object({ a: text }), object({ a: text }, ['a']), ['request', 'stored']],
  ['a member that becomes optional', object({ a: text }, ['a']), object({ a: text }), ['response', 'stored']],
  ['a change deep inside', object({ a: object({ b: text }) }), object({ a: object({ b: { type: 'null' } }) }), all],
  ['a change in a list', { type: 'array', items: text }, { type: 'array', items: { type: 'null' } }, all],
  ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, ['response', 'stored']],
  [
    'a value more of an open list',
    { enum: ['a'], 'x-open-values': true },
    { enum: ['a', 'b'], 'x-open-values': true },
    [],
  ],
  ['another form', object({ a: text }), { oneOf: [object({ a: text }), { type: 'null' }] }, ['response']],
  [
    'another form for callers who ask for it',
    object({ a: text }),
    { oneOf: [object({ a: text }), { type: 'null', 'x-asked-by': 'b=c' }] },
    [],
  ],
  ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, all],
  [
    'a value less of an open list',
    { enum: ['a', 'b'], 'x-open-values': true },
    { enum: ['a'], 'x-open-values': true },
    all,
  ],
  [
    'a list that calls itself open now',
    { enum: ['a'] },
    { enum: ['a', 'b'], 'x-open-values': true },
    ['response', 'stored'],
  ],
  ['another constant', { const: 'v1' }, { const: 'v2' }, all],
  ['a set of values where any was allowed', text, { type: 'string', enum: ['a'] }, ['request', 'stored']],
  ['any value where a set was allowed', { type: 'string', enum: ['a'] }, text, ['response', 'stored']],
  ['a longer limit', { ...text, maxLength: 10 }, { ...text, maxLength: 20 }, ['response']],
  ['a shorter limit', { ...text, maxLength: 20 }, { ...text, maxLength: 10 }, ['request', 'stored']],
  ['a new limit', text, { ...text, maxLength: 10 }, ['request', 'stored']],
  ['a limit that is gone', { type: 'integer', minimum: 1 }, { type: 'integer' }, ['response']],
  ['another pattern', { ...text, pattern: '^a$' }, { ...text, pattern: '^b$' }, all],
  [
    'another spelling of a pattern',
    { ...text, pattern: String.raw`^\P{Cc}*\d$` },
    { ...text, pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*[0-9]$` },
    [],
  ],
  [
    'a pattern that takes digits in upper case too',
    { ...text, pattern: '^[0-9a-f]{2}$' },
    { ...text, pattern: '^[0-9a-fA-F]{2}$' },
    ['response', 'stored'],
  ],
  [
    'a pattern that takes no digits in upper case any more',
    { ...text, pattern: '^[0-9a-fA-F]{2}$' },
    { ...text, pattern: '^[0-9a-f]{2}$' },
    all,
  ],
  ['a new pattern', text, { ...text, pattern: '^a$' }, ['request', 'stored']],
  ['a pattern that is gone', { ...text, pattern: '^a$' }, text, ['response', 'stored']],
  ['another default', { ...text, default: 'a' }, { ...text, default: 'b' }, ['request']],
  ['another default of what may be null', { ...nullable(text), default: 'a' }, nullable(text), ['request']],
  ['a default where none was', text, { ...text, default: 'a' }, []],
  [
    'a keyword that nothing here reads',
    { type: 'object', propertyNames: text },
    { type: 'object', propertyNames: { enum: ['a'] } },
    all,
  ],
  ['a remark of ours', { ...text, 'x-note': 1 }, { ...text, 'x-note': 2 }, []],
  ['null as well', text, nullable(text), ['response']],
  ['null no more', nullable(text), text, all],
  ['the same members in another order', nullable(text), { anyOf: [{ type: 'null' }, text] }, []],
  ['a list of types for a union', nullable(text), { type: ['string', 'null'] }, []],
  ['members of any name', object({}), object({}, [], { additionalProperties: {} }), ['response', 'stored']],
  ['no members of other names', object({}, [], { additionalProperties: {} }), object({}), ['request', 'stored']],
];

describe('comparing schemas', () => {
  it.each(PAIRS)('knows whom it lets down: %s', (_, before, after, expected) => {
    expect(breaks(before, after)).toEqual(expected);
  });

  it('follows references, also of a schema that holds itself', () => {
    const tree = (leaf: JsonNode): JsonNode => ({
      $ref: '#/$defs/tree',
      $defs: { tree: object({ leaf, children: { type: 'array', items: { $ref: '#/$defs/tree' } } }) },
    });
    expect(breaks(tree(text), tree(text))).toEqual([]);
    expect(breaks(tree(text), tree({ type: 'null' }))).toEqual(all);
  });

  it('says where, and reports what lets nobody down as an addition', () => {
    const before = object({ a: object({ b: text }) });
    const after = object({ a: object({ c: text }) });
    expect(compareSchemas({ direction: 'response', before, after }, before, after, 'root')).toEqual([
      { kind: 'breaking', at: 'root/a/b', text: 'is gone' },
      { kind: 'addition', at: 'root/a/c', text: 'is new' },
    ]);
  });
});
