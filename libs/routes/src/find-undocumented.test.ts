import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { findUndocumented } from './find-undocumented.ts';
import type { Route } from './route.ts';

const route: Route = {
  method: 'GET',
  path: '/thing',
  operationId: 'getThing',
  summary: 'Read a thing',
  access: 'whoami',
  handle: () => Promise.resolve({ status: 204 }),
  responses: {
    200: {
      description: 'A thing.',
      schema: z.strictObject({ name: z.string() }),
      headers: { ETag: 'Its version' },
    },
    201: { description: 'A text.', contentType: ['text/plain', 'text/csv'] },
    204: { description: 'Nothing.' },
    409: { description: 'Taken.' },
  },
};
const json = { contentType: 'application/json' };
const refusal = {
  contentType: 'application/problem+json',
  body: { type: '', title: '', status: 409, detail: '', code: 'name_taken', errors: [], request_id: '' },
};

describe('a reply that its route documents', () => {
  it.each([
    ['an object', { ...json, status: 200, body: { name: 'a' } }],
    ['JSON text', { ...json, status: 200, body: '{"name":"a"}', headers: { etag: '"1"', 'cache-control': 'private' } }],
    ['a text in either media type', { status: 201, contentType: 'text/csv; charset=utf-8', body: 'a' }],
    ['no content', { ...json, status: 204 }],
    ['a refusal of its own', { ...refusal, status: 409 }],
    ['a refusal of the edge', { ...refusal, status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }],
  ])('has no fault: %s', (_, reply) => {
    expect(findUndocumented(route, reply)).toBeUndefined();
  });
});

describe('a reply that its route does not document', () => {
  it.each([
    ['another status', { ...json, status: 202, body: {} }, 'getThing 202: the status is not documented'],
    ['a refusal that it does not name', { ...refusal, status: 412 }, 'getThing 412: the status is not documented'],
    ['a header', { ...json, status: 204, headers: { Link: '' } }, 'getThing 204: the header Link is not documented'],
    ['a media type', { status: 201, contentType: 'text/html', body: '' }, 'the media type text/html is not documented'],
    ['no content where some is due', { ...json, status: 200 }, 'it has no content'],
    ['a member more', { ...json, status: 200, body: { name: 'a', secret: 'b' } }, 'unrecognized_keys at /'],
    ['a member of another type', { ...json, status: 200, body: '{"name":1}' }, 'invalid_type at /name'],
    [
      'a code outside of the closed list',
      { ...refusal, status: 409, body: { ...refusal.body, code: 'oops' } },
      'invalid_value at /code',
    ],
  ])('is named, without a value of it: %s', (_, reply, fault) => {
    expect(findUndocumented(route, reply)).toContain(fault);
  });
});
