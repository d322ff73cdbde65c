import { describe, expect, it } from '@jest/globals';
import { type AnswerRecord, labelsOf, type RecordSummary, SERVICE_VERSION } from '@answer-evidence/contracts';
import { type Client, createClient } from './client.ts';
import { ApiError, UnreachableError } from './errors.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const AT = '2026-11-20T09:00:00.000000Z';
const HASH = `sha256:${'a'.repeat(64)}`;
const TOKEN = 'aeu_test.token-secret';

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
  question: { hash: HASH, hash_key_id: null, text_state: 'stored' },
  answer: { hash: HASH, hash_key_id: null, text_state: 'stored' },
  ledger: { origin: 'log.example/demo/00000000', leaf_index: 1, leaf_hash: 'b'.repeat(64) },
};
const record: AnswerRecord = {
  ...summary,
  question: { ...summary.question, text: 'q' },
  answer: { ...summary.answer, text: 'a' },
  erasure: null,
  evidence_links: [],
  ledger: { ...summary.ledger, entry: '{}' },
  receipt: 'c2sp.org/tlog-proof@v1\n',
  events: [],
};
const create = {
  application_key: 'support-bot',
  question: { text: 'q' },
  answer: { text: 'a' },
};

type Step = Response | Error | 'hang';
type Sent = { readonly url: string; readonly method: string; readonly headers: Headers; readonly body: string | null };

/** A client whose host answers with these steps, one a request, and whose waits are noted and take no time. */
function createScript(steps: readonly Step[], options: { timeoutMs?: number } = {}) {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const left = [...steps];
  const client: Client = createClient({
    ...options,
    registry: 'https://demo.example/base/',
    token: TOKEN,
    random: () => 0,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    fetch: async (input, init) => {
      const step = left.shift();
      if (step === undefined || typeof input !== 'string') throw new Error('the script has no further step');
      const body = typeof init?.body === 'string' ? init.body : null;
      sent.push({ url: input, method: init?.method ?? '', headers: new Headers(init?.headers), body });
      if (step === 'hang') {
        return new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')));
        });
      }
      if (step instanceof Error) throw step;
      return step;
    },
  });
  return { client, sent, waits };
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const lost = () => new TypeError('fetch failed', { cause: Object.assign(new Error('lost'), { code: 'ECONNRESET' }) });
const refused = () => new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
const problem = (status: number, code: string) =>
  json(status, { type: 't', title: 't', status, detail: 'what is wrong', code, errors: [], request_id: ID });

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
    const { client, sent, waits } = createScript([lost(), refused(), json(503, {}), json(201, record)]);
    expect(await client.records.create(create)).toEqual({ record, replayed: false });
    expect(new Set(sent.map((one) => one.body)).size).toBe(1);
    expect(sent[0]?.body).toMatch(/"idempotency_key":"[0-9a-f-]{36}"/);
    expect(waits).toEqual([125, 250, 500]);
  });

  it('gives each create its own key, and says when the service had the record already', async () => {
    const { client, sent } = createScript([json(201, record), json(201, record, { 'idempotency-replayed': 'true' })]);
    await client.records.create(create);
    expect((await client.records.create(create)).replayed).toBe(true);
    expect(new Set(sent.map((one) => one.body)).size).toBe(2);
  });

  it('appends an event under one idempotency key in the header through every attempt', async () => {
    const { client, sent } = createScript([lost(), json(200, record), json(200, record)]);
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
    const page = (next: string | null) =>
      json(200, { items: [summary], page: 1, size: 1, total: 2, total_relation: 'eq', next_cursor: next });
    const { client, sent } = createScript([page('c1'), page(null), page('c1'), page('c1')]);
    expect(await collect(client.records.listAll({ mode: 'a b' }, 1))).toEqual([summary, summary]);
    expect(sent.map((one) => new URL(one.url).search)).toEqual(['?mode=a+b&size=1', '?mode=a+b&size=1&cursor=c1']);
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
    await client.records.get('../tokens?x=1#y');
    expect(sent[0]?.url).toBe('https://demo.example/base/api/answer-audit-logs/..%2Ftokens%3Fx%3D1%23y');
  });
});

