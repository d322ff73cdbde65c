import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Stores } from '../libs/runtime/src/open/open-stores.ts';
import { addMemberWith, issueTokenOf, type MemberWith, useLink } from '../tools/scenery/members-with.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const REASON = 'a reason that nobody else gives';

let service: TestService;
let other: TestService;
let stores: Stores;
let workspaceId: string;
let second: MemberWith;

beforeAll(async () => {
  service = await openTestService();
  other = await openTestService({ share: service });
  stores = (await openStoresOn(service)).stores;
  workspaceId = (await service.call('GET', '/api/whoami')).body.workspace.id;
  second = await addManager();
}, 90_000);
afterAll(async () => {
  await stores.close();
  await other.close();
  await service.close();
});
beforeEach(() => demand(['void', 'redaction']));

const addInvited = () => addMemberWith(service, stores, workspaceId, { role: 'manager' });

/** A manager who has used their link. */
async function addManager(): Promise<MemberWith> {
  return useLink(service, stores, workspaceId, await addInvited());
}

/** Says which acts need two people; where some do already, by two. */
async function demand(acts: readonly string[]): Promise<void> {
  const answer_audit_two_people = { acts, expires_within: 3600 };
  const reply = await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_two_people } });
  if (reply.body.code === 'approval_required') return demandByTwo(acts);
  if (reply.status !== 200) throw new Error(reply.text);
}

async function demandByTwo(acts: readonly string[]): Promise<void> {
  const settings = { answer_audit_two_people: { acts, expires_within: 3600 } };
  const made = await service.call('POST', '/api/approvals', { body: { reason: REASON, settings } });
  const approved = await decide(made.body.id, 'approve', second.token);
  if (approved.status !== 200) throw new Error(approved.text);
}

async function record(): Promise<string> {
  return (await service.call('POST', RECORDS, { body: answer('How long?', '30 days.') })).body.id;
}

const event = (answer_log_id: string, more: object = {}) => ({ answer_log_id, event_type: 'voided', ...more });

async function ask(recordId: string, more: object = {}, token = service.managerToken): Promise<any> {
  const reply = await service.call('POST', '/api/approvals', {
    token,
    body: { reason: REASON, event: event(recordId, more) },
  });
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, '']);
  return reply.body;
}

function decide(id: string, what: 'approve' | 'decline' | 'withdraw', token: string, of = other): Promise<Reply> {
  return of.call('POST', `/api/approvals/${id}/${what}`, { token });
}

async function statusOf(recordId: string): Promise<string> {
  return (await service.call('GET', `${RECORDS}/${recordId}`)).body.status;
}

async function findings(): Promise<unknown> {
  return (await service.call('POST', '/api/trust/ledger-checks')).body.findings;
}

