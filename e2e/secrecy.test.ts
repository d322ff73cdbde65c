import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFreePort } from '@answer-evidence/testing';
import { OTEL, span, traces } from '../tools/scenery/otlp.ts';
import { readToken, startProcess, until } from '../tools/scenery/service-process.ts';

const RECORDS = '/api/answer-audit-logs';
/** The two files that exist to tell a person on this machine their secret. */
const TOLD_TO_THE_OPERATOR = new Set(['config.yaml', 'postgres.url']);

/** A word that occurs nowhere by chance, so long that no encoding error could hide all of it. */
const mark = (name: string) => `mark-${name}-${randomBytes(12).toString('hex')}`;

/** Submitted texts, which may leave the service only in answers to those who may read them. */
const TEXTS = {
  question: mark('question'),
  answer: mark('answer'),
  semanticRef: mark('semantic-ref'),
  sourceRef: mark('source-ref'),
  reason: mark('reason'),
  payload: mark('payload'),
  corrected: mark('corrected'),
  kept: mark('kept-question'),
  password: mark('password'),
  spanQuestion: mark('span-question'),
  spanAnswer: mark('span-answer'),
  spanPrompt: mark('span-prompt'),
  person: mark('person'),
  session: mark('session'),
};
/** Of a span: kept, and shown to those who may read its record. */
const TRACE_ID = randomBytes(16).toString('hex');
const PEOPLE_TRACE = randomBytes(16).toString('hex');
const HELD_TRACE = randomBytes(16).toString('hex');
/** What is sent where the service has no place for it. */
const STRAYS = {
  header: mark('header'),
  query: mark('query'),
  path: mark('path'),
  malformed: mark('malformed'),
  unknownField: mark('unknown-field'),
  wrongType: mark('wrong-type'),
  refused: mark('refused-text'),
  mismatched: mark('mismatched-text'),
  deep: mark('deep'),
  duplicate: mark('duplicate'),
  nul: mark('nul'),
  garbageToken: mark('garbage-token'),
  cursor: mark('cursor'),
  event: mark('unknown-event'),
  wrongPassword: mark('wrong-password'),
  large: mark('large'),
  spanBroken: mark('span-broken'),
  spanRefused: mark('span-refused'),
};

