import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { createRecordRequest, recordFilters, uuid } from '@answer-evidence/contracts';
import { failingRoute, ID, type OpenEdge, openEdge, sendRaw } from '@answer-evidence/http-edge/fixtures';
import { defineRoute } from '@answer-evidence/routes';
import { createLogger } from './logger.ts';

/** Submitted in every place; neither an answer nor a log line may hold it. */
const MARKER = 'xyzzymarker';
const create = defineRoute({
  method: 'POST',
  path: '/records',
  operationId: 'create',
  summary: 'Create',
  access: 'records.create',
  body: createRecordRequest,
  responses: { 201: { description: 'Created.' } },
  handle: () => Promise.resolve({ status: 201, body: {} }),
});
const list = defineRoute({
  method: 'GET',
  path: '/records/{id}',
  operationId: 'list',
  summary: 'List',
  access: 'records.read',
  params: z.strictObject({ id: uuid }),
  query: recordFilters,
  responses: { 200: { description: 'Listed.' } },
  handle: () => Promise.resolve({ status: 200, body: {} }),
});
const failing = failingRoute('/fail', () => {
  const cause = Object.assign(new Error(`duplicate key\n    at ${MARKER}`), { detail: MARKER, code: '23505' });
  throw new TypeError(MARKER, { cause });
});

let edge: OpenEdge;
beforeAll(async () => {
  edge = await openEdge([create, list, failing], {
    openLogger: (destination) => createLogger({ level: 'trace', destination }),
  });
});
afterAll(() => {
  expect(edge.logs.all()).not.toContain(MARKER);
  return edge.close();
});

const texts = { question: { text: MARKER }, answer: { text: MARKER } };
const bodies: readonly (readonly [string, string])[] = [
  ['a valid body', JSON.stringify({ application_key: MARKER, ...texts })],
  ['a wrong type', JSON.stringify({ application_key: [MARKER], question: MARKER, answer: { text: { a: MARKER } } })],
  ['values of wrong forms', JSON.stringify({ ...texts, application_key: `\n${MARKER}`, retention_until: MARKER })],
  ['a wrong hash', JSON.stringify({ application_key: 'a', question: { hash: MARKER }, answer: { hash: MARKER } })],
  ['objects that claim a class', `{"application_key":{"constructor":{"name":"${MARKER}"}},"question":{},"answer":1}`],
  ['no JSON', `{"${MARKER}": ${MARKER}`],
  ['a duplicate key', `{"mode":"${MARKER}","mode":"${MARKER}"}`],
  ['a lone surrogate', `{"mode":"${MARKER}\\ud800"}`],
  ['a huge number', `{"mode":["${MARKER}",1e999]}`],
  ['deep nesting', `${'["' + MARKER + '",'}${'['.repeat(80)}${']'.repeat(81)}`],
];

describe('what was submitted', () => {
  it.each(bodies)('in a body with %s comes back in no answer', async (_, body) => {
    const answer = await (await edge.post('/records', body)).text();
    expect(answer).not.toContain(MARKER);
  });

  it('as a key comes back only as the pointer to it', async () => {
    const answer: unknown = await (await edge.post('/records', `{"${MARKER}":1}`)).json();
    expect(answer).toMatchObject({
      errors: expect.arrayContaining([
        { pointer: `/${MARKER}`, detail: expect.stringMatching(/^is an unknown field; use one of application_key, /) },
      ]),
    });
    const query = await (await edge.send(`/records/${ID}?${MARKER}=1`)).text();
    for (const text of [JSON.stringify(answer), query]) {
      const pointers = text.split(`/${MARKER}`).length + text.split(`?${MARKER}`).length - 2;
      expect(pointers).toBeGreaterThan(0);
      expect(text.split(MARKER)).toHaveLength(pointers + 1);
    }
  });

  it.each([
    `/${MARKER}`,
    `/records/${MARKER}`,
    `/records/${ID}?status=${MARKER}`,
    `/records/${ID}?created_after=${MARKER}`,
    `/records/${ID}?mode=${MARKER}%00`,
    `/records/${ID}?mode=${MARKER}&mode=${MARKER}`,
    `/records/%zz${MARKER}`,
    '/fail',
  ])('in the URL %s comes back in no answer', async (path) => {
    const response = await edge.send(path);
    expect(await response.text()).not.toContain(MARKER);
    expect(JSON.stringify([...response.headers])).not.toContain(MARKER);
  });

  it.each(['Authorization', 'Service-Version', 'Content-Type', 'Content-Encoding', 'X-Request-Id', 'Host', 'Cookie'])(
    'in the header %s comes back in no answer',
    async (name) => {
      const value = name === 'Authorization' ? `Bearer ${MARKER}` : MARKER;
      const others = ['Host: a', 'Authorization: Bearer manager', 'Content-Type: application/json'];
      const headers = [...others.filter((line) => !line.startsWith(`${name}:`)), `${name}: ${value}`];
      const request = `POST /records HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
      expect(await sendRaw(edge.port, request)).not.toContain(MARKER);
    },
  );

  it('as a method, a target or a header name of no HTTP comes back in no answer', async () => {
    const requests = [`${MARKER} / HTTP/1.1\r\n\r\n`, `GET ${MARKER} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`];
    for (const request of requests) expect(await sendRaw(edge.port, request)).not.toContain(MARKER);
  });

  it('in an error that is not ours comes back in no answer, and its frames and code are logged', async () => {
    await edge.send('/fail');
    const line = await edge.logs.find('23505');
    expect(line).toContain('"name":"TypeError"');
    expect(line).toContain('secrecy.test.ts');
  });
});
