import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { echoOptionalRoute, echoRoute } from '../fixtures/routes.ts';

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([echoRoute, echoOptionalRoute]);
});
afterAll(() => edge.close());

async function problemOf(body: BodyInit, headers: Readonly<Record<string, string>> = {}) {
  const response = await edge.post('/echo', body, headers);
  const json: unknown = await response.json();
  return { status: response.status, body: json };
}

describe('a JSON body', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"; v=1'])(
    'is read as %s',
    async (type) => {
      const response = await edge.post('/echo', '{"name":"é"}', { 'content-type': type });
      expect([response.status, await response.json()]).toEqual([200, { name: 'é' }]);
    },
  );

  it.each([
    ['text/plain', {}],
    ['application/jsonp', {}],
    ['application/problem+json', {}],
    ['application/json; charset=latin1', {}],
    ['application/json; charset=utf-8; charset=utf-16', {}],
    ['application/json, text/plain', {}],
    ['application/json', { 'content-encoding': 'br' }],
    ['application/json', { 'content-encoding': 'identity, br' }],
  ])('as %s with %j is 415', async (type, headers) => {
    const problem = await problemOf('{}', { 'content-type': type, ...headers });
    expect(problem).toMatchObject({ status: 415, body: { code: 'media_type_not_supported' } });
  });

  it('may say that it is not encoded', async () => {
    expect((await edge.post('/echo', '{}', { 'content-encoding': 'Identity' })).status).toBe(200);
  });

  it('of no type is 415', async () => {
    const problem = await problemOf(new Uint8Array([0x7b, 0x7d]), { 'content-type': '' });
    expect(problem.status).toBe(415);
  });

  it.each([
    ['nothing', ''],
    ['half of an object', '{"name":'],
    ['two documents', '{}{}'],
    ['a byte order mark', '\uFEFF{}'],
    ['a comment', '{}//'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xc3, 0x28, 0x22)],
    ['an overlong form', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ])('that is %s is 400', async (_, body) => {
    expect(await problemOf(body)).toMatchObject({ status: 400, body: { code: 'malformed_json', errors: [] } });
  });

  it.each([
    ['{"name":"a","name":"b"}', 'duplicate_key', '/name'],
    ['{"open":[{"a":{"b":1,"\\u0062":2}}]}', 'duplicate_key', '/open/0/a/b'],
    ['{"count":1e400}', 'number_out_of_range', '/count'],
    ['{"count":9007199254740993}', 'number_out_of_range', '/count'],
    ['{"name":"\\u0000"}', 'nul_character', '/name'],
    ['{"name":"\\ud800"}', 'lone_surrogate', '/name'],
    ['{"question":{"hash":"md5:1"}}', 'schema_violation', '/question/hash'],
    ['{"question":{}}', 'schema_violation', '/question/hash'],
    ['{"x":1}', 'schema_violation', '/x'],
    ['{"a/b~c":1}', 'schema_violation', '/a~1b~0c'],
    ['{"__proto__":{"name":"a"}}', 'schema_violation', '/__proto__'],
    ['{"constructor":{}}', 'schema_violation', '/constructor'],
    ['{"open":[1]}', 'schema_violation', '/open/0'],
    ['[]', 'schema_violation', ''],
    ['null', 'schema_violation', ''],
  ])('%s is 422 %s at "%s"', async (text, code, pointer) => {
    expect(await problemOf(text)).toMatchObject({ status: 422, body: { code, errors: [{ pointer }] } });
  });

  it('that nests too deep is 422', async () => {
    const problem = await problemOf(`{"open":[${'{"a":'.repeat(100)}1${'}'.repeat(100)}]}`);
    expect(problem).toMatchObject({ status: 422, body: { code: 'nesting_too_deep' } });
  });

  it('is told which values an enumeration takes, and which field is missing', async () => {
    const kind = await problemOf('{"kind":"c"}');
    expect(kind.body).toMatchObject({ errors: [{ detail: expect.stringMatching(/"a".*"b"/) }] });
    const hash = await problemOf('{"question":{}}');
    expect(hash.body).toMatchObject({ errors: [{ detail: 'is required' }] });
  });

  it('gets at most 20 faults, and of a long key only a part', async () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`k${i}`, 1]));
    expect(await problemOf(JSON.stringify(many))).toMatchObject({ body: { errors: { length: 20 } } });
    const long = await problemOf(`{"${'/'.repeat(300)}":1}`);
    expect(long).toMatchObject({ body: { errors: [{ pointer: `/${'~1'.repeat(100)}` }] } });
    const deep = await problemOf(`{"open":[{"${'k'.repeat(300)}":1e999}]}`);
    expect(deep).toMatchObject({ body: { errors: [{ pointer: `/open/0/${'k'.repeat(100)}` }] } });
  });

  it('keeps every key of an open object, whatever it is called', async () => {
    const text = '{"open":[{"__proto__":{"admin":true},"constructor":{"name":"x"},"toString":1,"":0}]}';
    const response = await edge.post('/echo', text);
    expect([response.status, await response.text()]).toEqual([200, text]);
  });

  it('may be left out only where the route says so', async () => {
    for (const init of [{ method: 'POST' }, { method: 'POST', body: '' }]) {
      const response = await edge.send('/echo-optional', init);
      expect([response.status, await response.json()]).toEqual([200, {}]);
      const needed = await edge.send('/echo', init);
      expect([needed.status, await needed.json()]).toMatchObject([400, { code: 'malformed_json' }]);
    }
    expect((await edge.post('/echo-optional', '{"x":1}')).status).toBe(422);
  });
});
