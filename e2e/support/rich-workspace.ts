import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { commitPlain } from '@answer-evidence/commitments';
import { canonicalize } from '@answer-evidence/encoding';
import { createTraceCommand } from '@answer-evidence/ledger';
import { until } from '../../tools/scenery/service-process.ts';
import { openStoresOn } from '../../tools/scenery/stores-on.ts';
import { answer, openTestService, type Reply, type TestService } from '../../tools/scenery/test-service.ts';
import { attestLog } from './attested-log.ts';

const RECORDS = '/api/answer-audit-logs';
const AT_ONCE = 64;
/** How many more records fill a tile. */
const FILLING = 190;

/** Creates many cheap records, as many at once as a busy application would. */
export async function createMany(
  service: TestService,
  count: number,
  bodyOf: (n: number) => object,
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n);
    replies.push(...(await Promise.all(numbers.map((n) => expectCreated(service, bodyOf(n))))));
  }
  return replies;
}

async function expectCreated(service: TestService, body: object): Promise<Reply> {
  return expectStatus(201, await service.call('POST', RECORDS, { body }));
}

function expectStatus(status: number, reply: Reply): Reply {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
  return reply;
}

/** Creates records that fill a tile: without texts and in no run of reconciliation, which would be slow to check. */
export async function fillTile(service: TestService, count: number): Promise<readonly Reply[]> {
  const hash = commitPlain('never sent');
  return createMany(service, count, () => ({ application_key: 'another-bot', question: { hash }, answer: { hash } }));
}

const REFS = {
  semantic_refs: [{ concept: 'leave' }, { concept: 'notice' }],
  source_refs: [
    { source_ref_id: 'faq', source_name: 'faq.md' },
    { source_ref_id: 'handbook', source_name: 'handbook.pdf', page: 3 },
  ],
};

const IDENTIFIED = {
  external_trace_id: 'trace-1',
  external_message_id: 'message-1',
  mode: 'chat',
  actor_id_hash: 'actor-1',
  session_id_hash: 'session-1',
};

/** A workspace that holds a record of every kind: its service, and their ids by what happened to them. */
type RichWorkspace = { readonly service: TestService; readonly records: Readonly<Record<string, string>> };

/**
 * Opens a workspace with everything that can be stored: records of every commitment mode with and without keys and
 * refs, every event with and without a key, hash keys, tokens issued and revoked, an export, and published checkpoints
 * that are cosigned and anchored, by a log that changes its key; where asked for, so many leaves that a tile is full.
 */
