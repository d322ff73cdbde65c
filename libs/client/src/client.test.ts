import { describe, expect, it } from '@jest/globals';
import { commitPlain, formatEntry } from '@answer-evidence/commitments';
import { type AnswerRecord, labelsOf, type RecordSummary, SERVICE_VERSION } from '@answer-evidence/contracts';
import {
  collect,
  createScript,
  ID,
  json,
  lost,
  problem,
  refused,
  type Sent,
  TOKEN,
} from '../fixtures/scripted-client.ts';
import { type Client, createClient } from './client.ts';
import { MismatchError } from './compare/mismatch-error.ts';
import { ApiError, UnreachableError } from './errors.ts';

const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'aa'.repeat(32)}`;

const OF = { id: ID, subject: ID };

const summary: RecordSummary = {
  id: ID,
  application_key: 'support-bot',
  environment: 'production',
  idempotency_key: 'msg-1',
  status: 'recorded',
  semantic_refs: [],
  source_refs: [],
  evidence_access_event_ids: [],
  ...labelsOf({}),
  retention_until: AT,
  created_at: AT,
  created_by: { kind: 'application', id: 'support-bot', token_id: ID },
  trace_refs: [],
  record_hash: HASH,
  question: { hash: commitPlain('q'), hash_key_id: null, text_state: 'stored' },
  answer: { hash: commitPlain('a'), hash_key_id: null, text_state: 'stored' },
  ledger: { origin: 'log.example/demo/00000000', leaf_index: 1, leaf_hash: 'b'.repeat(64) },
};
const record: AnswerRecord = {
  ...summary,
  question: { ...summary.question, text: 'q' },
  answer: { ...summary.answer, text: 'a' },
  erasure: null,
  evidence_links: [],
  ledger: {
    ...summary.ledger,
    entry: formatEntry({ type: 'answer_recorded', ...OF, seq: 0, hash: new Uint8Array(32).fill(0xaa), at: 0 }),
  },
  receipt: 'c2sp.org/tlog-proof@v1\n',
  events: [],
};
/** The record as it answers this create, or this event. */
const recordFor = ({ body }: Sent) => json(201, { ...record, idempotency_key: JSON.parse(body ?? '').idempotency_key });
const event = {
  id: ID,
  answer_log_id: ID,
  sequence: 1,
  event_type: 'voided',
  reason: null,
  payload: {},
  corrected_answer: null,
  actor: { kind: 'user', id: ID, token_id: ID },
  created_at: AT,
  prev_event_hash: HASH,
  event_hash: HASH,
  erasure: null,
  redacted_evidence: [],
  ledger: { ...record.ledger, entry: record.ledger.entry.replace('answer_recorded', 'lifecycle_event') },
};
const voided = ({ headers }: Sent) =>
  json(200, { ...record, events: [{ ...event, idempotency_key: headers.get('idempotency-key') }] });
const create = {
  application_key: 'support-bot',
  question: { text: 'q' },
  answer: { text: 'a' },
};

describe('records', () => {
  it('sends the token, the version and the body to the path below the registry', async () => {
    const { client, sent } = createScript([json(201, record)]);
    await client.records.create({ ...create, idempotency_key: 'msg-1' });
    expect(sent[0]?.url).toBe('https://demo.example/base/api/answer-audit-logs');
    expect(sent[0]?.headers.get('authorization')).toBe(`Bearer ${TOKEN}`);
    expect(sent[0]?.headers.get('service-version')).toBe(SERVICE_VERSION);
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ ...create, idempotency_key: 'msg-1' });
  });

  it('creates under one random idempotency key through timeouts, lost connections and 503', async () => {
    const { client, sent, waits } = createScript([lost(), refused(), json(503, {}), recordFor]);
    expect(await client.records.create(create)).toMatchObject({ record: { id: ID }, replayed: false });
    expect(new Set(sent.map((one) => one.body)).size).toBe(1);
    expect(sent[0]?.body).toMatch(/"idempotency_key":"[0-9a-f-]{36}"/);
    expect(waits).toEqual([125, 250, 500]);
  });

  it('gives each create its own key, and says when the service had the record already', async () => {
    const replayedFor = (to: Sent) => {
      const reply = recordFor(to);
      reply.headers.set('idempotency-replayed', 'true');
      return reply;
    };
    const { client, sent } = createScript([recordFor, replayedFor]);
    await client.records.create(create);
    expect((await client.records.create(create)).replayed).toBe(true);
    expect(new Set(sent.map((one) => one.body)).size).toBe(2);
  });

  it('appends an event under one idempotency key in the header through every attempt', async () => {
    const { client, sent } = createScript([lost(), voided, voided]);
    await client.records.appendEvent(ID, { event_type: 'voided' });
    await client.records.appendEvent(ID, { event_type: 'voided' }, 'void-1');
    const keys = sent.map((one) => one.headers.get('idempotency-key'));
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).toBe('void-1');
    await expect(client.records.appendEvent(ID, { event_type: 'voided' }, 'ü\n')).rejects.toThrow(TypeError);
  });

  it.each([
    [401, 'unauthenticated'],
    [409, 'idempotency_payload_mismatch'],
    [422, 'schema_violation'],
    [500, 'content_damaged'],
  ])('never repeats after %i', async (status, code) => {
    const { client, sent } = createScript([problem(status, code), json(201, record)]);
    await expect(client.records.create(create)).rejects.toMatchObject({ status, problem: { code } });
    expect(sent).toHaveLength(1);
  });

  it('waits as long as Retry-After asks', async () => {
    const { client, waits } = createScript([json(429, {}, { 'retry-after': '7' }), json(200, record)]);
    await client.records.get(ID);
    expect(waits).toEqual([7000]);
  });

  it('gives up after the last attempt and says that the host was not reached', async () => {
    const { client, sent } = createScript([lost(), lost(), lost(), lost(), json(200, record)]);
    await expect(client.records.get(ID)).rejects.toThrow(
      new UnreachableError('https://demo.example', 'ECONNRESET', 4, undefined).message,
    );
    expect(sent).toHaveLength(4);
  });

  it('gives the last error answer when every attempt met one', async () => {
    const { client } = createScript([1, 2, 3, 4].map(() => problem(503, 'overloaded')));
    await expect(client.records.get(ID)).rejects.toMatchObject({ status: 503, problem: { code: 'overloaded' } });
  });

  it('ends an attempt that takes too long, and tries again', async () => {
    const { client, sent } = createScript(['hang', json(200, record)], { timeoutMs: 1 });
    expect(await client.records.get(ID)).toEqual(record);
    expect(sent).toHaveLength(2);
  });

  it('lists every page by cursor, and stops when the list does not go on', async () => {
    const at = (leaf: number) => ({ ...summary, ledger: { ...summary.ledger, leaf_index: leaf } });
    const page = (next: string | null, leaf: number) =>
      json(200, { items: [at(leaf)], page: 1, size: 1, total: 2, total_relation: 'eq', next_cursor: next });
    const { client, sent } = createScript([page('c1', 2), page(null, 1), page('c1', 2), page('c1', 1)]);
    expect(await collect(client.records.listAll({ application_key: 'support-bot' }, 1))).toEqual([at(2), at(1)]);
    expect(sent.map((one) => new URL(one.url).search)).toEqual([
      '?application_key=support-bot&size=1',
      '?application_key=support-bot&size=1&cursor=c1',
    ]);
    await expect(collect(client.records.listAll())).rejects.toThrow(ApiError);
  });

  it('gives the bytes of an export and what was left out', async () => {
    const headers = { 'export-truncated': 'true', 'export-matching': '201', 'export-next-created-after': AT };
    const { client } = createScript([new Response('{}\n', { headers })]);
    expect(await client.records.export('jsonl')).toEqual({
      content: new TextEncoder().encode('{}\n'),
      matching: 201,
      isTruncated: true,
      nextCreatedAfter: AT,
    });
  });

  it('reads the names of members as they are, whatever was read in their place before', async () => {
    const named = (name: string) => ({ ...record, source_refs: [{ '': 0, [name]: 0 }] });
    const { client } = createScript(['\\', '\\', '\t'].map((name) => json(200, named(name))));
    for (const name of ['\\', '\\', '\t']) expect(await client.records.get(ID)).toEqual(named(name));
  });

  it('keeps an id inside its path', async () => {
    const { client, sent } = createScript([json(200, record)]);
    await expect(client.records.get('../tokens?x=1#y')).rejects.toThrow(MismatchError);
    expect(sent[0]?.url).toBe('https://demo.example/base/api/answer-audit-logs/..%2Ftokens%3Fx%3D1%23y');
  });
});

describe('requests without an idempotency key', () => {
  const token = { name: 'ci', kind: 'user' } as const;

  it.each([
    ['tokens.create', (client: Client) => client.tokens.create(token)],
    ['hashKeys.create', (client: Client) => client.hashKeys.create()],
    ['settings.patch', (client: Client) => client.settings.patch({})],
    ['trust.checkLedger', (client: Client) => client.trust.checkLedger()],
  ])('%s is repeated after a refused connection and 429, never after a lost answer or 503', async (_, call) => {
    const script = createScript([refused(), problem(429, 'overloaded'), lost()]);
    await expect(call(script.client)).rejects.toThrow(UnreachableError);
    expect(script.sent).toHaveLength(3);
    const unsure = createScript([problem(503, 'ledger_unavailable')]);
    await expect(call(unsure.client)).rejects.toThrow(ApiError);
  });
});

describe('what a host answers', () => {
  it('asks what the host is without the token', async () => {
    const host = { kind: 'workspace-api', version: SERVICE_VERSION, workspace: null };
    const { client, sent } = createScript([json(200, host)]);
    expect(await client.describeHost()).toEqual(host);
    expect(sent[0]?.headers.has('authorization')).toBe(false);
  });

  it('follows no redirect, and takes a page for no answer of the service', async () => {
    const { client } = createScript([
      new Response('', { status: 307, headers: { location: 'https://evil.example/' } }),
      new Response('<html>'),
    ]);
    await expect(client.whoami()).rejects.toMatchObject({ status: 307, problem: null });
    await expect(client.whoami()).rejects.toMatchObject({ status: 200, problem: null });
  });

  it('keeps a problem whose code is newer than this client', async () => {
    const { client } = createScript([problem(409, 'a_code_of_tomorrow')]);
    await expect(client.whoami()).rejects.toThrow('409 a_code_of_tomorrow: what is wrong');
  });

  it('refuses a proof that holds more than the contract names', async () => {
    const { client } = createScript([json(200, { format: 'answer-evidence-bundle/v1', more: 1 })]);
    await expect(client.trust.proof(ID)).rejects.toThrow(ApiError);
  });
});

describe('a run', () => {
  it('is asked for under one random idempotency key through every retry', async () => {
    const { client, sent } = createScript([lost(), json(503, {}), problem(422, 'schema_violation')]);
    const window = { window_start: AT, window_end: AT, match_on: 'idempotency_key' as const };
    const asked = client.reconciliations.create({ application_key: 'bot', ...window, references: [] });
    await expect(asked).rejects.toThrow('422');
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,200}$/);
  });
});

describe('createClient', () => {
  it('refuses a token that cannot stand in a header, without quoting it', () => {
    const token = 'secret\nsecret';
    expect(() => createClient({ registry: 'https://demo.example', token })).toThrow(/^the token is not/);
  });

  it.each([['demo.example'], ['ftp://demo.example'], ['https://user:pass@demo.example']])('refuses %s', (registry) => {
    expect(() => createClient({ registry, token: TOKEN })).toThrow(TypeError);
  });

  it('never has the token in an error', async () => {
    const { client } = createScript([lost(), lost(), lost(), lost(), problem(401, 'unauthenticated')]);
    for (const attempt of [1, 2]) {
      const error: unknown = await client.whoami().catch((caught: unknown) => caught);
      expect([attempt, String(error), JSON.stringify(error)].join()).not.toContain(TOKEN);
    }
  });
});
