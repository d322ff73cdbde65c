import fc from 'fast-check';
import type { Node, Operation } from '../../tools/api/examples/described-api.ts';
import { createArbitraries, MARK, type Pool, wildText } from './arbitraries.ts';

/** A request as it is sent. */
export type FuzzRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Who asks: the bearer tokens of the test. */
export type Tokens = { readonly manager: string; readonly application: string };

/** Requests of one operation: mostly ones that the document allows, as a manager. */
export function createRequests(
  document: Node,
  operation: Operation,
  tokens: Tokens,
  pool: () => Pool,
): fc.Arbitrary<FuzzRequest> {
  const { valueOf } = createArbitraries(document, pool);
  const { parameters, body } = operation;
  const textsOf = (place: string): fc.Arbitrary<Record<string, string>> =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [
            name,
            fc.oneof({ weight: 12, arbitrary: valueOf(schema) }, { weight: 1, arbitrary: wildText }).map(String),
          ]),
      ),
    );
  const needed = new Set(parameters.filter(({ required }) => required).map(({ name }) => name));
  return fc
    .record({
      path: textsOf('path'),
      query: textsOf('query'),
      kept: fc.subarray(parameters.map(({ name }) => name)),
      stray: fc.nat({ max: 40 }),
      authorization: authorizationOf(tokens),
      headers: fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: strangeHeaders }),
      body: body === undefined ? fc.constant(undefined) : bodyOf(valueOf(body.schema)),
    })
    .map(({ path, query, kept, stray, authorization, headers, body }) => {
      const search = new URLSearchParams(
        Object.entries(query)
          .filter(([name]) => needed.has(name) || kept.includes(name))
          .map(([name, value]): [string, string] => [name, value.toWellFormed()]),
      );
      if (stray === 0) search.append('stray', MARK);
      const text = search.toString();
      return {
        method: operation.method,
        url: fillPath(operation.path, path) + (text === '' ? '' : `?${text}`),
        headers: {
          ...authorization,
          ...(body === undefined ? {} : { 'content-type': body.type }),
          ...headers,
        },
        body: body?.text,
      };
    });
}

function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = encodeURIComponent((values[name] ?? '').toWellFormed());
    // An empty segment is another path, and fetch resolves dots away before anything is sent.
    return value === '' || value === '.' || value === '..' ? '-' : value;
  });
}

function authorizationOf(tokens: Tokens): fc.Arbitrary<Record<string, string>> {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(bearer(tokens.manager)) },
    { weight: 3, arbitrary: fc.constant(bearer(tokens.application)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>({}, bearer(MARK), { authorization: `Basic ${MARK}` }),
    },
  );
}

const strangeHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { 'idempotency-key': `${MARK}1` },
  { 'idempotency-key': '' },
  { 'if-match': '"v1"' },
  { 'if-match': MARK },
  { 'if-match': '*' },
  { 'service-version': '2026-07-31' },
  { 'service-version': MARK },
  { 'content-encoding': 'gzip' },
  { accept: 'text/html' },
  { range: 'bytes=0-1' },
);

type Body = { readonly text: string; readonly type: string };

function bodyOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const json = value.map((body) => JSON.stringify(body));
  const damaged = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'null',
      '[]',
      `"${MARK}"`,
      '{',
      '{}x',
      `{"${MARK}":1,"${MARK}":2}`,
      '\ufeff{}',
      'NaN',
      '{"a":1e999}',
    ),
    fc.constant('['.repeat(200) + ']'.repeat(200)),
    json.map((text) => text.slice(0, -1)),
  );
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        'application/json; charset=latin1',
        'application/x-www-form-urlencoded',
        MARK,
      ),
    },
  );
  return fc.record({
    text: fc.oneof({ weight: 12, arbitrary: json }, { weight: 1, arbitrary: damaged }),
    type,
  });
}