describe('an act that needs two people', () => {
  it('is refused to one, is done when another one approves it, and names both', async () => {
    const id = await record();
    const alone = await service.call('POST', `${RECORDS}/${id}/events`, { body: { event_type: 'voided' } });
    expect([alone.status, alone.body.code]).toEqual([409, 'approval_required']);
    const asked = await ask(id, { reason: 'withdrawn source' });
    expect(asked).toMatchObject({
      act: 'void',
      state: 'open',
      reason: REASON,
      subject: { answer_log_id: id },
      request: { event: { reason: 'withdrawn source', version: 0 } },
      entry_ids: [],
    });
    expect(await statusOf(id)).toBe('recorded');
    const approved = await decide(asked.id, 'approve', second.token);
    expect(approved.body).toMatchObject({ state: 'approved', request: null, decided_by: { id: second.id } });
    const { events, status } = (await service.call('GET', `${RECORDS}/${id}`)).body;
    expect(status).toBe('voided');
    expect(events).toMatchObject([
      {
        id: approved.body.entry_ids[0],
        reason: 'withdrawn source',
        actor: asked.requested_by,
        approval: { approval_id: asked.id, approved_by: approved.body.decided_by },
      },
    ]);
    const entries = (await service.call('GET', '/api/tenant/entries?size=20')).body.items;
    const about = entries.filter(({ type }: any) => type.startsWith('approval_'));
    expect(about.map((one: any) => [one.type, one.actor.id])).toEqual([
      ['approval_decided', second.id],
      ['approval_requested', asked.requested_by.id],
    ]);
    const bundle = (await service.call('GET', `/api/trust/proofs/answers/${id}`)).body;
    expect(bundle.events[0].core.approval).toEqual(events[0].approval);
    expect(await findings()).toEqual([]);
  });

  it('waits in the overview of who may approve it, and not of who asked', async () => {
    const waiting = async (token: string) => {
      const { attention } = (await other.call('GET', '/api/overview', { token })).body;
      return attention.filter(({ kind }: any) => kind === 'approvals_waiting').map(({ count }: any) => count);
    };
    const early = await addManager();
    const { id } = await ask(await record());
    expect([await waiting(second.token), await waiting(service.managerToken)]).toEqual([[1], []]);
    // Whom an approval is refused to is not told that it waits for them.
    expect([await waiting(early.token), await waiting((await addManager()).token)]).toEqual([[1], []]);
    await service.call('PATCH', `/api/members/${early.id}`, { body: { password_reset: true } });
    expect(await waiting(early.token)).toEqual([]);
    await decide(id, 'decline', second.token);
    expect(await waiting(second.token)).toEqual([]);
  });

  it('is not approved by who asked, by a second token as little as by the first, nor by a member', async () => {
    const id = await record();
    const asked = await ask(id);
    const body = { kind: 'user', name: `second ${randomUUID()}` };
    const { token } = (await service.call('POST', '/api/tokens', { body })).body;
    for (const own of [service.managerToken, token, await issueTokenOf(stores, workspaceId, asked.requested_by.id)]) {
      const reply = await decide(asked.id, 'approve', own);
      expect([reply.status, reply.body.code]).toEqual([403, 'approval_not_allowed']);
    }
    const { token: member } = await addMemberWith(service, stores, workspaceId, { role: 'member' });
    expect((await decide(asked.id, 'approve', member)).body.code).toBe('role_not_allowed');
    expect(await statusOf(id)).toBe('recorded');
  });

  it('is not approved by who was made a manager, or whose sign-in who asked changed, after it was asked for', async () => {
    const { token: early, id: earlyId } = await addManager();
    const invited = await addInvited();
    const id = await record();
    const asked = await ask(id);
    const { token: late } = await addManager();
    // Who asked had the link, and so may be who used it.
    const { token: entered } = await useLink(service, stores, workspaceId, invited);
    expect((await decide(asked.id, 'approve', entered)).body.code).toBe('approval_not_allowed');
    expect((await decide(asked.id, 'approve', late)).body.code).toBe('approval_not_allowed');
    await service.call('PATCH', `/api/members/${earlyId}`, { body: { password_reset: true } });
    expect((await decide(asked.id, 'approve', early)).body.code).toBe('approval_not_allowed');
    // Somebody who may not approve may say no.
    expect((await decide(asked.id, 'decline', late)).body.state).toBe('declined');
    expect(await statusOf(id)).toBe('recorded');
  });

  it('is decided again when it is approved: by the roles, and by the record, as they are then', async () => {
    const [asker, approver] = [await addManager(), await addManager()];
    const [first, third] = [await record(), await record()];
    const [one, two] = [await ask(first, {}, asker.token), await ask(third)];
    await service.call('PATCH', `/api/members/${asker.id}`, { body: { role: 'member' } });
    await service.call('PATCH', `/api/members/${approver.id}`, { body: { role: 'member' } });
    const token = await issueTokenOf(stores, workspaceId, approver.id);
    expect((await decide(two.id, 'approve', token)).body.code).toBe('role_not_allowed');
    expect((await decide(one.id, 'approve', second.token)).body.code).toBe('approval_outdated');
    const correction = { event_type: 'correction_appended', payload: { corrected_answer_text: '14 days.' } };
    expect((await service.call('POST', `${RECORDS}/${third}/events`, { body: correction })).status).toBe(200);
    expect((await decide(two.id, 'approve', second.token)).body.code).toBe('approval_outdated');
    expect([await statusOf(first), await statusOf(third)]).toEqual(['recorded', 'corrected']);
    expect((await decide(two.id, 'decline', second.token)).body.state).toBe('declined');
  });

  it('is done once, however many approve it at the same time in two processes', async () => {
    const colleagues = [second, await addManager(), await addManager()];
    const id = await record();
    const asked = await ask(id);
    const replies = await Promise.all(
      colleagues.flatMap(({ token }) => [service, other].map((of) => decide(asked.id, 'approve', token, of))),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(new Set(replies.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['approval_not_open']),
    );
    expect((await service.call('GET', `${RECORDS}/${id}`)).body.events).toHaveLength(1);
    expect(await findings()).toEqual([]);
  });

  it('is withdrawn by who asked alone, declined by others alone, and then no longer open', async () => {
    const asked = await ask(await record());
    expect((await decide(asked.id, 'decline', service.managerToken)).body.code).toBe('approval_not_allowed');
    expect((await decide(asked.id, 'withdraw', second.token)).body.code).toBe('approval_not_allowed');
    expect((await decide(asked.id, 'withdraw', service.managerToken)).body).toMatchObject({
      state: 'withdrawn',
      request: null,
      entry_ids: [],
    });
    for (const what of ['approve', 'decline', 'withdraw'] as const)
      expect((await decide(asked.id, what, second.token)).body.code).toBe('approval_not_open');
    const listed = (await service.call('GET', '/api/approvals?state=withdrawn&size=1')).body;
    expect(listed.items[0].id).toBe(asked.id);
    expect((await service.call('GET', '/api/approvals?state=open&size=200')).body.items).not.toContainEqual(
      expect.objectContaining({ id: asked.id }),
    );
  });

  it('that could not be done is not asked for, and the fault is named where it lies', async () => {
    const id = await record();
    const send = (body: object) => service.call('POST', '/api/approvals', { body });
    const unknown = { event_type: 'redacted', payload: { redact_source_ref_ids: ['none'] } };
    const refused = await send({ reason: REASON, event: event(id, unknown) });
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      422,
      'source_ref_not_found',
      '/event/payload/redact_source_ref_ids/0',
    ]);
    expect((await send({ reason: REASON })).status).toBe(422);
    expect((await send({ reason: ' ', event: event(id) })).status).toBe(422);
    expect((await send({ reason: REASON, event: event(randomUUID()) })).status).toBe(404);
    const asked = await ask(id);
    await decide(asked.id, 'approve', second.token);
    expect((await send({ reason: REASON, event: event(id) })).body.code).toBe('transition_not_allowed');
  });

  it.each(['settings', 'trust_policy', 'members', 'hold_placing', 'hold_release'])(
    'of %s is refused to one, and done by two',
    async (act) => {
      const { id: memberId } = await addManager();
      const hold = { matter: `matter ${randomUUID()}`, reason: 'a claim', filters: {} };
      const inForce = async () => (await service.call('GET', '/api/holds?status=in_force&size=200')).body.items;
      const placed = (await service.call('POST', '/api/holds', { body: { ...hold, matter: randomUUID() } })).body.id;
      const { version: _, ...policy } = (await service.call('GET', '/api/trust/policy')).body;
      const asked = {
        settings: {
          own: ['PATCH', '/api/tenant/settings', { answer_audit_default_retention_days: 77 }],
          request: { settings: { answer_audit_default_retention_days: 77 } },
          isDone: async () =>
            (await service.call('GET', '/api/tenant/settings')).body.answer_audit_default_retention_days === 77,
        },
        trust_policy: {
          own: ['PUT', '/api/trust/policy', { ...policy, checkpoint_interval_seconds: 77 }],
          request: { trust_policy: { ...policy, checkpoint_interval_seconds: 77 } },
          isDone: async () => (await service.call('GET', '/api/trust/policy')).body.checkpoint_interval_seconds === 77,
        },
        members: {
          own: ['DELETE', `/api/members/${memberId}`, undefined],
          request: { member: { member_id: memberId, change: 'remove' } },
          isDone: async () => (await service.call('GET', `/api/members/${memberId}`)).body.removed_at !== null,
        },
        hold_placing: {
          own: ['POST', '/api/holds', hold],
          request: { hold },
          isDone: async () => (await inForce()).some(({ matter }: any) => matter === hold.matter),
        },
        hold_release: {
          own: ['POST', `/api/holds/${placed}/release`, { reason: 'settled' }],
          request: { hold_release: { hold_id: placed, reason: 'settled' } },
          isDone: async () => !(await inForce()).some(({ id }: any) => id === placed),
        },
      }[act];
      if (asked === undefined) throw new Error('every act has a request');
      await demand([act]);
      const [method, path, body] = asked.own as [string, string, object | undefined];
      const alone = await service.call(method, path, body === undefined ? {} : { body });
      expect([alone.status, alone.body.code]).toEqual([409, 'approval_required']);
      const made = await service.call('POST', '/api/approvals', { body: { reason: REASON, ...asked.request } });
      expect([made.status, made.body.act, await asked.isDone()]).toEqual([201, act, false]);
      const approved = await decide(made.body.id, 'approve', second.token);
      expect([approved.status, await asked.isDone()]).toEqual([200, true]);
      const again = await service.call('POST', '/api/approvals', { body: { reason: REASON, ...asked.request } });
      const codes: Record<string, string> = { hold_placing: 'none', hold_release: 'hold_released' };
      // Another hold for the same matter is another hold.
      expect(again.body.code ?? 'none').toBe(codes[act] ?? 'approval_outdated');
      await demandByTwo([]);
      for (const { id } of await inForce())
        await service.call('POST', `/api/holds/${id}/release`, { body: { reason: 'the end of a test' } });
      expect(await findings()).toEqual([]);
    },
  );

  it('of a hold is outdated once somebody else released it', async () => {
    const id = (await service.call('POST', '/api/holds', { body: { matter: 'm', reason: 'r', filters: {} } })).body.id;
    await demand(['hold_release']);
    const body = { reason: REASON, hold_release: { hold_id: id, reason: 'settled' } };
    const [one, two] = await Promise.all([1, 2].map(() => service.call('POST', '/api/approvals', { body })));
    expect(one?.body).toMatchObject({ act: 'hold_release', subject: { hold_id: id } });
    const decided = [
      await decide(one?.body.id, 'approve', second.token),
      await decide(two?.body.id, 'approve', second.token),
    ];
    expect(decided.map(({ body: { code = 'done' } }) => code)).toEqual(['done', 'approval_outdated']);
    expect((await decide(two?.body.id, 'decline', second.token)).status).toBe(200);
    const { release } = (await service.call('GET', `/api/holds/${id}`)).body;
    expect(release.released_by).toEqual(one?.body.requested_by);
    await demandByTwo([]);
  });

  it('is the change of what needs two people, too, whatever else does', async () => {
    const answer_audit_two_people = { acts: [] };
    const alone = await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_two_people } });
    expect([alone.status, alone.body.code]).toEqual([409, 'approval_required']);
    const other_setting = { answer_audit_default_retention_days: 78 };
    expect((await service.call('PATCH', '/api/tenant/settings', { body: other_setting })).status).toBe(200);
    const first = (await service.call('POST', '/api/approvals', { body: { reason: REASON, settings: other_setting } }))
      .body;
    expect(first.code).toBe('approval_outdated');
    await demandByTwo([]);
    expect((await service.call('GET', '/api/tenant/settings')).body.answer_audit_two_people.acts).toEqual([]);
  });

  it('of settings is outdated once the settings have changed', async () => {
    const settings = { answer_audit_default_retention_days: 79 };
    const { body: asked } = await service.call('POST', '/api/approvals', { body: { reason: REASON, settings } });
    await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_proof_links_enabled: true } });
    expect((await decide(asked.id, 'approve', second.token)).body.code).toBe('approval_outdated');
  });

  it('is done by one person where nobody else could approve it, who is marked as alone', async () => {
    const managers = (await service.call('GET', '/api/members?size=200')).body.items.filter(
      ({ role, removed_at, username }: any) => role === 'manager' && removed_at === null && /^manager-/.test(username),
    );
    for (const { id } of managers) await service.call('DELETE', `/api/members/${id}`);
    const id = await record();
    const body = { event_type: 'redacted', payload: { reason_code: 'privacy' } };
    const done = await service.call('POST', `${RECORDS}/${id}/events`, { body });
    expect([done.status, done.body.events[0].approval]).toEqual([200, { approval_id: null, approved_by: null }]);
    const [entry] = (await service.call('GET', '/api/tenant/entries?type=approval_decided&size=1')).body.items;
    expect(entry.core).toMatchObject({ decision: 'alone', act: 'redaction', entry_ids: [done.body.events[0].id] });
    const asked = await service.call('POST', '/api/approvals', { body: { reason: REASON, event: event(id) } });
    expect(asked.body.code).toBe('transition_not_allowed');
    const next = await service.call('POST', '/api/approvals', {
      body: { reason: REASON, event: event(await record()) },
    });
    expect(next.body.code).toBe('approval_not_allowed');
    expect(await findings()).toEqual([]);
  });
});

it('at most 200 requests wait in a workspace, and one that ends makes room', async () => {
  await addManager();
  const act = (recordId: string) => ({ reason: REASON, event: event(recordId) });
  const answers: Reply[] = [];
  // Some wait of the tests before.
  while (answers.at(-1)?.status !== 409 && answers.length <= 200)
    answers.push(await service.call('POST', '/api/approvals', { body: act(await record()) }));
  expect(answers.at(-1)?.body.code).toBe('limit_reached');
  const waiting = (await service.call('GET', '/api/approvals?state=open&size=200')).body;
  expect(waiting.page.total ?? waiting.total).toBe(200);
  expect((await decide(answers[0]?.body.id, 'withdraw', service.managerToken)).status).toBe(200);
  expect((await service.call('POST', '/api/approvals', { body: act(await record()) })).status).toBe(201);
}, 60_000);
