import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { replyRoute, searchRoute } from '../fixtures/routes.ts';

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([searchRoute, replyRoute('/plain', { status: 200, body: {} })]);
});
afterAll(() => edge.close());

describe('a query', () => {
  it.each([
    ['', {}],
    ['?', {}],
    ['?name=', { name: '' }],
    ['?name=a+b%20%C3%A9', { name: 'a b é' }],
    ['?created_after=2026-01-01T00:00:00Z', { created_after: '2026-01-01T00:00:00Z' }],
  ])('"%s" reaches the handler parsed', async (query, parsed) => {
    const response = await edge.send(`/search${query}`);
    expect([response.status, await response.json()]).toEqual([200, parsed]);
  });

  it.each([
    ['/search?name=a&name=a', '?name', 'schema_violation'],
    ['/search?created_after=1&created_after=2', '?created_after', 'schema_violation'],
    ['/search?created_after=yesterday', '?created_after', 'schema_violation'],
    ['/search?page=1', '?page', 'schema_violation'],
    ['/search?__proto__=1', '?__proto__', 'schema_violation'],
    ['/search?constructor=1', '?constructor', 'schema_violation'],
    ['/search?name[]=1', '?name[]', 'schema_violation'],
    ['/search?=1', '?', 'schema_violation'],
    ['/plain?x=1', '?x', 'schema_violation'],
  ])('%s is 422 at %s', async (path, pointer, code) => {
    const response = await edge.send(path);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code, errors: [{ pointer }] });
  });

  it.each([
    ['/search?name=%ff', '?name'],
    ['/search?name=a%C3', '?name'],
    ['/search?name=%ED%A0%80', '?name'],
    ['/search?name=%C0%80', '?name'],
    ['/search?name=100%', '?name'],
    ['/search?name=%zz', '?name'],
    ['/search?created_after=1&n%C3%A9e=%ff', '?née'],
    ['/search?%ff=1', '?%ff'],
    ['/plain?x=%ff', '?x'],
  ])('%s is 400 at %s: what is no UTF-8 is never replaced', async (path, pointer) => {
    const response = await edge.send(path);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_request', errors: [{ pointer }] });
  });

  it('with U+FFFD that was sent as such reaches the handler', async () => {
    const response = await edge.send('/search?name=%EF%BF%BD%25');
    expect([response.status, await response.json()]).toEqual([200, { name: '\uFFFD%' }]);
  });

  it('with U+0000 is 422', async () => {
    const response = await edge.send('/search?name=a%00b');
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'nul_character' }]);
  });

  it('hides no parameter behind many others', async () => {
    const response = await edge.send(`/search?${'a&'.repeat(1500)}name=x&name=y`);
    expect(response.status).toBe(422);
  });

  it('lists at most 20 faults, and of a long key only a part', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `k${i}=1`).join('&');
    expect(await (await edge.send(`/search?${many}`)).json()).toMatchObject({ errors: { length: 20 } });
    const long: unknown = await (await edge.send(`/search?${'k'.repeat(500)}=1`)).json();
    expect(long).toMatchObject({ errors: [{ pointer: `?${'k'.repeat(100)}` }] });
  });
});
