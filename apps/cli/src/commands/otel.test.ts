import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const mismatched = {
  id: ID,
  application_key: 'support-bot',
  environment: 'production',
  idempotency_key: 'msg-1',
  signal: 'span',
  trace_id: TRACE,
  span_id: 'b7ad6b7169203331',
  reason: 'commitment_mismatch',
  answer_log_id: ID,
  received_at: AT,
  unattached_at: AT,
};
const lonely = { ...mismatched, trace_id: null, span_id: null, reason: 'record_not_found', answer_log_id: null };
const page = { items: [mismatched, lonely], page: 1, size: 2, total: 3, total_relation: 'eq', next_cursor: 'bmV4dA' };
const routes = { 'GET /api/answer-audit-logs/otel/unattached': { body: page } };

describe('otel unattached', () => {
  it('lists traces with the reason and the record that they did not fit, and says how to go on', async () => {
    const { exitCode, stdout, stderr } = await runTranscript(['otel', 'unattached'], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(TRACE);
    expect(stdout).toContain('commitment_mismatch: the record with its key has a different question or answer');
    expect(stdout).toContain(
      'record_not_found: it lacks a question or an answer, and no record with its idempotency key arrived',
    );
    expect(stderr).toContain('2 of 3 unattached traces; next: --cursor bmV4dA');
  });

  it('asks for what the options name, and prints JSON as it came', async () => {
    const options = [
      '--application',
      'support-bot',
      '--trace-id',
      TRACE,
      '--reason',
      'record_not_found',
      '--size',
      '2',
    ];
    const asked = { ...page, items: [{ ...lonely, trace_id: TRACE }] };
    const answered = { 'GET /api/answer-audit-logs/otel/unattached': { body: asked } };
    const { stdout, calls } = await runTranscript(['otel', 'unattached', ...options, '--output', 'json'], answered);
    expect(JSON.parse(stdout)).toEqual(asked);
    expect(calls[0]?.query).toBe(`?application_key=support-bot&trace_id=${TRACE}&reason=record_not_found&size=2`);
  });

  it.each([
    ['a trace id of another form', ['--trace-id', TRACE.toUpperCase()]],
    ['a reason that is not one', ['--reason', 'lost']],
  ])('answers 2 to %s, before anything is sent', async (_, options) => {
    const { exitCode, calls } = await runTranscript(['otel', 'unattached', ...options], routes);
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });
});

describe('otel ignored', () => {
  const item = {
    id: ID,
    application_key: 'support-bot',
    scope_name: 'opentelemetry.instrumentation.openai_v2',
    reason: 'no_contents',
    item_count: 12,
    first_seen_at: AT,
    last_seen_at: AT,
    last_trace_id: TRACE,
    last_span_id: null,
    last_attribute_names: ['gen_ai.operation.name', 'app.tier'],
    detail: null,
    last_read_names: ['gen_ai.operation.name'],
  };
  const body = { items: [item], page: 1, size: 20, total: 1, total_relation: 'eq', next_cursor: null };
  const ignored = { 'GET /api/answer-audit-logs/otel/ignored': { body } };

  it('explains the last of an application, without texts', async () => {
    const last = ['otel', 'explain', '--last', '--application', 'support-bot'];
    const { stdout, stderr, calls } = await runTranscript(last, ignored);
    expect(stdout).toMatch(/reason +no_contents: .*\nread +gen_ai.operation.name\nnot read +app.tier\n/);
    expect([stderr, calls[0]?.query]).toEqual([
      '1 of 1 kinds of ignored items\n',
      '?application_key=support-bot&size=200',
    ]);
  });

  it('lists what left no record, with what to do about it', async () => {
    const { stdout, calls } = await runTranscript(['otel', 'ignored', '--reason', 'no_contents'], ignored);
    expect(stdout).toMatch(/openai_v2 +12 +no_contents: .* turn the capture of contents on/);
    expect(calls[0]?.query).toBe('?reason=no_contents');
  });
});

describe('otel explain', () => {
  const item = {
    index: 0,
    trace_id: TRACE,
    span_id: 'b7ad6b7169203331',
    scope_name: 'langfuse-sdk',
    outcome: 'ignored',
    reason: 'no_contents',
    detail: null,
    read: ['gen_ai.operation.name'],
    not_read: ['langfuse.trace.name'],
  };
  const explained = { mapping_version: 3, signal: 'traces', item_count: 2, items: [item] };
  const routes = { 'POST /api/answer-audit-logs/otel/explain': { body: explained } };

  it('sends the file as it is, and shows what is read, what is not and why', async () => {
    const files = { 'request.json': '{"resourceSpans":[]}' };
    const { stdout, stderr, calls } = await runTranscript(['otel', 'explain', 'request.json'], routes, { files });
    expect(stdout).toMatch(/reason +no_contents: .*\nread +gen_ai.operation.name\nnot read +langfuse.trace.name/);
    expect(stderr).toContain('the first 1 of 2 items');
    expect(calls[0]?.body).toBe(files['request.json']);
  });

  it.each([
    ['JSON', '{"resourceSpans":[]}', 'application/json'],
    ['protobuf', '\n\0', 'application/x-protobuf'],
    ['JSON', '\n {"resourceSpans":[]}', 'application/json'],
    ['protobuf', '\n{\n\u0010', 'application/x-protobuf'],
  ])('tells the service that it is %s, also of what is compressed', async (_, request, type) => {
    for (const stdin of [request, gzipSync(request)]) {
      const { exitCode, calls } = await runTranscript(['otel', 'explain', '-'], routes, { stdin });
      expect([exitCode, calls[0]?.contentType, calls[0]?.body]).toEqual([0, type, request]);
    }
  });

  it('says that nothing is in a request', async () => {
    const nothing = {
      'POST /api/answer-audit-logs/otel/explain': { body: { ...explained, item_count: 0, items: [] } },
    };
    const { exitCode, stderr } = await runTranscript(['otel', 'explain', '-'], nothing, { stdin: '{}' });
    expect([exitCode, stderr]).toEqual([0, 'the request has no spans and no log records\n']);
  });

  it('answers 2 to several requests of a Collector, one in each line, before anything is sent', async () => {
    const world = { stdin: '{"resourceSpans":[]}\n{"resourceSpans":[]}\n' };
    const { exitCode, stderr, calls } = await runTranscript(['otel', 'explain', '-'], routes, world);
    expect([exitCode, calls.length]).toEqual([2, 0]);
    expect(stderr).toContain('give one: tail -n 1 FILE | answer-evidence otel explain -');
    const one = await runTranscript(['otel', 'explain', '-'], routes, { stdin: '{"resourceSpans":[]}\n' });
    expect(one.exitCode).toBe(0);
  });

  it('has a row for each item in CSV, and no advice on what is beside an answer', async () => {
    const detail = 'another item of its trace is the answer';
    const items = [item, { ...item, index: 1, detail }];
    const replies = { 'POST /api/answer-audit-logs/otel/explain': { body: { ...explained, items } } };
    const argv = ['otel', 'explain', '-', '--output', 'csv'];
    const { stdout } = await runTranscript(argv, replies, { stdin: '{}' });
    expect(stdout.split('\r\n').map((line) => line.split(',')[0])).toEqual(['item', '0', '1', '']);
    expect(stdout).toContain(`,no_contents: ${detail},`);
  });

  it('tries rules from a file on the request, decompressed', async () => {
    const rules = [{ application_key: 'support-bot', exclude: [{ operation_name: 'chat' }] }];
    const request = '{"resourceSpans":[]}';
    const files = { 'request.json': request, 'rules.json': JSON.stringify(rules) };
    const detail = 'excluded by rule 1 of the application support-bot';
    const ruled = { ...explained, items: [{ ...item, reason: 'excluded_by_rule', detail }] };
    const { stdout, calls } = await runTranscript(
      ['otel', 'explain', 'request.json', '--rules', 'rules.json'],
      { 'POST /api/answer-audit-logs/otel/explain/rules': { body: ruled } },
      { files },
    );
    expect(stdout).toMatch(/reason +excluded_by_rule: .*; excluded by rule 1 of the application support-bot\n/);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      request_base64: Buffer.from(request).toString('base64'),
      content_type: 'application/json',
      rules: [{ ...rules[0], answers: 'all', include: [] }],
    });
  });

  it('answers 2 to rules that cannot be meant, and names the place, before anything is sent', async () => {
    const files = { 'request.json': '{}', 'rules.json': '[{"application_key":"a","exclude":[{"span_kind":"clent"}]}]' };
    const argv = ['otel', 'explain', 'request.json', '--rules', 'rules.json'];
    const { exitCode, stderr, calls } = await runTranscript(argv, routes, { files });
    expect([exitCode, calls.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/\/0\/exclude\/0\/span_kind .*did you mean "client"/);
  });

  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const spans = [
    {
      traceId: TRACE,
      spanId: 'b7ad6b7169203331',
      name: 'run',
      attributes: [
        attribute('acme.in', '{"ask":"How long?"}'),
        attribute('acme.out', `{"steps":[{"text":"a draft"},{"text":"${'Two years. '.repeat(20)}"}]}`),
        attribute('user.id', 'alice'),
      ],
    },
  ];
  const resource = { attributes: [attribute('service.name', 'support-bot')] };
  const acme = { 'request.json': JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }) };
  const suggest = ['otel', 'explain', 'request.json', '--suggest'];

  it('suggests places with shortened texts, and writes the rule of those that are picked, sending nothing', async () => {
    const shown = await runTranscript(suggest, {}, { files: acme });
    expect(shown.stdout).toMatch(/1 +support-bot +acme.in +\/ask +yes +1 +How long\?/);
    expect(shown.stdout).toMatch(/2 +support-bot +acme.out +\/steps\/-\/text +yes +1 +Two years. .*…/);
    expect(shown.stdout).not.toContain('alice');
    const picked = [...suggest, '--question', '1', '--answer', '2', '--write', 'rules.json'];
    const { files, stderr, seen } = await runTranscript(picked, {}, { files: acme });
    const rules = [
      {
        application_key: 'support-bot',
        answers: 'all',
        include: [],
        exclude: [],
        question: [{ attribute: 'acme.in', path: '/ask' }],
        answer: [{ attribute: 'acme.out', path: '/steps/-/text' }],
      },
    ];
    expect([JSON.parse(files.get('rules.json') ?? ''), seen]).toEqual([rules, []]);
    expect(stderr).toContain('settings set otlp_rules=@rules.json');
    const kept = [{ application_key: 'other' }, { application_key: 'support-bot', answer: [{ attribute: 'old' }] }];
    const more = { ...acme, 'kept.json': JSON.stringify(kept) };
    const merged = await runTranscript([...suggest, '--answer', '2', '--rules', 'kept.json'], {}, { files: more });
    expect(JSON.parse(merged.stdout)).toMatchObject([
      { application_key: 'other' },
      { application_key: 'support-bot', answer: [{ attribute: 'acme.out' }, { attribute: 'old' }] },
    ]);
  });

  it.each([
    ['a number that is no place', ['--question', '9'], /--question 9: must be a number of 1 to 2/],
    ['what is no request', ['--question', '1'], /cannot be read/],
  ])('answers 2 to %s', async (what, options, message) => {
    const files = what === 'what is no request' ? { 'request.json': '{"resourceSpans":7}' } : acme;
    const { exitCode, stderr } = await runTranscript([...suggest, ...options], {}, { files });
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('shows where the dialects that are shipped look, in the form of rules', async () => {
    const { stdout } = await runTranscript(['otel', 'explain', '--shipped', 'langfuse', '--output', 'json']);
    expect(JSON.parse(stdout).dialects).toEqual([
      expect.objectContaining({
        name: 'langfuse',
        question: [{ attribute: 'langfuse.trace.input' }, { attribute: 'langfuse.observation.input' }],
      }),
    ]);
    const all = await runTranscript(['otel', 'explain', '--shipped']);
    expect(all.stdout).toMatch(/voltagent +question +input/);
    expect((await runTranscript(['otel', 'explain', '--shipped', 'nobody'])).exitCode).toBe(2);
  });

  it.each([
    [[]],
    [['--suggest']],
    [['request.json', '--question', '1']],
    [['request.json', '--last']],
    [['--last', '--rules', 'rules.json']],
    [['request.json', '--application', 'a']],
  ])('answers 2 to %j, before anything is sent', async (more) => {
    const { exitCode, calls } = await runTranscript(['otel', 'explain', ...more], routes);
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });
});
