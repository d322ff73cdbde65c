import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openMisbehavingPeers } from '@answer-evidence/testing';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';
import { openReceiver, verifyDelivery } from './support/webhook-receiver.ts';

const TARGETS = '/api/notifications/targets';

let service: TestService;

beforeAll(async () => {
  service = await openTestService();
});

afterAll(async () => {
  await service.close();
});

afterEach(async () => {
  const { body } = await service.call('GET', TARGETS);
  for (const { id } of body.items) await service.call('DELETE', `${TARGETS}/${id}`);
});

async function addTarget(url: string, more: object = {}): Promise<Reply['body']> {
  const reply = await service.call('POST', TARGETS, { body: { name: `hook ${crypto.randomUUID()}`, url, ...more } });
  expect([reply.status, reply.body.code]).toEqual([201, undefined]);
  return reply.body;
}

async function voidRecord(): Promise<string> {
  const created = await service.call('POST', '/api/answer-audit-logs', { body: answer('a question', 'an answer') });
  const events = `/api/answer-audit-logs/${created.body.id}/events`;
  await service.call('POST', events, { body: { event_type: 'voided', reason: 'a private reason' } });
  return created.body.id;
}

/** Changes or reads rows past the service. */
async function alter(sql: string, values: readonly string[]): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** The deliveries of a target, once they are as wanted. */
async function deliveries(id: string, areThere: (items: any[]) => boolean): Promise<any[]> {
  for (;;) {
    const { body } = await service.call('GET', `${TARGETS}/${id}/deliveries`);
    if (areThere(body.items)) return body.items;
  }
}