let dataDir: string;
let baseUrl: string;
let managerToken: string;
let tokens: readonly string[];
let output = '';
let metrics = '';
let exitCode: number | null;
const refusals: { readonly status: number; readonly text: string }[] = [];
/** Successes that tell what was not taken. */
const replies: string[] = [];
let liveRows = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-secrecy-'));
  const metricsPort = String(await findFreePort());
  const environment = { SERVICE_LOG_LEVEL: 'debug', SERVICE_METRICS_PORT: metricsPort };
  const service = startProcess({ dataDir, environment });
  try {
    baseUrl = await service.ready;
    managerToken = await readToken(dataDir);
    tokens = await useEverything();
    await misuseEverything();
    metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    liveRows = await readAllRows();
  } finally {
    exitCode = (await service.stop()).code;
    output = [...service.stdout, ...service.stderr].join('\n');
  }
}, 120_000);
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${managerToken}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function expectOk(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any> {
  const { status, text } = await call(method, path, body, headers);
  if (status >= 300) throw new Error(`${method} ${path.slice(0, 40)}: ${status} ${text}`);
  return text === '' || path.includes('export') ? text : JSON.parse(text);
}

/** Uses every route with marked texts, and returns the tokens that were issued. */
async function useEverything(): Promise<readonly string[]> {
  const record = (question: string, more: object = {}) => ({
    application_key: 'support-bot',
    question: { text: question },
    answer: { text: TEXTS.answer },
    semantic_refs: [{ note: TEXTS.semanticRef }],
    source_refs: [{ source_ref_id: 's1', quote: TEXTS.sourceRef }],
    ...more,
  });
  const bound = { kind: 'application', application_key: 'support-bot', scopes: ['answer_audit:create'] };
  const issued = [
    await expectOk('POST', '/api/tokens', { kind: 'user', name: 'a user' }),
    await expectOk('POST', '/api/tokens', { ...bound, name: 'an application' }),
    await expectOk('POST', '/api/tokens', { ...bound, name: 'revoked soon' }),
  ];
  const [user, application, revoked] = issued.map(({ token }) => token);
  await expectOk('POST', RECORDS, record(TEXTS.kept), { Authorization: `Bearer ${application}` });
  await sendSpans(String(application));
  await namePeople(String(application));
  for (const keyed of [false, true]) {
    await expectOk('PATCH', '/api/tenant/settings', { answer_audit_keyed_hash_enabled: keyed });
    const { id } = await expectOk('POST', RECORDS, record(TEXTS.question, { idempotency_key: `key-${keyed}` }));
    const event = { reason: TEXTS.reason, payload: { note: TEXTS.payload } };
    const corrected = { ...event.payload, corrected_answer_text: TEXTS.corrected };
    const path = `${RECORDS}/${id}/events`;
    await expectOk('POST', path, { event_type: 'correction_appended', reason: TEXTS.reason, payload: corrected });
    await expectOk('GET', `${RECORDS}/${id}`, undefined, { Authorization: `Bearer ${user}` });
    await expectOk('GET', `${RECORDS}/${id}/ledger/verify`);
    await expectOk('GET', `/api/trust/proofs/answers/${id}`);
    await expectOk('GET', `${RECORDS}/export?format=csv`);
    const redacted = { ...event.payload, redact_source_ref_ids: ['s1'], redact_semantic_refs: true };
    await expectOk('POST', path, { event_type: 'redacted', reason: TEXTS.reason, payload: redacted });
  }
  await expectOk('POST', '/api/trust/ledger-checks');
  await expectOk('DELETE', `/api/tokens/${issued[2].id}`);
  refusals.push(await call('GET', RECORDS, undefined, { Authorization: `Bearer ${revoked}` }));
  const member = await expectOk('POST', '/api/members', { username: 'anna' });
  const { secret } = member.password_link;
  await expectOk('POST', '/api/auth/password', { secret, password: TEXTS.password });
  const login = { username: 'anna', password: TEXTS.password };
  const { token: signedIn } = await expectOk('POST', '/api/auth/login', login);
  refusals.push(await call('POST', '/api/auth/login', { ...login, password: STRAYS.wrongPassword }));
  refusals.push(await call('POST', '/api/auth/login', { username: STRAYS.wrongPassword, password: TEXTS.password }));
  refusals.push(await call('POST', '/api/auth/password', { secret, password: STRAYS.wrongPassword }));
  refusals.push(await call('POST', '/api/auth/password', { secret: STRAYS.garbageToken, password: TEXTS.password }));
  const reset = await expectOk('PATCH', `/api/members/${member.id}`, { password_reset: true });
  return [managerToken, user, application, revoked, secret, signedIn, reset.password_link.secret];
}

/** Has a record made of a span, and waits for it; of another span only its texts come, which are refused. */
async function sendSpans(token: string): Promise<void> {
  const texts = { 'service.audit.question_text': TEXTS.spanQuestion, 'service.audit.answer_text': TEXTS.spanAnswer };
  const dropped = { 'app.prompt': TEXTS.spanPrompt, 'enduser.id': TEXTS.spanPrompt };
  const taken = { ...span(1, { 'service.audit.idempotency_key': 'span', ...texts, ...dropped }), traceId: TRACE_ID };
  const foreign = { ...span(2, { ...texts, 'app.prompt': STRAYS.spanRefused }), traceId: TRACE_ID };
  const headers = { Authorization: `Bearer ${token}` };
  await expectOk('POST', `${OTEL}/v1/traces`, traces([taken]), headers);
  const rejected = await call('POST', `${OTEL}/v1/traces`, traces([foreign], STRAYS.spanRefused), headers);
  expect(rejected.text).toContain('rejectedSpans');
  replies.push(rejected.text);
  await until('the record of the span', async () => {
    return (await expectOk('GET', `${RECORDS}?idempotency_key=span`)).items.length === 1;
  });
}

/** Sends spans that name a person, in a workspace that hashes them; one is held until after the rows are read. */
async function namePeople(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const named = { 'user.id': TEXTS.person, 'gen_ai.conversation.id': TEXTS.session };
  const texts = { 'service.audit.question_text': TEXTS.spanQuestion, 'service.audit.answer_text': TEXTS.spanAnswer };
  const marked = {
    ...span(1, { 'service.audit.idempotency_key': 'named', ...texts, ...named }),
    traceId: PEOPLE_TRACE,
  };
  const said = JSON.stringify([{ role: 'assistant', content: TEXTS.spanAnswer }]);
  const held = {
    ...span(2, { 'gen_ai.output.messages': said, ...named }),
    traceId: HELD_TRACE,
    parentSpanId: 'f'.repeat(16),
  };
  const refused = { ...span(3, { 'service.audit.question_hash': TEXTS.person, ...named }), traceId: PEOPLE_TRACE };
  await expectOk('PATCH', '/api/tenant/settings', { answer_audit_otlp_hash_user_ids: true });
  replies.push(JSON.stringify(await expectOk('POST', `${OTEL}/v1/traces`, traces([marked, held, refused]), headers)));
  const { items } = await expectOk('POST', '/api/tenant/id-hashes', { kind: 'actor', id: TEXTS.person });
  refusals.push(await call('POST', '/api/tenant/id-hashes', { kind: 'actor', id: [TEXTS.person] }));
  await until('the record that names a person', async () => {
    return (await expectOk('GET', `${RECORDS}?actor_id_hash=${items[0].hash}`)).items.length === 1;
  });
}

/** Sends marks along every way on which a request is refused. */
async function misuseEverything(): Promise<void> {
  const base = { application_key: 'support-bot', question: { text: STRAYS.refused }, answer: { text: STRAYS.refused } };
  const refuse = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    refusals.push(await call(method, path, body, headers));
  };
  await refuse('POST', RECORDS, `{"question": "${STRAYS.malformed}`);
  await refuse('POST', RECORDS, { ...base, [STRAYS.unknownField]: 1 });
  await refuse('POST', RECORDS, { ...base, environment: [STRAYS.wrongType] });
  await refuse('POST', RECORDS, { ...base, retention_until: STRAYS.wrongType });
  await refuse('POST', RECORDS, { ...base, question: { text: STRAYS.mismatched, hash: `sha256:${'0'.repeat(64)}` } });
  await refuse('POST', RECORDS, { ...base, question: { hash: STRAYS.mismatched } });
  await refuse('POST', RECORDS, { ...base, source_refs: [{ source_ref_id: `${STRAYS.refused} ` }] });
  await refuse('POST', RECORDS, { ...base, idempotency_key: 'key-true' });
  await refuse('POST', RECORDS, { ...base, semantic_refs: [{ note: `${STRAYS.nul}\u0000` }] });
  await refuse('POST', RECORDS, `{"mode": "${STRAYS.duplicate}", "mode": "${STRAYS.duplicate}"}`);
  await refuse('POST', RECORDS, `${'['.repeat(100)}"${STRAYS.deep}"${']'.repeat(100)}`);
  await refuse('POST', RECORDS, { ...base, answer: { text: STRAYS.large.repeat(10_000) } });
  await refuse('POST', RECORDS, { ...base, answer: { text: STRAYS.large.repeat(40_000) } });
  await refuse('POST', RECORDS, base, { 'Content-Type': `text/${STRAYS.header}` });
  await refuse('POST', RECORDS, base, { 'Idempotency-Key': 'x'.repeat(300) + STRAYS.header });
  await refuse('GET', RECORDS, undefined, { 'Service-Version': STRAYS.header });
  await refuse('POST', OTEL, `{"resourceSpans": [{"${STRAYS.spanBroken}`);
  await refuse('POST', OTEL, `{"resourceSpans": "${STRAYS.spanBroken}"}`);
  await refuse('POST', OTEL, { resourceSpans: [] }, { Authorization: `Bearer ${STRAYS.garbageToken}` });
  await refuse('GET', `${OTEL}/unattached?trace_id=${STRAYS.query}`);
  await refuse('GET', `${RECORDS}?application_key=${'x'.repeat(300)}${STRAYS.query}`);
  await refuse('GET', `${RECORDS}?${STRAYS.query}=1`);
  await refuse('GET', `${RECORDS}?created_after=${STRAYS.query}`);
  await refuse('GET', `${RECORDS}?cursor=${STRAYS.cursor}`);
  await refuse('GET', `${RECORDS}/${STRAYS.path}`);
  await refuse('GET', `/${STRAYS.path}`);
  await refuse('GET', `/%zz${STRAYS.path}`);
  await refuse('DELETE', `/api/tokens/${STRAYS.path}`);
  await refuse('GET', RECORDS, undefined, { Authorization: `Bearer ${STRAYS.garbageToken}` });
  await refuse('GET', RECORDS, undefined, { Authorization: STRAYS.garbageToken });
  await refuse('PATCH', '/api/tenant/settings', { [STRAYS.unknownField]: true });
  await refuse('PATCH', '/api/tenant/settings', { answer_audit_hash_key_id: STRAYS.event });
  const { items } = await expectOk('GET', `${RECORDS}?size=1`);
  const path = `${RECORDS}/${items[0].id}/events`;
  await refuse('POST', path, { event_type: STRAYS.event });
  await refuse('POST', path, { event_type: 'voided', reason: STRAYS.event });
  await refuse('POST', path, { event_type: 'redacted', payload: { redact_source_ref_ids: [STRAYS.event] } });
  await refuse('POST', path, { event_type: 'redacted', payload: { redact_source_ref_ids: STRAYS.event } });
}

