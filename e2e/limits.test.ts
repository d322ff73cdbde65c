import { request } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { verifySignature } from '@answer-evidence/node-crypto';
import { verifyBundle } from '@answer-evidence/verify';
import { answer, openTestService, type Reply } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const KIB = 1024;

const service = await openTestService();
afterAll(() => service.close());

const post = (body: unknown): Promise<Reply> => service.call('POST', RECORDS, { body });
/** An object whose canonical form has exactly so many bytes. */
const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
const many = <T>(count: number, item: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));

/** An object of so many levels. */
const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });

/** A create of exactly so many bytes; its refs fill it up. */
function bodyOfBytes(bytes: number): string {
  const filled = (n: number) =>
    JSON.stringify(answer('q', 'a', { semantic_refs: [...many(69, () => sized(15_000)), sized(n)] }));
  return filled(8 + bytes - filled(8).length);
}

/** Sends a body without saying how long it is; resolves to the status. */
function postUnannounced(body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${service.managerToken}`, 'Content-Type': 'application/json' };
    const sending = request(`${service.baseUrl}${RECORDS}`, { method: 'POST', headers }, (reply) => {
      resolve(reply.statusCode);
      reply.resume();
    });
    sending.once('error', reject);
    // Two writes: after a single one the client would count the bytes itself.
    sending.write(body.slice(0, 1));
    sending.end(body.slice(1));
  });
}

const EDGES: readonly (readonly [string, (n: number) => unknown, number, string])[] = [
  ['bytes of a question', (n) => answer('é'.repeat(n / 2), 'a'), 256 * KIB, '/question/text'],
  ['bytes of an answer', (n) => answer('q', 'x'.repeat(n)), 256 * KIB, '/answer/text'],
  ['bytes of a semantic ref', (n) => answer('q', 'a', { semantic_refs: [sized(n)] }), 16 * KIB, '/semantic_refs/0'],
  [
    'bytes of a source ref',
    (n) => answer('q', 'a', { source_refs: [{ ...sized(n), source_ref_id: 's' }] }),
    16 * KIB,
    '/source_refs/0',
  ],
  ['levels of a semantic ref', (n) => answer('q', 'a', { semantic_refs: [nested(n)] }), 56, '/semantic_refs/0'],
  ['levels of a source ref', (n) => answer('q', 'a', { source_refs: [nested(n)] }), 56, '/source_refs/0'],
  ['semantic refs', (n) => answer('q', 'a', { semantic_refs: many(n, (i) => ({ i })) }), 200, '/semantic_refs'],
  ['source refs', (n) => answer('q', 'a', { source_refs: many(n, (i) => ({ i })) }), 200, '/source_refs'],
  [
    'characters of an application key',
    (n) => answer('q', 'a', { application_key: 'k'.repeat(n) }),
    200,
    '/application_key',
  ],
  ['characters of an environment', (n) => answer('q', 'a', { environment: 'k'.repeat(n) }), 200, '/environment'],
  [
    'characters of an idempotency key',
    (n) => answer('q', 'a', { idempotency_key: 'k'.repeat(n) }),
    200,
    '/idempotency_key',
  ],
  [
    'characters of a trace id',
    (n) => answer('q', 'a', { external_trace_id: 'k'.repeat(n) }),
    256,
    '/external_trace_id',
  ],
  [
    'characters of a message id',
    (n) => answer('q', 'a', { external_message_id: 'k'.repeat(n) }),
    256,
    '/external_message_id',
  ],
  ['characters of a mode', (n) => answer('q', 'a', { mode: 'k'.repeat(n) }), 64, '/mode'],
  ['characters of an actor', (n) => answer('q', 'a', { actor_id_hash: 'k'.repeat(n) }), 256, '/actor_id_hash'],
  ['characters of a session', (n) => answer('q', 'a', { session_id_hash: 'k'.repeat(n) }), 256, '/session_id_hash'],
  [
    'characters of a source ref id',
    (n) => answer('q', 'a', { source_refs: [{ source_ref_id: 'k'.repeat(n) }] }),
    100,
    '/source_refs/0/source_ref_id',
  ],
];

describe('a limit', () => {
  it.each(EDGES)('of %s lets the last one in and refuses the next', async (_name, bodyOf, limit, pointer) => {
    expect((await post(bodyOf(limit))).status).toBe(201);
    const step = pointer === '/question/text' ? 2 : 1;
    const refused = await post(bodyOf(limit + step));
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });

  it('of bytes of a body lets 1 MiB in and answers 413 to one byte more, announced or not', async () => {
    const whole = bodyOfBytes(KIB * KIB);
    expect(Buffer.byteLength(whole)).toBe(KIB * KIB);
    expect((await post(whole)).status).toBe(201);
    const refused = await post(`${whole} `);
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
    expect(await postUnannounced(`${whole} `)).toBe(413);
  });

  it('of a reason and a payload lets the last one in and refuses the next', async () => {
    const { id } = (await post(answer('q'))).body;
    const event = (body: object) =>
      service.call('POST', `${RECORDS}/${id}/events`, { body: { event_type: 'retention_extended', ...body } });
    expect((await event({ reason: 'é'.repeat(4000) })).status).toBe(200);
    const reason = await event({ reason: 'é'.repeat(4001) });
    expect([reason.status, reason.body.errors[0].pointer]).toEqual([422, '/reason']);
    expect((await event({ payload: sized(512 * KIB) })).status).toBe(200);
    const payload = await event({ payload: sized(512 * KIB + 1) });
    expect([payload.status, payload.body.errors[0].pointer]).toEqual([422, '/payload']);
  });

  it('of levels lets the 56th of a payload in, so that a bundle holds it within its own 64, and refuses the next', async () => {
    const { id } = (await post(answer('q'))).body;
    const event = (levels: number) =>
      service.call('POST', `${RECORDS}/${id}/events`, {
        body: { event_type: 'retention_extended', payload: nested(levels) },
      });
    expect((await event(56)).status).toBe(200);
    const refused = await event(57);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/payload']);
  });

  it('of integers lets ±(2^53 − 1) in, and they are read back as they were sent', async () => {
    const refs = [{ most: 9007199254740991, least: -9007199254740991, small: 5e-324, part: 0.1 }];
    const made = await post(answer('q', 'a', { semantic_refs: refs }));
    expect(made.body.semantic_refs).toEqual(refs);
  });

  it('of retention lets 3650 days in', async () => {
    const until = new Date(Date.now() + 3650 * 86_400_000 - 60_000).toISOString();
    const made = await post(answer('q', 'a', { retention_until: until }));
    expect([made.status, Date.parse(made.body.retention_until)]).toEqual([201, Date.parse(until)]);
  });
});

describe('an open object', () => {
  it('keeps a key named __proto__ and commits to it, so that the proof bundle verifies', async () => {
    const refs = '[{"__proto__":{"polluted":true},"constructor":1,"":2,"toString":null}]';
    const text = JSON.stringify(answer('q')).replace(/}$/, `,"semantic_refs":${refs},"source_refs":${refs}}`);
    const made = await post(text);
    expect(made.status).toBe(201);
    expect(made.text).toContain('"__proto__":{"polluted":true}');
    const path = `${RECORDS}/${made.body.id}`;
    const payload =
      '{"event_type":"retention_extended","payload":{"__proto__":{"polluted":true},"hasOwnProperty":"x"}}';
    expect((await service.call('POST', `${path}/events`, { body: payload })).status).toBe(200);
    const read = await service.call('GET', path);
    expect(read.text.split('"__proto__":{"polluted":true}')).toHaveLength(1 + 3);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();

    const proof = await service.call('GET', `/api/trust/proofs/answers/${made.body.id}`);
    const keys = await service.call('GET', '/api/trust/keys');
    const pins = keys.body.items.map(({ vkey, first_tree_size, last_tree_size }: any) => {
      return { vkey, first_tree_size, last_tree_size };
    });
    const trust = {
      format: 'answer-evidence-trust/v1' as const,
      logs: [{ origin: keys.body.origin, keys: pins }],
      witness_policy: null,
      tsa_roots: [],
    };
    const passes = async (bundle: unknown) => {
      const { checks } = await verifyBundle(bundle, trust, { verifySignature });
      return checks.filter(({ outcome }) => outcome === 'FAIL').map(({ check }) => check);
    };
    expect(await passes(proof.body)).toEqual([]);
    expect(await passes(JSON.parse(proof.text.replace('"polluted":true', '"polluted":false')))).not.toEqual([]);
  });
});
