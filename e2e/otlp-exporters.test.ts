import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import pg from 'pg';
import { type ProofBundle, proofBundle, trustFile } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import {
  type Exporter,
  type ExporterKind,
  EXPORTERS,
  type ExporterSettings,
  openExporter,
} from '@answer-evidence/testing/exporters';
import { GRPC_EXPORTERS } from '@answer-evidence/testing/grpc-exporters';
import { verifyBundle } from '@answer-evidence/verify';
import { until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { type Instead, type KillingProxy, openKillingProxy } from './support/killing-proxy.ts';

const PATH = '/api/answer-audit-logs/otel';
const APPLICATION = 'helpdesk';
const BUSY: Instead = { status: 503, headers: { 'Retry-After': '0' } };
const PERSON = 'somebody@example.com';

let service: TestService;
let proxy: KillingProxy;
let database: pg.Client;
let workspaceId: string;
let token: string;
/** What stands for the person of `answered` in this workspace. */
let personHash: string;
const opened: Exporter[] = [];

beforeAll(async () => {
  service = await openTestService({ environment: { SERVICE_OTLP_GRPC_PORT: '0' } });
  proxy = await openKillingProxy(service.baseUrl);
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
  workspaceId = (await service.call('GET', '/api/whoami')).body.workspace.id;
  await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_otlp_hash_user_ids: true } });
  const hashed = await service.call('POST', '/api/tenant/id-hashes', { body: { kind: 'actor', id: PERSON } });
  personHash = hashed.body.items[0].hash;
  const body = {
    kind: 'application',
    name: 'exporters',
    application_key: APPLICATION,
    scopes: ['answer_audit:create'],
  };
  token = (await service.call('POST', '/api/tokens', { body })).body.token;
});
afterEach(async () => {
  for (const exporter of opened.splice(0)) await exporter.close();
});
afterAll(async () => {
  await database.end();
  await proxy.close();
  await service.close();
});

function open(kind: ExporterKind, options: Partial<ExporterSettings> = {}): Exporter {
  const exporter = openExporter({
    ...kind,
    endpoint: kind.encoding === 'grpc' ? `http://127.0.0.1:${service.grpcPort}` : service.baseUrl + PATH,
    token,
    isCompressed: false,
    resource: { 'service.name': APPLICATION, 'deployment.environment.name': 'test' },
    ...options,
  });
  opened.push(exporter);
  return exporter;
}

/** Attributes of an answer, and a value that must never be stored. */
function answered(question: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const answer = `The answer to ${question}`;
  return {
    'service.audit.question_text': question,
    'service.audit.answer_text': answer,
    'enduser.id': PERSON,
    ...more,
  };
}

/** The records of a trace, once everything that was accepted is worked off. */
async function recordsOf(traceId: string): Promise<readonly { readonly id: string }[]> {
  await until('the inbox to be empty', async () => {
    const { rows } = await database.query<{ left: string }>(
      'select count(*) as left from answer_evidence.otlp_inbox where workspace_id = $1',
      [workspaceId],
    );
    return rows[0]?.left === '0';
  });
  const list = await service.call('GET', `/api/answer-audit-logs?external_trace_id=${traceId}`);
  return list.body.items;
}

/** Outcomes of checks of a record's bundle, made without the service. */
async function verifyOffline(id: string): Promise<Readonly<Record<string, string>>> {
  const proof = await service.call('GET', `/api/trust/proofs/answers/${id}`);
  const bundle: ProofBundle = proofBundle.parse(proof.body);
  const { origin, items } = (await service.call('GET', '/api/trust/keys')).body;
  const trust = trustFile.parse({
    format: 'answer-evidence-trust/v1',
    logs: [
      {
        origin,
        keys: items.map(({ vkey, first_tree_size, last_tree_size }: Record<string, unknown>) => ({
          vkey,
          first_tree_size,
          last_tree_size,
        })),
      },
    ],
    witness_policy: null,
    tsa_roots: [],
  });
  const { checks } = await verifyBundle(bundle, trust, { verifySignature });
  return Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome]));
}