export async function openRichWorkspace({ isTileFull }: { readonly isTileFull: boolean }): Promise<RichWorkspace> {
  const past = await keepAssetTwoDaysAgo();
  const present = await openTestService({ share: past });
  const service: TestService = {
    ...present,
    async close() {
      await present.close();
      await past.close();
    },
  };
  const records: Record<string, string> = {};
  const patch = async (body: object) =>
    expectStatus(200, await service.call('PATCH', '/api/tenant/settings', { body }));
  const create = async (name: string, body: object) => {
    records[name] = (await expectCreated(service, body)).body.id;
  };
  const append = async (name: string, body: object, key?: string) =>
    expectStatus(
      200,
      await service.call('POST', `${RECORDS}/${records[name]}/events`, {
        body,
        ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
      }),
    );

  // Later than a create takes on a busy machine.
  const soon = new Date(Date.now() + 4_000).toISOString();
  await create('expired', answer('what is kept for a moment', 'this', { ...REFS, retention_until: soon }));
  await create('plain', answer('a plain question'));
  await create('identified', answer('who asks', 'an answer', { ...REFS, ...IDENTIFIED, idempotency_key: 'message-1' }));
  await create('correctedTwice', answer('which is right', 'the first', { ...REFS, idempotency_key: 'twice' }));
  await create('voided', answer('what is void', 'this', { idempotency_key: 'voided' }));
  await create('redacted', answer('what is secret', 'this', { ...REFS, idempotency_key: 'redacted' }));
  await create('retained', answer('what is kept', 'this'));
  await patch({ answer_audit_accept_caller_hash: true });
  const hash = commitPlain('never sent');
  await create('hashOnly', { application_key: 'support-bot', question: { hash }, answer: { hash } });
  if (isTileFull) await fillTile(service, FILLING);
  expectStatus(201, await service.call('POST', '/api/tenant/hash-keys', { body: {} }));
  await patch({ answer_audit_accept_caller_hash: false, answer_audit_keyed_hash_enabled: true });
  await create('keyed', answer('a keyed question', 'a keyed answer', { ...REFS, idempotency_key: 'keyed' }));
  await create('keyedRedacted', answer('a keyed secret', 'a keyed answer'));
  await patch({ answer_audit_store_question_text: false, answer_audit_store_answer_text: false });
  await create('keyedDiscarded', answer('kept by nobody', 'neither'));

  await append('correctedTwice', { event_type: 'correction_appended', payload: { corrected_answer_hash: hash } });
  await append(
    'correctedTwice',
    {
      event_type: 'correction_appended',
      reason: 'the first was wrong',
      payload: { corrected_answer_text: 'the second', reviewer: 'r-7' },
    },
    'correct-1',
  );
  await patch({ answer_audit_store_question_text: true, answer_audit_store_answer_text: true });
  await append('keyed', {
    event_type: 'correction_appended',
    reason: 'a keyed correction',
    payload: { corrected_answer_text: 'a better keyed answer', reason_code: 'wrong' },
  });
  await append('voided', { event_type: 'voided', reason: 'never to be used' }, 'void-1');
  await append('retained', {
    event_type: 'retention_extended',
    payload: { retain_until: new Date(Date.now() + 30 * 86_400_000).toISOString() },
  });
  const redaction = { reason_code: 'privacy', redact_source_ref_ids: ['faq'], redact_semantic_refs: true };
  await append('redacted', { event_type: 'redacted', reason: 'asked for', payload: redaction });
  await append('keyedRedacted', { event_type: 'redacted' }, 'redact-1');

  await fillEvidence(service, records);
  await expireEvidence(service);
  await expireTexts(service, soon);
  await append('expired', { event_type: 'voided', reason: 'after its texts have expired' });

  await attachTraces(service, records.identified ?? '');
  await fillMembers(service);
  const scopes = ['answer_audit:create', 'answer_audit:read'];
  const bound = { kind: 'application', application_key: 'support-bot', scopes };
  expectStatus(201, await service.call('POST', '/api/tokens', { body: { ...bound, name: 'runtime' } }));
  expectStatus(201, await service.call('POST', '/api/tokens', { body: { kind: 'user', name: 'a user token' } }));
  const ended = expectStatus(201, await service.call('POST', '/api/tokens', { body: { ...bound, name: 'ended' } }));
  expectStatus(204, await service.call('DELETE', `/api/tokens/${ended.body.id}`));
  const rotate = async (name: string) => {
    const old = expectStatus(201, await service.call('POST', '/api/tokens', { body: { ...bound, name } })).body.id;
    const body = { overlap_seconds: 600 };
    expectStatus(201, await service.call('POST', `/api/tokens/${old}/rotate`, { body }));
    return old;
  };
  await rotate('rotated');
  expectStatus(204, await service.call('DELETE', `/api/tokens/${await rotate('cut off')}`));
  expectStatus(200, await service.call('GET', `${RECORDS}/export?format=csv&environment=nowhere`));
  await reconcile(service);
  const { items: keys } = (await service.call('GET', '/api/trust/keys')).body;
  expectStatus(201, await service.call('POST', '/api/trust/keys', { body: {} }));
  await attestLog(service);
  expectStatus(200, await service.call('POST', '/api/trust/keys/retire', { body: { vkey: keys[0].vkey } }));
  await addJobs(service);
  return { service, records };
}

