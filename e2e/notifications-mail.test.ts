import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { openMailbox } from './support/mailbox.ts';
import { PRIVATE, TARGETS } from './support/told-target.ts';

const MAIL_TARGETS = '/api/notifications/mail-targets';

type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

let service: TestService;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await openMailbox();
  service = await openTestService({
    environment: { SERVICE_SMTP_URL: mailbox.url, SERVICE_SMTP_FROM: 'evidence@example.com' },
  });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
});
afterEach(async () => {
  mailbox.responds(() => undefined);
  const { body } = await service.call('GET', TARGETS);
  for (const { id } of body.items) await service.call('DELETE', `${TARGETS}/${id}`);
});

async function call(method: string, path: string, body?: object): Promise<any> {
  const reply = await service.call(method, path, body === undefined ? {} : { body });
  expect([path, reply.status < 300, reply.body?.code, reply.body?.errors]).toEqual([path, true, undefined, undefined]);
  return reply.body;
}

/** A target whose address is confirmed by the code that arrived there. */
async function addMail(more: object = {}): Promise<any> {
  const address = `m-${crypto.randomUUID()}@example.com`;
  const added = await call('POST', MAIL_TARGETS, { name: address, address, event_types: ['record.voided'], ...more });
  expect([added.state, added.mail.stopped]).toEqual(['disabled', 'unconfirmed']);
  const mail = await mailbox.waitFor(({ to }) => to === address);
  const code = /^[0-9a-f]{24}$/m.exec(mail.text)?.[0] ?? '';
  const target = await call('POST', `${TARGETS}/${added.id}/confirm`, { code });
  expect([target.state, target.reason, target.mail.stopped]).toEqual(['active', null, null]);
  return { ...target, address, code };
}

/** The subject of the mail with a code. */
const confirm = () => `[${service.workspace}] Confirm this address`;

async function voidRecord(): Promise<string> {
  const { id } = await call('POST', '/api/answer-audit-logs', answer(`${PRIVATE}?`, `${PRIVATE}.`));
  await call('POST', `/api/answer-audit-logs/${id}/events`, { event_type: 'voided', reason: PRIVATE });
  return id;
}

async function alter(sql: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(sql, [...values]);
  await client.end();
}

/** Makes so many later notifications of this one, each on its way to the same targets. */
async function copyDelivery(id: string, times: number): Promise<void> {
  await alter(
    `with copies as (
       insert into answer_evidence.notifications (workspace_id, id, position, type, subject, happened_at, content_json)
         select workspace_id, gen_random_uuid(), position + n, type, subject, happened_at, content_json
           from answer_evidence.notifications, generate_series(1, $2::int) n where id = $1
         returning workspace_id, id, position),
     moved as (
       update answer_evidence.notification_places p set position = p.position + $2::int
         from (select distinct workspace_id from copies) c where p.workspace_id = c.workspace_id)
     insert into answer_evidence.notification_deliveries (workspace_id, target_id, notification_id, position, subject,
         state, attempts, due_at, created_at)
       select c.workspace_id, d.target_id, c.id, c.position, d.subject, d.state, d.attempts, d.due_at, d.created_at
         from copies c join answer_evidence.notification_deliveries d on d.notification_id = $1`,
    [id, times],
  );
}

/** Has what waits for a digest be due now, as when its hour comes. */
async function letHourCome(id: string): Promise<void> {
  await alter('update answer_evidence.notification_deliveries set due_at = 1 where target_id = $1', [id]);
  await call('POST', `${TARGETS}/${id}/test`);
}

