import fc from 'fast-check';
import { type Node, resolve } from '../../tools/api/examples/described-api.ts';

/** Stands in every text that the test makes up: it may come back in a success, never in a problem. */
export const MARK = 'zqmark';
/** Stands in every member name that the test makes up: a problem may name it in a pointer, and nowhere else. */
export const KEY_MARK = 'zqkey';

/** Ids that exist, to be asked for. */
export type Pool = readonly string[];

const DEPTH_MAX = 12;

/** Values that fit a JSON Schema of the document more often than not, so that requests also get past the schema. */
export function createArbitraries(document: Node, pool: () => Pool) {
  return { valueOf };

  function valueOf(node: Node, depth = 0): fc.Arbitrary<unknown> {
    // A schema that holds itself goes on for ever.
    if (depth > DEPTH_MAX) return wild;
    const schema = resolve(document, node);
    const fitting = fittingOf(schema, depth);
    // One in twelve is anything at all, at any depth, so a request of ten members mostly has one fault.
    return fc.oneof({ weight: 11, arbitrary: fitting }, { weight: 1, arbitrary: wild });
  }

  function fittingOf(schema: Node, depth: number): fc.Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema['const']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const union = (schema['anyOf'] ?? schema['oneOf']) as Node[] | undefined;
    if (union !== undefined) return fc.oneof(...union.map((member) => valueOf(member, depth + 1)));
    switch (schema['type']) {
      case 'string':
        return textOf(schema);
      case 'integer':
      case 'number':
        return fc.integer({
          min: Math.max(schema['minimum'] ?? 0, -1e9),
          max: Math.min(schema['maximum'] ?? 1000, 1e9),
        });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(valueOf(schema['items'] ?? {}, depth + 1), {
          minLength: schema['minItems'] ?? 0,
          maxLength: 3,
        });
      case 'object':
        return objectOf(schema, depth);
      default:
        return wild;
    }
  }

  function objectOf(schema: Node, depth: number): fc.Arbitrary<unknown> {
    const properties = Object.entries((schema['properties'] ?? {}) as Node);
    if (properties.length === 0) return schema['additionalProperties'] === false ? fc.constant({}) : openObject;
    const model = Object.fromEntries(properties.map(([name, member]) => [name, valueOf(member as Node, depth + 1)]));
    const needed = (schema['required'] ?? []) as string[];
    // Optional members are mostly left out: many together mostly contradict one another.
    const optional = properties.map(([name]) => name).filter((name) => !needed.includes(name));
    return fc
      .tuple(fc.record(model), fc.subarray(optional, { maxLength: Math.min(3, optional.length) }), fc.nat({ max: 30 }))
      .map(([whole, kept, dice]) => {
        const names = [...(dice > 0 ? needed : needed.slice(1)), ...kept];
        const value = Object.fromEntries(names.map((name) => [name, whole[name]]));
        return dice === 30 ? { ...value, [`${KEY_MARK}extra`]: MARK } : value;
      });
  }

  function textOf(schema: Node): fc.Arbitrary<string> {
    if (schema['format'] === 'uuid') {
      const known = fc
        .nat()
        .map((n) => pool()[n % Math.max(1, pool().length)] ?? '0199f3c2-1111-7000-8000-000000000001');
      return fc.oneof({ weight: 3, arbitrary: known }, { weight: 1, arbitrary: fc.uuid({ version: 7 }) });
    }
    if (schema['format'] === 'date-time')
      return fc
        .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
        .map((at) => at.toISOString());
    if (schema['contentEncoding'] === 'base64')
      return fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => btoa(String.fromCharCode(...bytes))),
        fc.constantFrom('', btoa('{}'), MARK),
      );
    const pattern = schema['pattern'] as string | undefined;
    // Patterns of plain characters are made; one that only forbids some is left to chance.
    if (pattern !== undefined && !/\[\^|\(\?/.test(pattern)) return fc.stringMatching(new RegExp(pattern));
    const length = Math.min(schema['maxLength'] ?? 40, 40) - MARK.length;
    const made = fc.string({ maxLength: Math.max(0, length) }).map((text) => `${MARK}${text.replace(/\p{Cc}/gu, '')}`);
    return fc.oneof({ weight: 2, arbitrary: made }, { weight: 3, arbitrary: fc.constantFrom(...MEANINGFUL) });
  }
}

/** Texts that mean something somewhere. */
const MEANINGFUL = [
  'support-bot',
  'production',
  'demo',
  'checkpoint',
  'tile/0/000.p/3',
  'tile/entries/000.p/2',
  'quorum none\n',
];

const strangeText = fc.constantFrom(
  '',
  `${MARK}\u0000`,
  `${MARK}\ud800`,
  `${MARK}\u202e\u200b`,
  `${MARK}'; drop table records; --`,
  `<script>${MARK}</script>`,
  `${MARK}${'é'.repeat(500)}`,
  `../../${MARK}`,
  `${MARK}\r\nX-Injected: 1`,
  '\ufeff',
  '0199F3C2-1111-7000-8000-000000000001',
  '2026-13-45T99:99:99Z',
  'sha256:xyz',
);

const openObject = fc
  .dictionary(
    fc.constantFrom('source_name', `${KEY_MARK}a`, `${KEY_MARK}~/b`, '__proto__', 'constructor', ''),
    fc.oneof(fc.constant(MARK), fc.integer(), fc.constant(null), fc.array(fc.boolean(), { maxLength: 2 })),
    { maxKeys: 4 },
  )
  .map((value) => ({ ...value }));

const wild: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  openObject,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 53), [], {}, [[[]]], [MARK, MARK]),
);

/** Texts for places that only hold text: path segments, query parameters, headers. */
export const wildText: fc.Arbitrary<string> = fc.oneof(
  strangeText,
  fc.string({ maxLength: 20 }).map((text) => MARK + text),
);