/** Two runs, the second honouring the first: findings of all types but one, hashes of both kinds, opened texts. */
async function reconcile(service: TestService): Promise<void> {
  const now = Date.now();
  const at = (millis: number) => new Date(now + millis).toISOString();
  const reference = (id: string, more: object = {}) => ({ reference_id: id, occurred_at: at(0), ...more });
  const run = async (references: readonly object[], headers: Record<string, string> = {}) => {
    const body = {
      application_key: 'support-bot',
      window_start: at(-3_600_000),
      window_end: at(3_600_000),
      max_lateness_seconds: 60,
      match_on: 'idempotency_key',
      references,
    };
    const { id } = expectStatus(202, await service.call('POST', '/api/reconciliations/runs', { body, headers })).body;
    await until('a run', async () => {
      const { body: found } = await service.call('GET', `/api/reconciliations/runs/${id}`);
      return found.status === 'completed';
    });
    return String(id);
  };
  await run([reference('voided'), reference('message-1', { answer_hash: commitPlain('an answer') })]);
  const runId = await run(
    [
      reference('keyed', { question_hash: commitPlain('a keyed question') }),
      reference('twice', { answer_hash: commitPlain('never given') }),
      reference('nobody', { question_hash: commitPlain('asked') }),
      reference('nobody'),
    ],
    { 'Idempotency-Key': 'nightly' },
  );
  const steps = `/api/reconciliations/runs/${runId}/triage/0/steps`;
  const { id: userId } = expectStatus(200, await service.call('GET', '/api/whoami')).body;
  for (const body of [
    { action: 'assign', assignee_id: userId },
    { action: 'comment', text: 'a comment' },
    { action: 'resolve', resolution: 'accepted', text: 'a reason' },
    { action: 'erase', erases: 2 },
  ])
    expectStatus(200, await service.call('POST', steps, { body }));
}

/** Evidence of every kind, accessed in every way, beside a record, bound into records, redacted in part and whole. */
async function fillEvidence(service: TestService, records: Record<string, string>): Promise<void> {
  const keep = async (body: object, headers = {}, path = '/api/evidence-assets') =>
    expectStatus(201, await service.call('POST', path, { body: { application_key: 'support-bot', ...body }, headers }))
      .body;
  const ask = async (asset: { id: string }, how: string, body: object) =>
    expectStatus(200, await service.call('POST', `/api/evidence-assets/${asset.id}/${how}`, { body }));
  const base64 = Buffer.from([0, 1, 2, 3]).toString('base64');
  const passages = await keep(
    { segments: ['one', 'two'], name: 'faq.md', attributes: { page: 3 } },
    { 'Idempotency-Key': 'e-1' },
  );
  const bytes = await keep({ content_base64: base64 });
  await keep({ content_base64: base64, name: 'the same bytes' });
  await keep({ external_uri: 'https://example.com/', segments: ['quoted'] });
  await keep({ external_uri: 'urn:a' });
  const { body: retrieved } = await ask(passages, 'retrieve', { purpose: 'for an answer' });
  const one = { segment_ids: [retrieved.segments[1].segment_id] };
  const { body: part } = await ask(passages, 'retrieve', one);
  await ask(bytes, 'download', { purpose: 'to see it' });
  await keep({ name: 'beside', segments: ['beside'] }, {}, `${RECORDS}/${records['plain']}/evidence-assets/upload`);
  const bind = async (
    name: string,
    { source_ref: ref, access_event_id: id }: { source_ref: object; access_event_id: string },
  ) => {
    const more = { source_refs: [ref], evidence_access_event_ids: [id] };
    records[name] = (await expectCreated(service, answer(`what ${name} is`, 'this', more))).body.id;
  };
  await bind('bound', retrieved);
  const redact = async (name: string, kept: { source_ref: { source_ref_id: string } }) =>
    expectStatus(
      200,
      await service.call('POST', `${RECORDS}/${records[name]}/events`, {
        body: { event_type: 'redacted', payload: { redact_source_ref_ids: [kept.source_ref.source_ref_id] } },
      }),
    );
  await bind('redactedInPart', part);
  await redact('redactedInPart', part);
  const gone = await keep({ content_base64: Buffer.from('to be gone').toString('base64'), name: 'gone.txt' });
  const { body: whole } = await ask(gone, 'retrieve', { purpose: 'to be gone as well' });
  await bind('redactedWhole', whole);
  await redact('redactedWhole', whole);
}

/** Runs the sweep when the time has come, as another process of the service would. */
async function expireTexts(service: TestService, when: string): Promise<void> {
  await until('the end of a retention', () => Date.now() > Date.parse(when));
  const { stores, openStages } = await openStoresOn(service);
  try {
    for (const ticker of (await openStages(['ingest'])).flatMap((stage) => stage.tickers))
      await ticker.run(new AbortController().signal);
  } finally {
    await stores.close();
  }
}