describe('mail', () => {
  it('says at once what happened, with a link and without any text, and the id of the notification is its own', async () => {
    const { id, address } = await addMail();
    const recordId = await voidRecord();
    const mail = await mailbox.waitFor(({ to, headers }) => to === address && headers.get('subject') !== confirm());
    const [delivery] = (await call('GET', `${TARGETS}/${id}/deliveries`)).items;
    expect(mail.headers.get('subject')).toBe(`[${service.workspace}] A record was voided`);
    expect(mail.headers.get('message-id')).toBe(`<${delivery.notification_id}@example.com>`);
    expect(mail.headers.get('list-unsubscribe')).toContain(`/console/notifications?target=${id}`);
    expect(mail.headers.get('content-type')).toContain('multipart/alternative');
    expect(mail.text).toContain(`/console/records/${recordId}`);
    expect(mail.text).not.toContain(PRIVATE);
    await until('delivered', async () => {
      const [{ state, last_status: status }] = (await call('GET', `${TARGETS}/${id}/deliveries`)).items;
      return state === 'delivered' && status === 250;
    });
  });

  it('keeps the key of an application in its line, and shows what nobody would see', async () => {
    const { address } = await addMail();
    const key = `\u202etob ${'é'.repeat(100)}<b>=?utf-8?Q?b?=`;
    const record = { ...answer('a', 'b'), application_key: key };
    const { id } = await call('POST', '/api/answer-audit-logs', record);
    await call('POST', `/api/answer-audit-logs/${id}/events`, { event_type: 'voided' });
    const mail = await mailbox.waitFor(({ to, text }) => to === address && text.includes(id));
    expect(mail.text).toContain(`\napplication: \\u{202e}tob ${'é'.repeat(100)}<b>=?utf-8?Q?b?=\n`);
  });

  it('of a digest is one with counts in the language of the target, and what was sent is not sent again', async () => {
    const { id, address, mail: terms } = await addMail({ digest: 'daily', hour: 7, language: 'de' });
    expect(terms).toEqual({ digest: 'daily', hour: 7, language: 'de', stopped: null, member_id: null });
    for (let n = 0; n < 3; n++) await voidRecord();
    const list = async () => (await call('GET', `${TARGETS}/${id}/deliveries`)).items;
    await until('three that wait', async () => (await list()).length === 3);
    expect((await list()).map(({ state, attempts }: any) => [state, attempts])).toEqual(Array(3).fill(['pending', 0]));
    await letHourCome(id);
    const mail = await mailbox.waitFor(({ to, text }) => to === address && text.includes('3 × '));
    expect(mail.headers.get('subject')).toBe(`[${service.workspace}] 4 Benachrichtigungen`);
    expect(mail.text).toContain('3 × Eine Aufzeichnung wurde entwertet');
    await until('all delivered', async () => (await list()).every(({ state }: any) => state === 'delivered'));
    await voidRecord();
    await until('a fourth that waits', async () => (await list()).some(({ state }: any) => state === 'pending'));
    await letHourCome(id);
    const next = await mailbox.waitFor((one) => one !== mail && one.to === address && one.text.includes('entwertet'));
    expect(next.text).not.toContain('3 × ');
  });

  it('of a digest has at most 500 notifications and shows 50 of them, and the next one has the rest at once', async () => {
    const { id, address } = await addMail({ digest: 'hourly' });
    const recordId = await voidRecord();
    const list = async () => (await call('GET', `${TARGETS}/${id}/deliveries`)).items;
    await until('one that waits', async () => (await list()).length === 1);
    const [{ notification_id: first }] = await list();
    await copyDelivery(first, 501);
    await letHourCome(id);
    const isOf = (subject: string) => (one: { readonly to: string; readonly headers: ReadonlyMap<string, string> }) =>
      one.to === address && one.headers.get('subject') === `[${service.workspace}] ${subject}`;
    const whole = await mailbox.waitFor(isOf('500 notifications'));
    expect(whole.text).toContain('500 × A record was voided');
    expect(whole.text.split(`/console/records/${recordId}`).length - 1).toBe(50);
    expect(whole.text).toContain('\n+ 450 more, which the console lists under Notifications\n');
    const rest = await mailbox.waitFor(isOf('3 notifications'));
    expect(rest.text).toContain('2 × A record was voided\n1 × Test');
    await until('nothing that waits', async () => (await call('GET', `${TARGETS}/${id}`)).pending === 0);
    const ids = mailbox.received.filter(({ to }) => to === address).map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(3);
  });

  it('to an address that is refused is stopped, in words, and a server that is busy is asked again', async () => {
    const [refused, busy] = [await addMail(), await addMail()];
    let busyTimes = 0;
    mailbox.responds((to) => {
      if (to === refused.address) return 550;
      return to === busy.address && busyTimes++ === 0 ? 451 : undefined;
    });
    await voidRecord();
    const read = (id: string) => call('GET', `${TARGETS}/${id}`);
    await until('a stop', async () => (await read(refused.id)).state === 'disabled');
    expect(await read(refused.id)).toMatchObject({ reason: 'gone', pending: 1 });
    const [failed] = (await call('GET', `${TARGETS}/${refused.id}/deliveries`)).items;
    expect(failed).toMatchObject({ last_status: 550, last_error: 'the mail server refuses the address (550)' });
    await until('a failure', async () => (await read(busy.id)).failing_since !== null);
    const [waiting] = (await call('GET', `${TARGETS}/${busy.id}/deliveries`)).items;
    expect(waiting).toMatchObject({ state: 'pending', last_status: 451 });
    await mailbox.waitFor(({ to, headers }) => to === busy.address && headers.get('subject') !== confirm());
    expect(busyTimes).toBeGreaterThan(1);
  });

  it('goes nowhere before its address is confirmed, and to nobody who is a manager no more', async () => {
    const address = 'unread@example.com';
    const body = { name: 'unread', address };
    const { id } = await call('POST', MAIL_TARGETS, body);
    const wrong = await service.call('POST', `${TARGETS}/${id}/confirm`, { body: { code: '0'.repeat(24) } });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/code']);
    const enabled = await service.call('PATCH', `${TARGETS}/${id}`, { body: { state: 'active' } });
    expect([enabled.status, enabled.body.errors[0].pointer]).toEqual([422, '/state']);
    await voidRecord();
    const { id: targetId, address: read } = await addMail();
    await alter(
      'update answer_evidence.notification_targets set mail_json = replace(mail_json, $2, $3) where id = $1',
      [...[targetId, (await call('GET', '/api/whoami')).id, crypto.randomUUID()]],
    );
    await voidRecord();
    const left = async () => (await call('GET', `${TARGETS}/${targetId}`)).mail.stopped === 'owner_left';
    await until('a stop', left);
    const subjects = mailbox.received
      .filter(({ to }) => [address, read].includes(to))
      .map(({ headers }) => headers.get('subject'));
    expect(new Set(subjects)).toEqual(new Set([confirm()]));
  });

  it.each([
    ['a\r\nBcc: other@example.com', '/address'],
    ['Anna <anna@example.com>', '/address'],
    ['anna@example.com,other@example.com', '/address'],
    ['anna@localhost', '/address'],
  ])('is refused to %j', async (address, pointer) => {
    const { status, body } = await service.call('POST', MAIL_TARGETS, { body: { name: 'bad', address } });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('whose code is not taken adds no target, and a target of mail has no secret', async () => {
    mailbox.responds(() => 550);
    const body = { name: 'nobody', address: 'nobody@example.com' };
    const refused = await service.call('POST', MAIL_TARGETS, { body });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/address']);
    mailbox.responds(() => 451);
    const busy = await service.call('POST', MAIL_TARGETS, { body });
    expect([busy.status, busy.body.code]).toEqual([503, 'mail_unavailable']);
    expect((await call('GET', TARGETS)).items).toEqual([]);
    mailbox.responds(() => undefined);
    const { id } = await addMail();
    expect((await service.call('POST', `${TARGETS}/${id}/rotate`)).status).toBe(422);
  });
});
