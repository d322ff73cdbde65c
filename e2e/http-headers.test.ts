import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { answer, openTestService, type Reply } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';

const service = await openTestService();
afterAll(() => service.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', path, { body, headers });
const read = (path: string, headers: Record<string, string> = {}) => service.call('GET', path, { headers });
const header = (reply: Reply, name: string) => reply.headers.get(name) ?? '';

describe('Location', () => {
  it.each([
    ['a record', () => post(RECORDS, answer('q')), RECORDS],
    ['a piece of evidence', () => post('/api/evidence-assets', reference()), '/api/evidence-assets'],
    ['a run', () => post('/api/reconciliations/runs', run()), '/api/reconciliations/runs'],
    ['a token', () => post('/api/tokens', { name: 'located', kind: 'user' }), '/api/tokens'],
    ['a member', () => post('/api/members', { username: 'located' }), '/api/members'],
  ])('names %s that was created', async (_, create, below) => {
    const created = await create();
    expect(header(created, 'location')).toBe(`${below}/${created.body.id}`);
    expect((await read(header(created, 'location'))).status).toBe(200);
  });

  it('is the same for a replay, and for a rotated token', async () => {
    for (const [path, body] of [
      [RECORDS, answer('q')],
      ['/api/evidence-assets', reference()],
      ['/api/reconciliations/runs', run()],
    ] as const) {
      const send = () => post(path, body, { 'Idempotency-Key': 'once' });
      const [first, second] = [await send(), await send()];
      expect(header(second, 'idempotency-replayed')).toBe('true');
      expect(header(second, 'location')).toBe(header(first, 'location'));
    }
    const issued = await post('/api/tokens', { name: 'rotated', kind: 'user' });
    const rotated = await post(`/api/tokens/${issued.body.id}/rotate`, {});
    expect(header(rotated, 'location')).toBe(`/api/tokens/${rotated.body.id}`);
  });

  it('names a piece of evidence that came with a record', async () => {
    const { body } = await post(RECORDS, answer('q'));
    const linked = await post(`${RECORDS}/${body.id}/evidence-assets/register`, reference());
    expect(header(linked, 'location')).toBe(`/api/evidence-assets/${linked.body.id}`);
  });
});

const reference = () => ({ application_key: 'support-bot', external_uri: 'https://docs.example.com/terms' });

const END = Date.now();
const run = () => ({
  application_key: 'support-bot',
  match_on: 'idempotency_key',
  window_start: new Date(END - 60_000).toISOString(),
  window_end: new Date(END).toISOString(),
  references: [{ reference_id: 'r', occurred_at: new Date(END - 1_000).toISOString() }],
});

describe('Link', () => {
  it.each([
    [RECORDS, 'environment=linked&size=2'],
    [RECORDS, 'environment=linked&size=2&page=1'],
    ['/api/evidence-assets', 'size=1'],
    ['/api/reconciliations/runs', 'size=1'],
  ])('leads through %s?%s as next_cursor does', async (path, query) => {
    for (let n = 0; n < 5; n++) await post(RECORDS, answer(`q${n}`, 'a', { environment: 'linked' }));
    for (let n = 0; n < 2; n++) await post('/api/evidence-assets', reference());
    for (let n = 0; n < 2; n++) await post('/api/reconciliations/runs', run());
    const ids: string[] = [];
    let next: string | undefined = `${path}?${query}`;
    while (next !== undefined) {
      const reply: Reply = await read(next);
      expect(reply.status).toBe(200);
      ids.push(...reply.body.items.map(({ id }: { id: string }) => id));
      next = /^<([^>]*)>; rel="next"$/.exec(header(reply, 'link'))?.[1];
      expect(next === undefined).toBe(reply.body.next_cursor === null);
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(1);
    if (query.includes('environment')) expect(ids.length % 5).toBe(0);
  });
});

describe('the ETag of a record', () => {
  const tagOf = async (path: string) => header(await read(path), 'etag');

  it('changes with the record, and with nothing else', async () => {
    const path = header(await post(RECORDS, answer('q', 'a', { idempotency_key: 'tagged' })), 'location');
    const tags = [await tagOf(path)];
    expect(tags[0]).toMatch(/^W\/"[\w-]{22}"$/);
    const receipt = (await read(path)).body.receipt;
    await post(RECORDS, answer('another'));
    const later = await read(path);
    expect(later.body.receipt).not.toBe(receipt);
    expect(header(later, 'etag')).toBe(tags[0]);
    for (const [suffix, body] of [
      ['/evidence-assets/register', reference()],
      ['/events', { event_type: 'correction_appended', payload: { corrected_answer_text: 'b' } }],
      ['/events', { event_type: 'redacted' }],
    ] as const) {
      await post(path + suffix, body);
      tags.push(await tagOf(path));
    }
    expect(new Set(tags).size).toBe(4);
  });

  it('saves a caller who has the record from reading it again, and nobody else', async () => {
    const path = header(await post(RECORDS, answer('q')), 'location');
    const tag = await tagOf(path);
    const known = await read(path, { 'If-None-Match': tag });
    expect([known.status, known.text, header(known, 'etag')]).toEqual([304, '', tag]);
    expect((await service.call('GET', path, { token: null, headers: { 'If-None-Match': tag } })).status).toBe(401);
    await post(`${path}/events`, { event_type: 'voided' });
    expect((await read(path, { 'If-None-Match': tag })).status).toBe(200);
  });
});

describe('a body in gzip', () => {
  const send = (path: string, body: Uint8Array, headers: Record<string, string> = {}) =>
    fetch(service.baseUrl + path, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: {
        Authorization: `Bearer ${service.managerToken}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        ...headers,
      },
    });

  it('creates the record that it says, and replays one without a coding', async () => {
    const body = answer('packed', 'a', { idempotency_key: 'packed' });
    const plain = await post(RECORDS, body);
    const packed = await send(RECORDS, gzipSync(JSON.stringify(body)));
    expect([packed.status, packed.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(packed.headers.get('location')).toBe(header(plain, 'location'));
  });

  it('is refused as a bomb, cut, and in another coding', async () => {
    expect((await send(RECORDS, gzipSync(new Uint8Array(64 * 1024 * 1024)))).status).toBe(413);
    expect((await send(RECORDS, gzipSync(JSON.stringify(answer('cut'))).subarray(0, -3))).status).toBe(400);
    const other = await send(RECORDS, gzipSync('{}'), { 'Content-Encoding': 'br' });
    expect([other.status, other.headers.get('accept-encoding')]).toEqual([415, 'gzip']);
  });
});