describe('a webhook', () => {
  it('is told what happens to records, signed so that another library verifies it, without any text', async () => {
    const receiver = await openReceiver();
    const { secret } = await addTarget(receiver.url, { event_types: ['record.voided', 'record.redacted'] });
    const recordId = await voidRecord();
    await service.call('POST', `/api/answer-audit-logs/${recordId}/events`, {
      body: { event_type: 'redacted', reason: 'a private reason', payload: { reason_code: 'erasure_request' } },
    });
    const redacted = await receiver.waitFor(({ body }) => body.type === 'record.redacted');
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['record.voided', 'record.redacted']);
    for (const one of receiver.received) {
      verifyDelivery(secret, one);
      expect(one.text).not.toMatch(/private|question|erasure_request/);
    }
    expect(redacted.body.data).toMatchObject({
      workspace: service.workspace,
      subject: recordId,
      actor: { kind: 'user' },
      about: { answer_log_id: recordId, event_type: 'redacted', application_key: 'support-bot' },
    });
    const altered = { ...redacted, text: redacted.text.replace('redacted', 'voided') };
    expect(() => verifyDelivery(secret, altered)).toThrow();
    await receiver.close();
  });

  it('gets both signatures while its secrets overlap, and the new one alone without', async () => {
    const receiver = await openReceiver();
    const { id, secret } = await addTarget(receiver.url, { event_types: ['record.voided'] });
    const rotated = await service.call('POST', `${TARGETS}/${id}/rotate`);
    expect([rotated.status, rotated.body.secret === secret]).toEqual([201, false]);
    expect(rotated.body.overlap_until).not.toBeNull();
    await service.call('POST', `${TARGETS}/${id}/test`);
    const both = await receiver.waitFor(({ body }) => body.type === 'test');
    verifyDelivery(secret, both);
    verifyDelivery(rotated.body.secret, both);
    const alone = await service.call('POST', `${TARGETS}/${id}/rotate`, { body: { overlap_seconds: 0 } });
    const told = await service.call('POST', `${TARGETS}/${id}/test`);
    const newest = await receiver.waitFor((one) => one.id === told.body.notification_id);
    verifyDelivery(alone.body.secret, newest);
    expect(() => verifyDelivery(rotated.body.secret, newest)).toThrow();
    await receiver.close();
  });

  it('keeps the order of each subject while one is refused, and is sent again what it was sent', async () => {
    const receiver = await openReceiver();
    const { id } = await addTarget(receiver.url, { event_types: ['record.voided', 'record.redacted'] });
    let refusedId = '';
    receiver.responds(({ body, id: webhookId }) => {
      if (refusedId === '' && body.type === 'record.voided') refusedId = webhookId;
      return webhookId === refusedId && receiver.received.filter((one) => one.id === refusedId).length < 2 ? 422 : 204;
    });
    const first = await voidRecord();
    await service.call('POST', `/api/answer-audit-logs/${first}/events`, { body: { event_type: 'redacted' } });
    const second = await voidRecord();
    await receiver.waitFor(({ body }) => body.type === 'record.redacted');
    const order = receiver.received.map(({ body }) => [body.type, body.data['subject']]);
    expect(order.filter(([, subject]) => subject === first)).toEqual([
      ['record.voided', first],
      ['record.voided', first],
      ['record.redacted', first],
    ]);
    // The other subject did not wait for it.
    expect(order.findIndex(([, subject]) => subject === second)).toBeLessThan(
      order.findLastIndex(([type, subject]) => type === 'record.voided' && subject === first),
    );
    const items = await deliveries(id, (all) => all.every(({ state }) => state === 'delivered'));
    const replayed = await service.call('POST', `${TARGETS}/${id}/deliveries/${items[0].notification_id}/replay`);
    expect([replayed.status, replayed.body.state]).toEqual([202, 'pending']);
    await deliveries(id, (all) => all[0].state === 'delivered' && all[0].attempts === 1);
    expect(receiver.received.filter((one) => one.id === items[0].notification_id).length).toBeGreaterThan(1);
    await receiver.close();
  });

  it('that hangs, lies, redirects or is gone is paused in words, and holds up no other', async () => {
    const peers = await openMisbehavingPeers('text/plain');
    const receiver = await openReceiver();
    const types = { event_types: ['record.voided'] };
    const bad = new Map<string, string>();
    for (const [kind, url] of Object.entries(peers.urls)) bad.set(kind, (await addTarget(url, types)).id);
    await addTarget(receiver.url, types);
    await voidRecord();
    await receiver.waitFor(({ body }) => body.type === 'record.voided');
    for (const [kind, id] of bad) {
      const [item] = await deliveries(id, (all) => all[0]?.attempts > 0);
      const target = (await service.call('GET', `${TARGETS}/${id}`)).body;
      const said = JSON.stringify([item, target]);
      expect(said).not.toContain(peers.words);
      expect(said).not.toContain('secret-path');
      if (kind === 'answers garbage') expect(item.state).toBe('delivered');
      else {
        expect([kind, item.state, target.pending]).toEqual([kind, 'pending', 1]);
        expect([kind, target.failing_since !== null]).toEqual([kind, true]);
        expect(item.last_error).toMatch(
          kind === 'redirects'
            ? /^the target responded 307; redirects are not followed$/
            : /^(no usable response arrived|the target responded 403)$/,
        );
      }
    }
    await peers.close();
    await receiver.close();
  });

  it('is told once of findings that are overdue together, and again for another time', async () => {
    const receiver = await openReceiver();
    await addTarget(receiver.url, { event_types: ['findings.overdue'] });
    const at = (millis: number) => new Date(Date.now() + millis).toISOString();
    const { body: run } = await service.call('POST', '/api/reconciliations/runs', {
      body: {
        ...{ application_key: 'overdue-bot', match_on: 'idempotency_key' },
        ...{ window_start: at(-3_600_000), window_end: at(3_600_000) },
        references: ['one', 'two', 'three'].map((id) => ({ reference_id: id, occurred_at: at(0) })),
      },
    });
    const path = `/api/reconciliations/runs/${run.id}`;
    while ((await service.call('GET', path)).body.status !== 'completed');
    const schedule = async (position: number, due: string) => {
      const step = { action: 'schedule', due_at: due };
      expect((await service.call('POST', `${path}/triage/${position}/steps`, { body: step })).status).toBe(200);
    };
    const [first, second] = [at(1), at(2)];
    await schedule(0, first);
    await schedule(1, first);
    await schedule(2, second);
    const told = () => receiver.received.map(({ body }) => body.data['about'] as { since: string; object_id: string });
    const dues = () => told().map(({ since }) => Date.parse(since));
    const isTold = (due: string) => () => dues().includes(Date.parse(due));
    await receiver.waitFor(isTold(second));
    expect(dues()).toEqual([first, second].map((due) => Date.parse(due)));
    // A step that leaves the time as it is tells nobody anything.
    await service.call('POST', `${path}/triage/0/steps`, { body: { action: 'comment', text: 'seen' } });
    const third = at(3);
    await schedule(2, third);
    await receiver.waitFor(isTold(third));
    expect(dues()).toEqual([first, second, third].map((due) => Date.parse(due)));
    expect(told()).toMatchObject(Array(3).fill({ object_id: run.id, application_key: 'overdue-bot' }));
    await receiver.close();
  });

  it('that says that it is gone is disabled, others are told, and enabling it delivers what waited', async () => {
    const [receiver, other] = [await openReceiver(), await openReceiver()];
    receiver.responds(() => 410);
    const { id } = await addTarget(receiver.url, { event_types: ['record.voided'] });
    await addTarget(other.url);
    const first = await voidRecord();
    const told = await other.waitFor(({ body }) => body.type === 'target.disabled');
    expect(told.body.data['about']).toMatchObject({ target_id: id, reason: 'gone' });
    const second = await voidRecord();
    await other.waitFor(({ body }) => body.data['subject'] === second);
    const disabled = (await service.call('GET', `${TARGETS}/${id}`)).body;
    expect(disabled).toMatchObject({ state: 'disabled', reason: 'gone', pending: 2 });
    receiver.responds(() => 204);
    receiver.received.length = 0;
    await service.call('PATCH', `${TARGETS}/${id}`, { body: { state: 'active' } });
    await receiver.waitFor(({ body }) => body.data['subject'] === second);
    expect(receiver.received.map(({ body }) => body.data['subject'])).toEqual([first, second]);
    await receiver.close();
    await other.close();
  });

  it('that failed for days and is back is not disabled by one failure after the first success', async () => {
    const receiver = await openReceiver();
    receiver.responds(() => 500);
    const { id } = await addTarget(receiver.url, { event_types: ['record.voided'] });
    const first = await voidRecord();
    await deliveries(id, (all) => all[0]?.attempts === 1);
    await alter('update answer_evidence.notification_states set failing_since = 1 where target_id = $1', [id]);
    const second = await voidRecord();
    receiver.responds(({ body }) => (body.data['subject'] === first ? 204 : 500));
    await deliveries(id, (all) => all[0].body.data.subject === second && all[0].attempts === 1);
    expect((await service.call('GET', `${TARGETS}/${id}`)).body).toMatchObject({ state: 'active', pending: 1 });
    await receiver.close();
  });

  it('does not wait for a notification that was damaged', async () => {
    const receiver = await openReceiver();
    receiver.responds(() => 500);
    const { id } = await addTarget(receiver.url, { event_types: ['record.voided'] });
    const first = await voidRecord();
    await deliveries(id, (all) => all[0]?.attempts === 1);
    const second = await voidRecord();
    await alter(`update answer_evidence.notifications set content_json = '{' where subject = $1`, [first]);
    receiver.responds(() => 204);
    await receiver.waitFor(({ body }) => body.data['subject'] === second);
    expect(
      await alter(
        'select state, attempts, last_error from answer_evidence.notification_deliveries where subject = $1',
        [first],
      ),
    ).toEqual([{ state: 'failed', attempts: 1, last_error: 'the notification is not as it was written' }]);
    await receiver.close();
  });

  it('of mail is refused in words where the operator has set no mail server', async () => {
    const body = { name: 'anna', address: 'anna@example.com' };
    const { status, body: refusal } = await service.call('POST', '/api/notifications/mail-targets', { body });
    expect([status, refusal.errors]).toEqual([
      422,
      [
        {
          pointer: '/address',
          detail: expect.stringMatching(/no mail server; ask the operator to set SERVICE_SMTP_URL/),
        },
      ],
    ]);
  });

  it('is refused at an address that may not be called, twice under one name, and beyond the limit', async () => {
    const refused = await service.call('POST', TARGETS, { body: { name: 'meta', url: 'http://169.254.169.254/' } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/url']);
    const body = { name: 'one', url: 'https://hooks.example.com/x' };
    expect((await service.call('POST', TARGETS, { body })).status).toBe(201);
    expect((await service.call('POST', TARGETS, { body })).body.code).toBe('name_taken');
    for (let n = 1; n < 20; n++) await service.call('POST', TARGETS, { body: { ...body, name: `number ${n}` } });
    expect((await service.call('POST', TARGETS, { body: { ...body, name: 'more' } })).body.code).toBe('limit_reached');
  });

  it('has each change in the log, without address or secret, and the ledger check holds', async () => {
    const { id, secret } = await addTarget('https://hooks.example.com/secret-path', { name: 'logged' });
    await service.call('PATCH', `${TARGETS}/${id}`, { body: { name: 'renamed', state: 'disabled' } });
    await service.call('PATCH', `${TARGETS}/${id}`, { body: { name: 'renamed' } });
    await service.call('POST', `${TARGETS}/${id}/rotate`);
    await service.call('DELETE', `${TARGETS}/${id}`);
    const { body } = await service.call('GET', '/api/tenant/entries?type=notification_target_changed&size=200');
    const own = body.items.filter(({ core }: any) => core.target_id === id);
    expect(own.map(({ core }: any) => [core.change, core.changed]).reverse()).toEqual([
      ['created', []],
      ['changed', ['name', 'state']],
      ['secret_rotated', []],
      ['removed', []],
    ]);
    for (const hidden of ['secret-path', secret.slice(6)]) expect(JSON.stringify(own)).not.toContain(hidden);
    expect((await service.call('GET', `${TARGETS}/${id}`)).status).toBe(404);
    const check = await service.call('POST', '/api/trust/ledger-checks');
    expect([check.status, check.body.findings ?? []]).toEqual([200, []]);
  });
});