describe.each([...EXPORTERS, ...GRPC_EXPORTERS])('the exporter of $signal in $encoding', (kind) => {
  it('is warned, without any refusal, where nothing of a batch is an answer', async () => {
    const warned: string[] = [];
    const pass = () => undefined;
    const warn = (...words: readonly unknown[]) => warned.push(words.join(' '));
    diag.setLogger({ error: pass, warn, info: pass, debug: pass, verbose: pass }, DiagLogLevel.WARN);
    try {
      const exporter = open(kind);
      exporter.record({ 'http.route': '/ask' });
      expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);
    } finally {
      diag.disable();
    }
    expect(warned.join()).toContain('1 of 1 items have the reason unrelated');
    expect(warned.join()).not.toMatch(/"rejected\w+":"?[1-9]/);
  });

  it.each([false, true])('leaves a record that verifies offline, compressed: %s', async (isCompressed) => {
    const question = `How late is it, ${kind.signal} ${kind.encoding} ${isCompressed}?`;
    const exporter = open(kind, { isCompressed });
    const { traceId, spanId } = exporter.record(answered(question, { 'session.id_hash': 'a-session' }));
    expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);

    const [record, ...others] = await recordsOf(traceId);
    expect(others).toEqual([]);
    const { body } = await service.call('GET', `/api/answer-audit-logs/${record?.id}`);
    expect(body).toMatchObject({
      application_key: APPLICATION,
      environment: 'test',
      idempotency_key: `otlp:${traceId}:${spanId}`,
      question: { text: question },
      answer: { text: `The answer to ${question}` },
      actor_id_hash: personHash,
      session_id_hash: 'a-session',
      status: 'recorded',
    });
    expect(JSON.stringify(body)).not.toContain('somebody');

    const outcomes = await verifyOffline(body.id);
    expect(Object.values(outcomes)).not.toContain('FAIL');
    expect(outcomes).toMatchObject({
      merkle_inclusion: 'PASS',
      checkpoint_signature: 'PASS',
      question_commitment: 'PASS',
    });
  });

  it('loses one bad item of many, and no other', async () => {
    const exporter = open(kind);
    const good = Array.from({ length: 20 }, (_unused, n) => exporter.record(answered(`Good ${n}`)));
    const bad = exporter.record(answered('Bad', { 'service.audit.answer_hash': 'no hash' }));
    expect(await exporter.flush()).toEqual([{ items: 21, error: undefined }]);
    for (const { traceId } of good) expect(await recordsOf(traceId)).toHaveLength(1);
    expect(await recordsOf(bad.traceId)).toEqual([]);
  });

  it('gives up at once on a token that may not create', async () => {
    const body = {
      kind: 'application',
      name: `reader-${kind.signal}-${kind.encoding}`,
      application_key: APPLICATION,
      scopes: ['answer_audit:read'],
    };
    const reader = await service.call('POST', '/api/tokens', { body });
    const exporter = open(kind, { token: reader.body.token });
    const { traceId } = exporter.record(answered('May I?'));
    // PERMISSION_DENIED, or what the exporters make of 403.
    const error = kind.encoding === 'grpc' ? { code: 7 } : { name: 'OTLPExporterError' };
    expect(await exporter.flush()).toMatchObject([{ items: 1, error }]);
    expect(await recordsOf(traceId)).toEqual([]);
  });
});

describe.each(EXPORTERS)('the exporter of $signal in $encoding, over HTTP,', (kind) => {
  it.each([
    ['503, and the batch was not taken', 'asked', BUSY],
    ['503, though the batch was taken', 'answered', BUSY],
    ['a cut connection, though the batch was taken', 'answered', undefined],
  ] as const)('sends again after %s, and leaves one record', async (_, passage, instead) => {
    const exporter = open(kind, { endpoint: proxy.url + PATH });
    let struck = 0;
    proxy.arm(passage, () => {
      struck++;
      return instead;
    });
    const { traceId } = exporter.record(answered(`Once or twice? ${passage}`));
    expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);
    expect(struck).toBe(1);
    expect(await recordsOf(traceId)).toHaveLength(1);
    expect((await service.call('GET', `/api/answer-audit-logs/otel/unattached`)).body.items).toEqual([]);
  });
});

describe('a call of a model, instrumented by nobody who knows this service', () => {
  it('leaves a record of its messages', async () => {
    const exporter = open(EXPORTERS[0]);
    const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
    const { traceId } = exporter.record({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.id': 'chatcmpl-123',
      'gen_ai.input.messages': message('user', 'Wie spät ist es? 🕰'),
      'gen_ai.output.messages': message('assistant', 'Zwölf.'),
    });
    await exporter.flush();
    const [record] = await recordsOf(traceId);
    const { body } = await service.call('GET', `/api/answer-audit-logs/${record?.id}`);
    expect(body).toMatchObject({
      question: { text: 'Wie spät ist es? 🕰' },
      answer: { text: 'Zwölf.' },
      external_message_id: 'chatcmpl-123',
    });
    expect(body.semantic_refs).toMatchObject([{ ref_type: 'model', provider: 'openai', request_model: 'gpt-4o' }]);
  });

  it('leaves no record when it belongs to another application', async () => {
    const exporter = open(EXPORTERS[0], { resource: { 'service.name': 'somebody-else' } });
    const { traceId } = exporter.record(answered('Whose is it?'));
    // A partial success: the exporter has nothing to try again.
    expect(await exporter.flush()).toEqual([{ items: 1, error: undefined }]);
    expect(await recordsOf(traceId)).toEqual([]);
  });
});
