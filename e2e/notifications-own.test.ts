import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { WantedAccess } from '@answer-evidence/contracts';
import type { Stores } from '../libs/runtime/src/open/open-stores.ts';
import { addMemberWith, type MemberWith } from '../tools/scenery/members-with.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { openMailbox } from './support/mailbox.ts';
import { PRIVATE, TARGETS } from './support/told-target.ts';

const MINE = '/api/notifications/mine';
const REVIEWER: WantedAccess = { role: 'reviewer', applications: ['support-bot'] };

let service: TestService;
let stores: Stores;
let workspaceId: string;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;

beforeAll(async () => {
  mailbox = await openMailbox();
  service = await openTestService({
    environment: { SERVICE_SMTP_URL: mailbox.url, SERVICE_SMTP_FROM: 'evidence@example.com' },
  });
  ({ stores } = await openStoresOn(service));
  workspaceId = (await call('GET', '/api/whoami')).workspace.id;
});
afterAll(async () => {
  await stores.close();
  await service.close();
  await mailbox.close();
});

async function call(method: string, path: string, body?: object, token?: string): Promise<any> {
  const by = token === undefined ? {} : { token };
  const reply = await service.call(method, path, body === undefined ? by : { ...by, body });
  expect([path, reply.status < 300, reply.body?.code, reply.body?.errors]).toEqual([path, true, undefined, undefined]);
  return reply.body;
}

/** What a member has mailed to themselves, with its address confirmed by the code that arrived there. */
async function setOwn(member: MemberWith, more: object = {}): Promise<any> {
  const address = `own-${crypto.randomUUID()}@example.com`;
  const set = await call('PUT', MINE, { address, ...more }, member.token);
  expect([set.state, set.reason]).toEqual(['disabled', 'unconfirmed']);
  const mail = await mailbox.waitFor(({ to }) => to === address);
  const code = /^[0-9a-f]{24}$/m.exec(mail.text)?.[0] ?? '';
  const own = await call('POST', `${MINE}/confirm`, { code }, member.token);
  expect([own.state, own.reason]).toEqual(['active', null]);
  return own;
}

async function voidRecord(application: string): Promise<string> {
  const body = { ...answer(`${PRIVATE}?`, `${PRIVATE}.`), application_key: application };
  const { id } = await call('POST', '/api/answer-audit-logs', body);
  await call('POST', `/api/answer-audit-logs/${id}/events`, { event_type: 'voided', reason: PRIVATE });
  return id;
}

const addMember = (access: WantedAccess) => addMemberWith(service, stores, workspaceId, access);
const mailsTo = (address: string) => mailbox.received.filter(({ to }) => to === address);
const deliveries = async (id: string) => (await call('GET', `${TARGETS}/${id}/deliveries`)).items;

async function alter(sql: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query(sql, [...values]);
  await client.end();
}

/** Has what waits for a digest be due now, as when its hour comes. */
async function letHourCome(id: string): Promise<void> {
  await alter('update answer_evidence.notification_deliveries set due_at = 1 where target_id = $1', [id]);
  await call('POST', `${TARGETS}/${id}/test`);
}

