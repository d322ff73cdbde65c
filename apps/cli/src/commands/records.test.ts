import { describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { fakeProblem, type SeenRequest } from '../testing/fake-host.ts';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, createPage, createVerification, ID, RECORD, recordAfter, recordFor, SUMMARY } from '../testing/samples.ts';

const PATH = '/api/answer-audit-logs';
const created = { [`POST ${PATH}`]: { status: 201, bodyFor: recordFor } };
const create = ['records', 'create', '--application', 'support-bot', '--idempotency-key', 'msg-1'];
const texts = ['--question-text', 'Which plan?', '--answer-text', 'The small one.'];

describe('records list', () => {
  it('asks with every filter by its name, and says how to go on', async () => {
    const argv = ['records', 'list', '--application', 'a b', '--status', 'voided', '--size', '1', '--page', '2'];
    const items = [{ ...SUMMARY, application_key: 'a b', status: 'voided' }];
    const page = { ...createPage('c-2'), page: 2, items };
    const transcript = await runTranscript(argv, { [`GET ${PATH}`]: { body: page } });
    expect(transcript.calls[0]?.query).toBe('?application_key=a+b&status=voided&page=2&size=1');
    expect(transcript.stdout).toMatch(/^CREATED.*\n.*a b.*\n$/);
    expect(transcript).toMatchObject({ exitCode: 0, stderr: '1 of 2 records; next: --cursor c-2\n' });
  });

  it('follows the cursor to the end with --all', async () => {
    const older = { ...SUMMARY, ledger: { ...SUMMARY.ledger, leaf_index: 40 } };
    const pages = [{ body: createPage('c-2') }, { body: { ...createPage(null), items: [older] } }];
    const transcript = await runTranscript(['records', 'list', '--all', '--output', 'json'], {
      [`GET ${PATH}`]: pages,
    });
    expect(JSON.parse(transcript.stdout)).toEqual({ items: [SUMMARY, older], total: 2 });
    expect(transcript.calls.map((call) => call.query)).toEqual(['?size=200', '?size=200&cursor=c-2']);
  });

  it.each([
    ['--status', 'lost'],
    ['--created-after', 'yesterday'],
    ['--created-before', '2026-11-28T01:00:60Z'],
    ['--size', '0'],
    ['--page', '1e3'],
  ])('refuses %s %s before it asks', async (option, value) => {
    expect(await runTranscript(['records', 'list', option, value])).toMatchObject({ exitCode: 2, seen: [] });
  });
});