/** The service as it was two days ago, stopped: it kept an asset for a day. */
async function keepAssetTwoDaysAgo(): Promise<TestService> {
  const realNow = Date.now;
  Date.now = () => realNow() - 2 * 86_400_000;
  try {
    const service = await openTestService();
    const days = { answer_audit_default_retention_days: 1 };
    expectStatus(200, await service.call('PATCH', '/api/tenant/settings', { body: days }));
    const asset = { application_key: 'support-bot', name: 'kept for a day', segments: ['soon gone'] };
    expectStatus(201, await service.call('POST', '/api/evidence-assets', { body: asset }));
    await service.stop();
    return service;
  } finally {
    Date.now = realNow;
  }
}

/** Runs the sweep, which finds the asset of two days ago, and keeps what comes next for a year. */
async function expireEvidence(service: TestService): Promise<void> {
  const { stores, openStages } = await openStoresOn(service);
  try {
    const stages = await openStages(['evidence']);
    for (const ticker of stages.flatMap((stage) => stage.tickers)) await ticker.run(new AbortController().signal);
  } finally {
    await stores.close();
  }
  const days = { answer_audit_default_retention_days: 365 };
  expectStatus(200, await service.call('PATCH', '/api/tenant/settings', { body: days }));
}

/** Attaches a span, and a log record that names none, to a record. */
async function attachTraces(service: TestService, recordId: string): Promise<void> {
  const { stores } = await openStoresOn(service);
  try {
    const { id: workspaceId } = (await service.call('GET', '/api/whoami')).body.workspace;
    const span = { signal: 'span', span_id: 'b7ad6b7169203331', started_at: 1_767_000_000_000_000 } as const;
    const log = { signal: 'log', span_id: null, started_at: null } as const;
    for (const [n, named] of [span, log].entries()) {
      const command = createTraceCommand({
        record_id: recordId,
        id: randomUUID(),
        nonce: randomBytes(16),
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        commitments: n === 0 ? 'equal' : 'absent',
        actor_json: canonicalize({ kind: 'application', id: 'support-bot', token_id: null }),
        ...named,
      });
      await stores.ledger.append(workspaceId, () => command);
    }
  } finally {
    await stores.close();
  }
}

/** Puts a job that is due in years, and one that was given up. */
async function addJobs(service: TestService): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into answer_evidence.outbox (workspace_id, id, topic, created_at, due_at)
         select id, gen_random_uuid(), 'trust.run', 1, 4e15 from answer_evidence.workspaces`,
    );
    await client.query(
      `insert into answer_evidence.dead_letters
         (workspace_id, id, topic, attempts, reason_code, reason_detail, created_at, failed_at)
         select id, gen_random_uuid(), 'trust.run', 8, 'internal', 'for a test', 1, 2 from answer_evidence.workspaces`,
    );
  } finally {
    await client.end();
  }
}

/** Members in every state: invited, with a password, linked to a subject, disabled, removed. */
async function fillMembers(service: TestService): Promise<void> {
  const add = async (username: string, role: string) =>
    expectStatus(201, await service.call('POST', '/api/members', { body: { username, role } })).body;
  await add('invited', 'member');
  const { password_link: link } = await add('signing', 'manager');
  const body = { secret: link.secret, password: 'a password of the tests' };
  expectStatus(200, await service.call('POST', '/api/auth/password', { token: null, body }));
  const login = { username: 'signing', password: body.password };
  expectStatus(200, await service.call('POST', '/api/auth/login', { token: null, body: login }));
  const { id: linked } = await add('linked', 'member');
  const provider = { issuer: 'https://login.example.com', subject: 'auth0|5f7c8ec7c33c6c004bbafe82' };
  expectStatus(200, await service.call('PATCH', `/api/members/${linked}`, { body: { provider } }));
  const { id: disabled } = await add('disabled', 'member');
  expectStatus(200, await service.call('PATCH', `/api/members/${disabled}`, { body: { disabled: true } }));
  const { id: removed } = await add('removed', 'member');
  expectStatus(204, await service.call('DELETE', `/api/members/${removed}`));
}