describe('what a member has mailed to themselves', () => {
  it('is of their applications, and never of another one or of the whole workspace', async () => {
    const member = await addMember(REVIEWER);
    const { id, address } = await setOwn(member);
    const manager = await call('POST', TARGETS, { name: 'all', url: 'https://hooks.example.com/' });
    await voidRecord('other-bot');
    await call('POST', '/api/holds', {
      matter: 'Case 7',
      reason: PRIVATE,
      filters: { application_key: 'support-bot' },
    });
    const seen = await voidRecord('support-bot');
    const mail = await mailbox.waitFor(({ to, text }) => to === address && text.includes(seen));
    expect(mail.headers.get('list-unsubscribe')).toContain('/my-notifications');
    expect(mail.text).not.toContain(PRIVATE);
    // The manager's target was told of all three by then; the member's of one.
    const told = (await deliveries(manager.id)).map(({ body }: any) => body.type);
    expect(told).toEqual(expect.arrayContaining(['record.voided', 'hold.placed']));
    // That nobody vouches for the log is about no application, and told when the log is looked at.
    const own = (await deliveries(id)).filter(({ body }: any) => body.type !== 'log.unattested');
    expect(own.map(({ body }: any) => body.data.subject)).toEqual([seen]);
    expect(mailsTo(address).filter(({ text }) => !/nobody outside vouches/i.test(text))).toHaveLength(2);
    await call('DELETE', `${TARGETS}/${manager.id}`);
  });

  it('ends at once with the role that could see it, and with the member', async () => {
    const member = await addMember(REVIEWER);
    const { id, address } = await setOwn(member, { digest: 'daily', hour: 7, event_types: ['record.voided'] });
    await voidRecord('support-bot');
    await until('one that waits', async () => (await deliveries(id)).length === 1);
    await call('PATCH', `/api/members/${member.id}`, { access: { role: 'application_operator' } });
    await letHourCome(id);
    await until('it is left out', async () => (await deliveries(id)).some(({ state }: any) => state === 'failed'));
    const leftOut = (await deliveries(id)).find(({ body }: any) => body.type === 'record.voided');
    expect(leftOut).toMatchObject({ state: 'failed', last_error: 'the member may not see this any more' });
    await mailbox.waitFor(({ to, headers }) => to === address && (headers.get('subject') ?? '').endsWith('] Test'));
    expect(mailsTo(address).some(({ text }) => text.includes('support-bot'))).toBe(false);
    await call('PATCH', `/api/members/${member.id}`, { disabled: true });
    await call('POST', `${TARGETS}/${id}/test`);
    const stopped = async () => (await call('GET', `${TARGETS}/${id}`)).mail.stopped;
    await until('a stop', async () => (await stopped()) === 'owner_left');
  });

  it('has types, times and an address that are theirs to choose, within what their role may see', async () => {
    const member = await addMember(REVIEWER);
    const before = await call('GET', MINE, undefined, member.token);
    expect(before.items).toEqual([]);
    expect(before.event_types).toEqual(expect.arrayContaining(['record.voided', 'findings.overdue']));
    expect(before.event_types).not.toEqual(expect.arrayContaining(['hold.placed']));
    const own = await setOwn(member, { digest: 'daily', hour: 7, language: 'de' });
    const put = (body: object) => service.call('PUT', MINE, { token: member.token, body });
    const { address } = own;
    const wanted = { address, digest: 'hourly', language: 'en', event_types: ['findings.overdue'] };
    expect((await put(wanted)).body).toMatchObject({ ...wanted, hour: null, state: 'active' });
    expect((await put(wanted)).body).toMatchObject(wanted);
    const refused = [
      [{ ...wanted, address: 'other@example.com' }, '/address'],
      [{ ...wanted, event_types: ['findings.overdue', 'hold.placed'] }, '/event_types/1'],
      [{ ...wanted, digest: 'daily' }, '/hour'],
      [{ address: 'a\r\nBcc: other@example.com' }, '/address'],
    ] as const;
    for (const [body, pointer] of refused) {
      const reply = await put(body);
      expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, pointer]);
    }
    const entries = await call('GET', '/api/tenant/entries?type=notification_target_changed&size=200');
    const changes = entries.items.filter(({ core }: any) => core.target_id === own.id);
    expect(changes.map(({ core }: any) => [core.change, core.changed, core.actor.id]).reverse()).toEqual([
      ['created', [], member.id],
      ['changed', ['state'], member.id],
      ['changed', ['event_types'], member.id],
    ]);
    expect(JSON.stringify(changes)).not.toContain(address);
    expect((await call('GET', TARGETS)).items.find(({ id }: any) => id === own.id)).toMatchObject({
      origin: 'mailto:example.com',
      mail: { digest: 'hourly', member_id: member.id },
    });
    expect((await service.call('GET', TARGETS, { token: member.token })).status).toBe(403);
    await call('DELETE', MINE, undefined, member.token);
    expect((await call('GET', MINE, undefined, member.token)).items).toEqual([]);
    const again = await service.call('DELETE', MINE, { token: member.token });
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
  });

  it('is confirmed by their own code alone, of which few are sent in a day', async () => {
    const [one, other] = [await addMember(REVIEWER), await addMember(REVIEWER)];
    const address = `own-${crypto.randomUUID()}@example.com`;
    await call('PUT', MINE, { address: 'someone@example.com' }, other.token);
    await call('PUT', MINE, { address }, one.token);
    const mail = await mailbox.waitFor(({ to }) => to === address);
    const code = /^[0-9a-f]{24}$/m.exec(mail.text)?.[0] ?? '';
    const stolen = await service.call('POST', `${MINE}/confirm`, { token: other.token, body: { code } });
    expect([stolen.status, stolen.body.errors[0].pointer]).toEqual([422, '/code']);
    for (let n = 1; n < 5; n++) {
      await call('DELETE', MINE, undefined, one.token);
      await call('PUT', MINE, { address }, one.token);
    }
    await call('DELETE', MINE, undefined, one.token);
    const sent = mailsTo(address).length;
    const refused = await service.call('PUT', MINE, { token: one.token, body: { address } });
    expect([refused.status, refused.body.code, mailsTo(address).length]).toEqual([409, 'limit_reached', sent]);
    // What members send is not charged to the workspace.
    const shared = { name: 'shared', address: 'shared@example.com' };
    expect((await service.call('POST', '/api/notifications/mail-targets', { body: shared })).status).toBe(201);
  });

  it('is not held up by the codes that managers have sent, of which a workspace has few in a day', async () => {
    const create = (n: number) => {
      const body = { name: `of the workspace ${n}`, address: `shared-${n}@example.com` };
      return service.call('POST', '/api/notifications/mail-targets', { body });
    };
    let last = await create(0);
    for (let n = 1; n <= 20 && last.status === 201; n++) {
      await call('DELETE', `${TARGETS}/${last.body.id}`);
      last = await create(n);
    }
    expect([last.status, last.body.code]).toEqual([409, 'limit_reached']);
    expect(mailsTo('shared-20@example.com')).toEqual([]);
    await setOwn(await addMember(REVIEWER));
  });
});