/** Every live row of every table, with bytes as hex, and searched below also for texts as hex. */
async function readAllRows(): Promise<string> {
  const client = new pg.Client({ connectionString: (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim() });
  await client.connect();
  await client.query('set xmlbinary = hex');
  try {
    const { rows } = await client.query<{ xml: string }>(
      `select schema_to_xml('answer_evidence', true, true, '')::text
         || schema_to_xml('answer_evidence_parts', true, true, '')::text as xml`,
    );
    return rows[0]?.xml ?? '';
  } finally {
    await client.end();
  }
}

/** What must be nowhere in clear: texts and strays in the encodings that a careless writer would use, and tokens. */
function secrets(): readonly (readonly [string, string])[] {
  const marks = Object.entries({ ...TEXTS, ...STRAYS });
  const encoded = marks.flatMap(([name, text]) => [
    [name, text] as const,
    // A mark's middle, so that what stands before it does not shift the encoding.
    [`${name} as hex`, Buffer.from(text.slice(-24)).toString('hex')] as const,
    [`${name} as base64`, Buffer.from(text.slice(-24)).toString('base64').slice(0, 30)] as const,
  ]);
  return [...encoded, ...tokens.map((token, n) => [`secret of token ${n}`, token.slice(-40)] as const)];
}

function findSecrets(text: string): readonly string[] {
  return secrets().flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
}

async function* filesOf(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (entry.isFile()) yield path;
  }
}