describe('an upload', () => {
  it('whose file cannot be read any more says so, and is not sent again', async () => {
    let sent = 0;
    const client = createClient({
      registry: 'https://demo.example',
      token: TOKEN,
      wait: () => Promise.resolve(),
      fetch: async (_, init) => {
        sent += 1;
        await new Response(init?.body ?? null).arrayBuffer().catch((cause: unknown) => {
          throw new TypeError('fetch failed', { cause });
        });
        return json(201, {});
      },
    });
    const broken = new RangeError('the disk is gone');
    const open = async function* () {
      yield await Promise.resolve(new Uint8Array(3));
      throw broken;
    };
    await expect(client.evidence.upload({ name: 'f', open })).rejects.toBe(broken);
    expect(sent).toBe(1);
  });

  it('that was refused early leaves no clock running, though more of it goes out', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    let goOn = (): Promise<unknown> => Promise.reject(new Error('nothing was sent'));
    const client = createClient({
      registry: 'https://demo.example',
      token: TOKEN,
      fetch: (_, init) => {
        const pieces = new Response(init?.body ?? null).body?.getReader();
        goOn = async () => [await pieces?.read(), await pieces?.read(), await pieces?.read()];
        return Promise.resolve(problem(401, 'unauthenticated'));
      },
    });
    const open = async function* () {
      for (;;) yield await Promise.resolve(new Uint8Array(3));
    };
    await expect(client.evidence.upload({ name: 'f', open })).rejects.toMatchObject({ status: 401 });
    expect(await goOn()).toMatchObject([{ done: false }, { done: false }, { done: false }]);
    expect(timers()).toBe(before);
  });
});

describe('a ledger check with its progress', () => {
  const report = {
    origin: 'log.example/demo/00000000',
    tree_size: 2,
    root_hash: 'ab',
    entries_checked: 2,
    outcome: 'PASS',
    findings_total: 0,
    findings: [],
  } as const;
  const step = { kind: 'progress', part: 'rows', done: 1, of: 2 } as const;

  it('is told how far it is, however the lines are cut, and gets the report', async () => {
    const text = [step, { kind: 'report', report }].map((line) => `${JSON.stringify(line)}\n`).join('');
    const letters = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const letter of text) controller.enqueue(new TextEncoder().encode(letter));
        controller.close();
      },
    });
    const script = createScript([new Response(letters)]);
    const told: unknown[] = [];
    expect(await script.client.trust.checkLedger((progress) => told.push(progress))).toEqual(report);
    expect(told).toEqual([step]);
    expect(script.sent.map(({ url }) => url)).toEqual([
      'https://demo.example/base/api/trust/ledger-checks?format=jsonl',
    ]);
  });

  it.each([
    ['ends without a report', `${JSON.stringify(step)}\n`],
    ['is cut within the report', JSON.stringify({ kind: 'report', report })],
    ['is no JSON', '<html>\n'],
  ])('is refused where the response %s', async (_, text) => {
    const script = createScript([new Response(text)]);
    await expect(script.client.trust.checkLedger(() => undefined)).rejects.toThrow('does not match the API contract');
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

/** An answer whose body comes in these pieces; `lost` ends the connection. */
function pieces(...of: readonly string[]): Response {
  const left = [...of];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === 'lost') controller.error(lost());
      else if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  return new Response(body, { status: 200 });
}

describe('a record set', () => {
  const text = (all: readonly Uint8Array[]) => all.map((piece) => new TextDecoder().decode(piece)).join('');

  it('comes piece by piece, after retries that lost nothing', async () => {
    const { client, sent, waits } = createScript([lost(), json(503, {}), pieces('a\n', 'b\n')]);
    expect(text(await collect(await client.reconciliations.records(ID)))).toBe('a\nb\n');
    expect(sent.map(({ url }) => url)).toEqual(
      Array(3).fill(`https://demo.example/base/api/reconciliations/runs/${ID}/records`),
    );
    expect(waits).toHaveLength(2);
  });

  it('that breaks in the middle is an error, never a shorter set', async () => {
    const { client, sent } = createScript([pieces('a\n', 'lost')]);
    await expect(collect(await client.reconciliations.records(ID))).rejects.toThrow(UnreachableError);
    expect(sent).toHaveLength(1);
  });

  it('is refused like everything else', async () => {
    const { client } = createScript([problem(404, 'not_found')]);
    await expect(client.reconciliations.records(ID)).rejects.toThrow('404 not_found');
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
