import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { pageOf, pageQuery } from '@answer-evidence/contracts';
import { defineRoute } from '@answer-evidence/routes';
import { type OpenEdge, openEdge } from '../fixtures/open-edge.ts';
import { replyRoute } from '../fixtures/routes.ts';
import { sendRaw } from '../fixtures/send-raw.ts';

/** How many pages there are by cursor, after the first. */
const PAGES = 2;
const filters = z.strictObject({ name: z.string().optional() });
const responses = { 200: { description: 'One page', schema: pageOf(z.int()) } };
const envelope = { items: [], size: 10, total: 10_000, total_relation: 'gte' } as const;

const byCursor = defineRoute({
  method: 'GET',
  path: '/by-cursor',
  operationId: 'listByCursor',
  summary: 'List',
  access: 'public',
  query: filters.extend(pageQuery.shape),
  responses,
  handle({ query: { page = 1, cursor } }) {
    const at = cursor === undefined ? page : Number(cursor.slice(1));
    const body = { ...envelope, page: at, next_cursor: at > PAGES ? null : `+${at + 1}` };
    return Promise.resolve({ status: 200, body });
  },
});
const byNumber = defineRoute({
  method: 'GET',
  path: '/by-number',
  operationId: 'listByNumber',
  summary: 'List',
  access: 'public',
  query: filters.extend(pageQuery.omit({ cursor: true }).shape),
  responses,
  handle: ({ query: { page = 1, size = 10 } }) =>
    Promise.resolve({ status: 200, body: { ...envelope, page, size, next_cursor: null } }),
});
const created = replyRoute('/created', { status: 201, headers: { Location: '/things/1' } }, 'public');

let edge: OpenEdge;
let prefixed: OpenEdge;
beforeAll(async () => {
  const routes = [byCursor, byNumber, { ...created, responses: { 201: { description: 'Created' } } }];
  edge = await openEdge(routes);
  prefixed = await openEdge(routes, { basePath: '/evidence' });
});
afterAll(() => Promise.all([edge.close(), prefixed.close()]));

const linkOf = async (on: OpenEdge, path: string) => (await on.send(path)).headers.get('link');

describe('Link', () => {
  it('leads through all pages by cursor, with the filters, from a numbered page too', async () => {
    const filter = new URLSearchParams({ name: 'a b>"; rel="x' }).toString();
    const second = await linkOf(edge, `/by-cursor?${filter}&size=10&page=1`);
    expect(second).toBe(`</by-cursor?${filter}&size=10&cursor=%2B2>; rel="next"`);
    const third = await linkOf(edge, /<(.*)>/.exec(second ?? '')?.[1] ?? '');
    expect(third).toBe(`</by-cursor?${filter}&size=10&cursor=%2B3>; rel="next"`);
    expect(await linkOf(edge, /<(.*)>/.exec(third ?? '')?.[1] ?? '')).toBeNull();
  });

  it('counts pages where there is no cursor, as far as page numbers reach', async () => {
    expect(await linkOf(edge, '/by-number')).toBe('</by-number?page=2>; rel="next"');
    expect(await linkOf(edge, '/by-number?page=999&name=a')).toBe('</by-number?name=a&page=1000>; rel="next"');
    expect(await linkOf(edge, '/by-number?page=1000')).toBeNull();
    expect(await linkOf(edge, '/by-number?page=55&size=180')).toBeNull();
  });

  it('is the same for HEAD, and for a request that names the host in its target', async () => {
    expect((await edge.send('/by-cursor', { method: 'HEAD' })).headers.get('link')).toContain('cursor=%2B2');
    const head = 'GET http://elsewhere.example/by-cursor?size=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(edge.port, head)).toContain('Link: </by-cursor?size=1&cursor=%2B2>; rel="next"');
  });
});

describe('the path of the public address', () => {
  it('stands before the paths that replies name', async () => {
    expect(await linkOf(prefixed, '/by-cursor')).toMatch(/^<\/evidence\/by-cursor\?/);
    expect((await prefixed.send('/created')).headers.get('location')).toBe('/evidence/things/1');
    expect((await edge.send('/created')).headers.get('location')).toBe('/things/1');
  });
});