describe('after a run full of secrets, at log level debug', () => {
  it('was refused what should be refused, without an internal error, and stopped in order', () => {
    expect(refusals.map(({ status }) => status).filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(30);
    expect(exitCode).toBe(0);
  });

  it('wrote log lines, and no text, stray word or token among them', () => {
    expect(output).toContain('"route":"/api/answer-audit-logs"');
    expect(output).toContain('"status":422');
    expect(findSecrets(output)).toEqual([]);
    expect(output).not.toContain(TRACE_ID);
  });

  it('shows none in its metrics', () => {
    expect(metrics).toContain('http_request_duration_seconds');
    expect(findSecrets(metrics)).toEqual([]);
    expect(metrics).not.toContain(TRACE_ID);
  });

  it('echoes none in an error body', () => {
    // The place of an unknown field is its name: without it nobody could find the fault.
    const isNamed = (name: string) => name.startsWith('unknownField') || name.startsWith('query');
    const shown = refusals.flatMap(({ text }) => findSecrets(text)).filter((name) => !isNamed(name));
    expect(shown).toEqual([]);
    expect(replies.flatMap(findSecrets)).toEqual([]);
  });

  it('left none in clear in any file of the data folder', async () => {
    const found: string[] = [];
    let files = 0;
    for await (const path of filesOf(dataDir)) {
      if (TOLD_TO_THE_OPERATOR.has(relative(dataDir, path))) continue;
      files += 1;
      found.push(...findSecrets(await readFile(path, 'latin1')).map((name) => `${relative(dataDir, path)}: ${name}`));
    }
    expect(found).toEqual([]);
    // PostgreSQL's own files were among them.
    expect(files).toBeGreaterThan(500);
  });

  it('would have found what is stored in clear', async () => {
    let found = 0;
    for await (const path of filesOf(join(dataDir, 'postgres'))) {
      if ((await readFile(path, 'latin1')).includes('support-bot')) found += 1;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('holds no sealed contents of a redacted record but those of its redaction', () => {
    expect(liveRows).toContain('support-bot');
    const count = (pattern: RegExp) => [...liveRows.matchAll(pattern)].length;
    // One record was kept, and two of spans; of each of the two redacted ones the redaction's own reason and payload.
    expect(count(/<sealed_contents_\w+>/g)).toBe(3 + 2);
    expect(count(/<status>redacted<\/status>/g)).toBe(2);
    expect(findSecrets(liveRows)).toEqual([]);
  });

  it('keeps of a user token no more than the hash of its secret', () => {
    const [manager = ''] = tokens;
    // A secret may hold an underscore of its own.
    const [, encoded = ''] = /^aeu_[^_]+_(.+)$/.exec(manager) ?? [];
    const secret = Buffer.from(encoded, 'base64url');
    expect(secret).toHaveLength(32);
    expect(liveRows).toContain(createHash('sha256').update(secret).digest('hex'));
    expect(liveRows).not.toContain(secret.toString('hex'));
  });
});