describe('records get', () => {
  const routes = { [`GET ${PATH}/${ID}`]: { body: RECORD } };

  it('shows the record with its events', async () => {
    const transcript = await runTranscript(['records', 'get', ID], routes);
    expect(transcript.exitCode).toBe(0);
    expect(transcript.stdout).toMatch(/answer text +\(discarded\)\n/);
    expect(transcript.stdout).toMatch(/1 +voided .*wrong price\n/);
  });

  const [voided] = RECORD.events ?? [];
  const correction = {
    ...voided,
    sequence: 1,
    event_type: 'correction_appended',
    corrected_answer: {
      ...RECORD.answer,
      text: '14 days.',
      hash: commitPlain('14 days.'),
      text_state: 'stored',
      origin: 'service',
    },
  };
  const redaction = { ...voided, sequence: 2, event_type: 'redacted' };
  it.each([
    [
      'corrected',
      [correction],
      /^answer that holds +14 days\.\n.*\ncorrected by +event 1 at 2026.*[^]*^original answer text +/m,
    ],
    [
      'corrected and redacted',
      [correction, redaction],
      /^corrected by +event 1 .*\ntexts redacted +by event 2 at 2026/m,
    ],
    ['voided', [voided], /^answer that holds +none: it was voided by event 1 at 2026.*[^]*^original answer text +/m],
    [
      'voided after a correction',
      [correction, { ...voided, sequence: 2 }],
      /^answer that holds +none: .* by event 2 /m,
    ],
    ['redacted', [redaction], /^texts redacted +by event 2 [^]*^answer text +/m],
  ])('says of a record that is %s what holds now, and by which event', async (_, events, shown) => {
    const { stdout } = await runTranscript(['records', 'get', ID], {
      [`GET ${PATH}/${ID}`]: { body: { ...RECORD, events } },
    });
    expect(stdout).toMatch(shown);
  });

  it('tells what happened to it in a sentence, in either language', async () => {
    const events = [correction, { ...redaction, reason: 'a\u001B[31m reason' }, { ...voided, sequence: 3 }];
    const reply = { [`GET ${PATH}/${ID}`]: { body: { ...RECORD, events } } };
    const first = async (...more: readonly string[]) =>
      (await runTranscript(['records', 'get', ID, ...more], reply)).stdout.split('\n')[0];
    expect(await first()).toMatch(
      /^Recorded by support-bot on 2026-\S+ \d\d:\d\d UTC, corrected on .*redacted on .*\(“a\[31m reason”\), voided on .* No answer holds\. The texts are gone\.$/,
    );
    expect(await first('--language', 'de')).toMatch(/^Aufgezeichnet von support-bot am .* Keine Antwort gilt\./);
  });

  it('says of a record without events only what was recorded', async () => {
    const { stdout } = await runTranscript(['records', 'get', ID], {
      [`GET ${PATH}/${ID}`]: { body: { ...RECORD, events: [] } },
    });
    expect(stdout).not.toMatch(/answer that holds|original answer/);
  });

  it('shows the traces that are attached to it', async () => {
    const trace = {
      id: ID,
      signal: 'span',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      span_id: 'b7ad6b7169203331',
      started_at: null,
      commitments: 'equal',
      attached_by: RECORD.created_by,
      attached_at: AT,
      ledger: { leaf_index: 42, leaf_hash: RECORD.ledger.leaf_hash, entry: '{}' },
    };
    const body = { ...RECORD, trace_refs: [trace] };
    const { stdout } = await runTranscript(['records', 'get', ID], { [`GET ${PATH}/${ID}`]: { body } });
    expect(stdout).toMatch(/0af7651916cd43dd8448eb211c80319c +b7ad6b7169203331 .*application support-bot +equal\n/);
  });

  it('keeps record, receipt and entry in files, byte by byte', async () => {
    const argv = ['records', 'get', ID, '--out', '/r.json', '--receipt-out', '/r.tlog-proof', '--entry-out', '/e'];
    const { files, stdout } = await runTranscript(argv, routes);
    expect(stdout).toBe('');
    expect(JSON.parse(files.get('/r.json') ?? '')).toEqual(RECORD);
    expect(files.get('/r.tlog-proof')).toBe(RECORD.receipt);
    expect(files.get('/e')).toBe(RECORD.ledger.entry);
  });

  it('ends with 1 for a record that does not exist', async () => {
    expect(await runTranscript(['records', 'get', ID])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('records create', () => {
  it('sends what the options say', async () => {
    const argv = [
      ...create,
      ...texts,
      '--source',
      'name=faq.md,hash=sha256:ff',
      '--source',
      'name=b',
      '--mode',
      'chat',
    ];
    const transcript = await runTranscript(argv, created);
    expect(transcript.exitCode).toBe(0);
    expect(JSON.parse(transcript.calls[0]?.body ?? '')).toEqual({
      application_key: 'support-bot',
      idempotency_key: 'msg-1',
      question: { text: 'Which plan?' },
      answer: { text: 'The small one.' },
      source_refs: [{ source_name: 'faq.md', source_hash: 'sha256:ff' }, { source_name: 'b' }],
      mode: 'chat',
    });
  });

  it('sends files as they are, line breaks and byte order marks included', async () => {
    const argv = [...create, '--question-file', '-', '--answer-file', '/a.txt'];
    const world = { stdin: '\ufeffWhy?\r\n', files: { '/a.txt': 'Because.\n' } };
    const { calls } = await runTranscript(argv, created, world);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      question: { text: '\ufeffWhy?\r\n' },
      answer: { text: 'Because.\n' },
    });
  });

  it('sends a whole request from a file, a __proto__ key included', async () => {
    const body =
      '{"application_key":"bot","idempotency_key":"k","question":{"text":"q"},"answer":{"text":"a"},"semantic_refs":[{"__proto__":1}]}';
    const { calls } = await runTranscript(['records', 'create', '--json', '-'], created, { stdin: body });
    expect(calls[0]?.body).toContain('"semantic_refs":[{"__proto__":1}]');
  });

  it('keeps the receipt and the entry, and says when the answer had been recorded before', async () => {
    const replayed = { status: 201, bodyFor: recordFor, headers: { 'idempotency-replayed': 'true' } };
    const argv = [...create, ...texts, '--receipt-out', '/r', '--entry-out', '/e'];
    const { files, stderr } = await runTranscript(argv, { [`POST ${PATH}`]: replayed });
    expect([files.get('/r'), files.get('/e')]).toEqual([RECORD.receipt, RECORD.ledger.entry]);
    expect(stderr).toContain('already recorded');
  });

  it('shows the id also when the receipt cannot be written', async () => {
    const transcript = await runTranscript([...create, ...texts, '--receipt-out', '/readonly/r'], created);
    expect(transcript).toMatchObject({ exitCode: 2, stderr: 'error: /readonly/r: the file system is read-only\n' });
    expect(transcript.stdout).toContain(RECORD.id);
  });

  it('ends with 1 for a conflict, after one attempt', async () => {
    const body = fakeProblem(409, 'idempotency_payload_mismatch', 'another request used this key');
    const transcript = await runTranscript([...create, ...texts], { [`POST ${PATH}`]: { status: 409, body } });
    expect(transcript.exitCode).toBe(1);
    expect(transcript.calls).toHaveLength(1);
  });

  it.each([
    ['no application', ['records', 'create', ...texts]],
    ['no answer', [...create, '--question-text', 'q']],
    ['text and file at once', [...create, ...texts, '--answer-file', '/a']],
    ['both texts from standard input', [...create, '--question-file', '-', '--answer-file', '-']],
    ['a file that is not there', [...create, '--question-text', 'q', '--answer-file', '/gone']],
    ['a hash of another form', [...create, '--question-hash', 'md5:1', '--answer-text', 'a']],
    ['a whole request and a part', ['records', 'create', '--json', '-', '--mode', 'x']],
    ['a request that is not JSON', ['records', 'create', '--json', '-']],
  ])('refuses %s before it sends anything', async (_, argv) => {
    expect(await runTranscript(argv, created, { stdin: '{' })).toMatchObject({ exitCode: 2, seen: [], stdout: '' });
  });
});

describe('records event', () => {
  const routes = { [`POST ${PATH}/${ID}/events`]: { bodyFor: recordAfter } };

  it('sends the event with its payload', async () => {
    const argv = ['records', 'event', ID, '--type', 'redacted', '--reason', 'gdpr', '--reason-code', 'erasure'];
    const refs = ['--redact-source-ref', 's-1', '--redact-semantic-refs', '--redact-event', ID, '--redact-event', ID];
    const more = [...refs, '--payload', '-'];
    const transcript = await runTranscript([...argv, ...more], routes, { stdin: '{"ticket":7}' });
    expect(transcript.exitCode).toBe(0);
    expect(JSON.parse(transcript.calls[0]?.body ?? '')).toEqual({
      event_type: 'redacted',
      reason: 'gdpr',
      payload: {
        ticket: 7,
        reason_code: 'erasure',
        redact_source_ref_ids: ['s-1'],
        redact_semantic_refs: true,
        redact_event_ids: [ID, ID],
      },
    });
  });

  it.each([
    ['privacy', '(erased: privacy)'],
    [null, '(erased)'],
  ])('says of a reason that is gone that it was erased, with the reason code %s', async (code, shown) => {
    const tombstone = { event_id: ID, reason_code: code, redacted_at: AT };
    const events = (RECORD.events ?? []).map((event) => ({ ...event, reason: null, reason_tombstone: tombstone }));
    const reply = { [`GET ${PATH}/${ID}`]: { body: { ...RECORD, events } } };
    const { stdout } = await runTranscript(['records', 'get', ID], reply);
    expect(stdout.split('\n').filter((line) => line.includes(shown))).toHaveLength(1);
  });

  it('says what a redaction took away of evidence, and who else has the bytes', async () => {
    const other = ID.replace(/1$/, '2');
    const redacted = { asset_id: ID, entry_id: ID, segment_ids: [ID], original: 'shared', also_held_by: [other] };
    const bodyFor = (request: SeenRequest) => {
      const record = recordAfter(request);
      return { ...record, events: record.events.map((event) => ({ ...event, redacted_evidence: [redacted] })) };
    };
    const reply = { [`POST ${PATH}/${ID}/events`]: { bodyFor } };
    const { stdout } = await runTranscript(['records', 'event', ID, '--type', 'redacted'], reply);
    expect(stdout).toMatch(new RegExp(`^1 +${ID} +1 +shared +${other}$`, 'm'));
    expect((await runTranscript(['records', 'event', ID, '--type', 'voided'], routes)).stdout).not.toContain(
      'ALSO HELD',
    );
  });

  it.each([
    ['no type', []],
    ['an unknown type', ['--type', 'deleted']],
    ['a reason that is too long', ['--type', 'voided', '--reason', 'x'.repeat(4001)]],
    ['a payload that is no object', ['--type', 'voided', '--payload', '-']],
    ['an idempotency key that no header holds', ['--type', 'voided', '--idempotency-key', 'a b']],
  ])('refuses %s', async (_, options) => {
    expect(await runTranscript(['records', 'event', ID, ...options], routes, { stdin: '[]' })).toMatchObject({
      exitCode: 2,
      seen: [],
    });
  });
});

describe('records export', () => {
  const window = (body: string, next?: string) => ({
    body,
    headers: {
      'export-matching': '3',
      'export-truncated': String(next !== undefined),
      ...(next === undefined ? {} : { 'export-next-created-after': next }),
    },
  });
  const LATER = '2026-11-20T10:00:00.000000Z';
  const routes = { [`GET ${PATH}/export`]: [window('{"a":1}\n{"a":2}\n', LATER), window('{"a":3}\n')] };

  it('writes one request to standard output, and says what was left out', async () => {
    const transcript = await runTranscript(['records', 'export', '--format', 'jsonl'], routes);
    expect(transcript).toMatchObject({ exitCode: 0, stdout: '{"a":1}\n{"a":2}\n' });
    expect(transcript.stderr).toContain(`--created-after ${LATER}`);
    expect(transcript.calls.map((call) => call.query)).toEqual(['?format=jsonl']);
  });

  it('writes everything to a file with --all, with progress on a terminal', async () => {
    const argv = ['records', 'export', '--format', 'jsonl', '--all', '--out', '/all.jsonl', '--application', 'bot'];
    const transcript = await runTranscript(argv, routes, { isTerminal: true });
    expect(transcript.files.get('/all.jsonl')).toBe('{"a":1}\n{"a":2}\n{"a":3}\n');
    expect(transcript.stderr).toContain('exported 3 of 3 records');
    expect(transcript.calls[1]?.query).toContain(`created_after=${encodeURIComponent(LATER)}`);
  });

  it('asks for CSV that Excel reads, with the mark only once in a file of several requests', async () => {
    const parts = [window('\uFEFFid\r\n1\r\n', LATER), window('id\r\n2\r\n')];
    const argv = ['records', 'export', '--format', 'csv', '--all', '--out', '/all.csv'];
    const { files, calls } = await runTranscript([...argv, '--excel'], { [`GET ${PATH}/export`]: parts });
    expect(files.get('/all.csv')).toBe('\uFEFFid\r\n1\r\n2\r\n');
    expect(calls.map(({ query }) => new URLSearchParams(query).get('bom'))).toEqual(['true', null]);
    expect(calls.map(({ query }) => new URLSearchParams(query).get('cell_length_max'))).toEqual(['32767', '32767']);
  });

  it.each([
    ['--format', 'jsonl', '--bom'],
    ['--format', 'jsonl', '--excel'],
    ['--format', 'csv', '--max-cell-length', '5'],
  ])('refuses %s %s %s', async (...argv) => {
    expect(await runTranscript(['records', 'export', ...argv], {})).toMatchObject({ exitCode: 2, seen: [] });
  });

  it('leaves no file behind when a later request fails', async () => {
    const argv = ['records', 'export', '--format', 'jsonl', '--all', '--out', '/all.jsonl'];
    const failing = { [`GET ${PATH}/export`]: [window('{"a":1}\n', LATER), { status: 403, body: 'no' }] };
    const transcript = await runTranscript(argv, failing);
    expect(transcript.exitCode).toBe(1);
    expect(transcript.files.has('/all.jsonl')).toBe(false);
  });

  it('shows no acting character on a terminal, and gives programs every byte', async () => {
    const hostile = { [`GET ${PATH}/export`]: window('a\r\n\u001b[2J\r\n') };
    const argv = ['records', 'export', '--format', 'csv'];
    expect((await runTranscript(argv, hostile, { isTerminal: true })).stdout).not.toContain('\u001b');
    expect((await runTranscript(argv, hostile)).stdout).toBe('a\r\n\u001b[2J\r\n');
  });
});

describe('records verify', () => {
  it.each([
    [['PASS', 'NA', 'SKIP'] as const, 0, '1 PASS, 0 FAIL, 1 SKIP (record_hash), 1 NA'],
    [['PASS', 'FAIL'] as const, 1, '1 PASS, 1 FAIL, 0 SKIP, 0 NA'],
  ])('shows every check of %j and ends with %i', async (outcomes, exitCode, counts) => {
    const routes = { [`GET ${PATH}/${ID}/ledger/verify`]: { body: createVerification(outcomes) } };
    const transcript = await runTranscript(['records', 'verify', ID], routes);
    expect(transcript.exitCode).toBe(exitCode);
    for (const outcome of outcomes) {
      expect(transcript.stdout).toContain(`${outcome.padEnd(4)}  record_hash\n      It came to ${outcome}.\n`);
    }
    expect(transcript.stdout.split('Limit: that the answer is true')).toHaveLength(outcomes.length + 1);
    expect(transcript.stdout).toContain(`\n${counts}\n`);
    const json = await runTranscript(['records', 'verify', ID, '--output', 'json'], routes);
    expect(json.exitCode).toBe(exitCode);
    expect(JSON.parse(json.stdout)).toEqual(createVerification(outcomes));
  });
});
