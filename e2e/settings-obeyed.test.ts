import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commitPlain } from '@answer-evidence/commitments';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const FIRST_POLICY = {
  answer_audit_accept_text: true,
  answer_audit_accept_caller_hash: false,
  answer_audit_keyed_hash_enabled: false,
  answer_audit_store_question_text: true,
  answer_audit_store_answer_text: true,
  answer_audit_default_retention_days: 365,
};

/** Two processes on one database: what one is told, the other does next. */
let one: TestService;
let other: TestService;
beforeAll(async () => {
  one = await openTestService();
  other = await openTestService({ share: one });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

const create = (service: TestService, body: object, token?: string): Promise<Reply> =>
  service.call('POST', RECORDS, { body, ...(token === undefined ? {} : { token }) });

async function patch(body: object): Promise<void> {
  const reply = await one.call('PATCH', '/api/tenant/settings', { body });
  expect(reply.status).toBe(200);
}

async function makeHashKey(): Promise<string> {
  const reply = await one.call('POST', '/api/tenant/hash-keys');
  expect(reply.status).toBe(201);
  return reply.body.id;
}

const codeOf = ({ status, body }: Reply) => [status, body.code, body.errors?.[0]?.pointer];
const isReplay = ({ status, headers }: Reply) => status === 201 && headers.get('idempotency-replayed') === 'true';

const HASH = commitPlain('known to the caller only');
const hashOnly = (more: object = {}) => ({
  application_key: 'support-bot',
  question: { hash: HASH },
  answer: { hash: HASH },
  ...more,
});

beforeEach(async () => {
  await patch(FIRST_POLICY);
  // The other process has created under this policy, so it knows it, and the next one is news to it.
  expect((await create(other, answer('warm'))).status).toBe(201);
});

describe('the next create in another process, after a PATCH was answered 200', () => {
  it('is refused its text when text is no longer accepted', async () => {
    await patch({ answer_audit_accept_caller_hash: true, answer_audit_accept_text: false });
    expect(codeOf(await create(other, answer('a text')))).toEqual([422, 'text_not_accepted', '/question/text']);
    expect((await create(other, hashOnly())).status).toBe(201);
  });

  it('is committed to with the key when keyed hashing is on, and takes no hash', async () => {
    await patch({ answer_audit_keyed_hash_enabled: true });
    const made = await create(other, answer('a keyed text'));
    expect(made.body.question.hash).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    const { body: settings } = await other.call('GET', '/api/tenant/settings');
    expect(made.body.question.hash_key_id).toBe(settings.answer_audit_hash_key_id);
    const beside = { text: 'a keyed text', hash: commitPlain('a keyed text') };
    const refused = await create(other, answer('a keyed text', 'an answer', { question: beside }));
    expect(codeOf(refused)).toEqual([422, 'caller_hash_not_accepted', '/question/hash']);
  });

  it('may be a hash alone exactly while that is accepted', async () => {
    expect(codeOf(await create(other, hashOnly()))).toEqual([422, 'caller_hash_not_accepted', '/question/hash']);
    await patch({ answer_audit_accept_caller_hash: true });
    expect((await create(other, hashOnly())).body.question).toEqual({
      hash: HASH,
      hash_key_id: null,
      text: null,
      text_state: 'not_submitted',
    });
    await patch({ answer_audit_accept_caller_hash: false });
    expect(codeOf(await create(other, hashOnly()))).toEqual([422, 'caller_hash_not_accepted', '/question/hash']);
  });

  it('keeps just the texts that are to be stored', async () => {
    await patch({ answer_audit_store_question_text: false });
    const { body } = await create(other, answer('discard me', 'keep me'));
    const read = await one.call('GET', `${RECORDS}/${body.id}`);
    expect(read.body.question).toMatchObject({ text: null, text_state: 'discarded', hash: commitPlain('discard me') });
    expect(read.body.answer).toMatchObject({ text: 'keep me', text_state: 'stored' });
  });

  it('is retained by default for the days that were set', async () => {
    await patch({ answer_audit_default_retention_days: 1 });
    const { body } = await create(other, answer('short'));
    const days = (Date.parse(body.retention_until) - Date.parse(body.created_at)) / 86_400_000;
    expect(Math.round(days * 100) / 100).toBe(1);
  });

  it('is committed to with the hash key that was activated last', async () => {
    await patch({ answer_audit_keyed_hash_enabled: true });
    for (let turn = 0; turn < 3; turn++) {
      const keyId = await makeHashKey();
      expect((await create(other, answer('rotated'))).body.answer.hash_key_id).toBe(keyId);
    }
  });

  it('obeys also when many creates are on their way while the policy changes', async () => {
    const running = Array.from({ length: 60 }, () => create(other, answer('in between')));
    await patch({ answer_audit_store_answer_text: false });
    const after = await create(other, answer('after'));
    expect(after.body.answer.text_state).toBe('discarded');
    for (const reply of await Promise.all(running)) expect(reply.status).toBe(201);
    const checked = await one.call('POST', '/api/trust/ledger-checks');
    expect(checked.body.findings).toEqual([]);
  });
});

describe('a replay', () => {
  it('gives the record that an older policy made, whatever the policy is now', async () => {
    const body = answer('made before', 'an answer', { idempotency_key: 'before' });
    const first = await create(one, body);
    const policies = [
      { answer_audit_keyed_hash_enabled: true },
      { answer_audit_keyed_hash_enabled: false, answer_audit_store_question_text: false },
      { answer_audit_accept_caller_hash: true, answer_audit_accept_text: false },
    ];
    for (const policy of policies) {
      await patch(policy);
      const again = await create(other, body);
      expect(isReplay(again)).toBe(true);
      const { receipt: _first, ...whole } = first.body;
      const { receipt: _again, ...replayed } = again.body;
      expect(replayed).toEqual(whole);
      const different = await create(other, { ...body, question: { text: 'made after' } });
      expect(codeOf(different).slice(0, 2)).toEqual([409, 'idempotency_payload_mismatch']);
    }
  });

  it('gives the same record after a new hash key was activated', async () => {
    await patch({ answer_audit_keyed_hash_enabled: true });
    await makeHashKey();
    const body = answer('keyed before', 'an answer', { idempotency_key: 'keyed before' });
    const first = await create(one, body);
    const keyId = await makeHashKey();
    const again = await create(other, body);
    expect(isReplay(again)).toBe(true);
    expect(again.body.id).toBe(first.body.id);
    expect(again.body.question).toEqual(first.body.question);
    expect(again.body.question.hash_key_id).not.toBe(keyId);
  });

  it('is kept for as long as the floor says at the least, in the other process too', async () => {
    await patch({ answer_audit_default_retention_days: 365 });
    const kept = (key: string, days: number) =>
      create(other, {
        ...answer(key),
        idempotency_key: key,
        retention_until: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    expect((await kept('before the floor', 30)).status).toBe(201);
    await patch({ answer_audit_retention_floor: { days: 183, reason: 'AI Act, Articles 19(1) and 26(6)' } });
    expect(codeOf(await kept('below the floor', 182))).toEqual([422, 'retention_out_of_range', '/retention_until']);
    expect((await kept('above the floor', 184)).status).toBe(201);
    await patch({ answer_audit_retention_floor: null });
    expect((await kept('below the floor', 182)).status).toBe(201);
  });

  it('keeps the retention that was asked for, whatever the default is now', async () => {
    const retentionUntil = new Date(Date.now() + 1_000 * 86_400_000).toISOString();
    const body = answer('retained', 'an answer', { idempotency_key: 'retained', retention_until: retentionUntil });
    const first = await create(one, body);
    await patch({ answer_audit_default_retention_days: 1 });
    const again = await create(other, body);
    expect(isReplay(again)).toBe(true);
    expect(again.body.retention_until).toBe(first.body.retention_until);
  });

  it('knows a record that was redacted since by its payload, and tells no other', async () => {
    const body = answer('secret question', 'secret answer', {
      idempotency_key: 'redacted since',
      source_refs: [{ source_ref_id: 's', source_name: 'secret.md' }],
    });
    const first = await create(one, body);
    const event = { event_type: 'redacted', payload: { redact_source_ref_ids: ['s'] } };
    expect((await one.call('POST', `${RECORDS}/${first.body.id}/events`, { body: event })).status).toBe(200);
    const again = await create(other, body);
    expect(isReplay(again)).toBe(true);
    expect(again.body).toMatchObject({ id: first.body.id, status: 'redacted', question: { text: null } });
    expect(again.text).not.toContain('secret');
    for (const different of [
      { ...body, answer: { text: 'another answer' } },
      { ...body, environment: 'staging' },
      { ...body, source_refs: [] },
    ]) {
      const refused = await create(other, different);
      expect(codeOf(refused).slice(0, 2)).toEqual([409, 'idempotency_payload_mismatch']);
      expect(refused.text).not.toContain('secret');
    }
  });

  it('carries the events to a token that may read and none to one that may only create', async () => {
    const body = answer('replayed', 'an answer', { idempotency_key: 'replayed' });
    const first = await create(one, body);
    const event = { event_type: 'voided', reason: 'a reason for readers' };
    await one.call('POST', `${RECORDS}/${first.body.id}/events`, { body: event });
    const tokenOf = async (scopes: string[]) => {
      const wanted = { kind: 'application', application_key: 'support-bot', scopes, name: scopes.join(' ') };
      return (await one.call('POST', '/api/tokens', { body: wanted })).body.token;
    };
    const blind = await create(other, body, await tokenOf(['answer_audit:create']));
    expect(isReplay(blind)).toBe(true);
    expect(blind.body).not.toHaveProperty('events');
    expect(blind.text).not.toContain('a reason for readers');
    const seeing = await create(other, body, await tokenOf(['answer_audit:create', 'answer_audit:read']));
    expect(isReplay(seeing)).toBe(true);
    expect(seeing.body.events).toHaveLength(1);
  });
});
