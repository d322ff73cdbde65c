import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MEMBER_ROLES, type WantedAccess } from '@answer-evidence/contracts';
import type { Stores } from '../libs/runtime/src/open/open-stores.ts';
import { addMemberWith, issueTokenOf, type MemberWith } from '../tools/scenery/members-with.ts';
import { ROUTE_TABLE } from '../tools/scenery/route-table.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { openTenants, type Tenant } from '../tools/scenery/tenants.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const RECORDS = '/api/answer-audit-logs';
const SECOND = 'ours-second-app';
const WHY = { reason_code: 'review', reason: 'a test' };
const LIMITED = MEMBER_ROLES.filter((role) => role !== 'manager');

let service: TestService;
let other: TestService;
let stores: Stores;
let ours: Tenant;

beforeAll(async () => {
  service = await openTestService();
  other = await openTestService({ share: service });
  ({ ours } = await openTenants(service));
  stores = (await openStoresOn(service)).stores;
}, 90_000);
afterAll(async () => {
  await stores.close();
  await other.close();
  await service.close();
});

const withAccess = (access: WantedAccess) => addMemberWith(service, stores, ours.workspaceId, access);

function call(method: string, path: string, body?: object, token = ours.manager, of = service): Promise<Reply> {
  return of.call(method, path, { token, ...(body === undefined ? {} : { body }) });
}

async function setAccess({ id }: MemberWith, access: WantedAccess, of = service): Promise<Reply> {
  return call('PATCH', `/api/members/${id}`, { access }, ours.manager, of);
}

/** Asks every operation for what belongs to the first application, and returns what shows any of it. */
async function findShown(
  token: string,
  known: readonly string[] = [],
): Promise<{ readonly shown: readonly string[]; readonly answered: number }> {
  const { target } = ours;
  const shown: string[] = [];
  let answered = 0;
  for (const [name, row] of Object.entries(ROUTE_TABLE)) {
    if (row.access === 'public' || name === 'POST /api/auth/logout') continue;
    const [method = ''] = name.split(' ');
    const request = row.path(target) + JSON.stringify(row.body?.(target) ?? {});
    const reply = await call(method, row.path(target), row.body?.(target), token);
    if (reply.status < 300) answered++;
    // The workspace is theirs as well, and what they sent they know.
    const marks = target.marks.filter(
      (mark) => mark !== ours.workspaceId && !known.includes(mark) && !request.includes(mark),
    );
    const text = `${reply.text} ${JSON.stringify([...reply.headers])}`;
    const ownId = row.path(target).includes(target.recordId) && reply.status < 300 ? ['the record itself'] : [];
    shown.push(...[...marks.filter((mark) => text.includes(mark)), ...ownId].map((mark) => `${name}: ${mark}`));
  }
  return { shown, answered };
}

describe('a role that is limited', () => {
  it.each(LIMITED)(
    'to another application shows %s nothing of the first, by any operation',
    async (role) => {
      const { token } = await withAccess({ role, applications: [SECOND] });
      const { shown, answered } = await findShown(token);
      expect(shown).toEqual([]);
      expect(answered).toBeGreaterThan(3);
    },
    120_000,
  );

  it.each(LIMITED)(
    'to several other applications shows %s nothing of the first either',
    async (role) => {
      const { token } = await withAccess({ role, applications: ['ours-third-app', SECOND] });
      expect((await findShown(token)).shown).toEqual([]);
    },
    120_000,
  );

  it.each(LIMITED.filter((role) => role !== 'application_operator'))(
    'to another environment shows %s nothing of this one',
    async (role) => {
      for (const environments of [['elsewhere'], ['elsewhere', 'nowhere']]) {
        const { token } = await withAccess({ role, environments });
        // Which applications there are is no secret to them: a view may name one.
        expect((await findShown(token, [ours.target.applicationKey])).shown).toEqual([]);
      }
    },
    120_000,
  );

  it('lists what is within it, in one page or in many, and refuses to be asked for more', async () => {
    for (const environment of ['staging', 'test'])
      await call('POST', RECORDS, answer('q', 'a', { application_key: SECOND, environment }));
    const keysOf = async (access: WantedAccess, path = RECORDS) => {
      const { token } = await withAccess(access);
      const { items, total } = (await call('GET', `${path}?size=200`, undefined, token)).body;
      const records = items.map((item: any) => item.record ?? item);
      expect(records.length).toBe(total);
      return new Set(records.map((one: any) => `${one.application_key} ${one.environment}`));
    };
    for (const path of [RECORDS, '/api/search/records']) {
      expect(await keysOf({ role: 'read_only', applications: [SECOND] }, path)).toEqual(
        new Set(['production', 'staging', 'test'].map((environment) => `${SECOND} ${environment}`)),
      );
      expect(await keysOf({ role: 'reviewer', environments: ['staging', 'test'] }, path)).toEqual(
        new Set([`${SECOND} staging`, `${SECOND} test`]),
      );
      const both = { applications: ['ours-first-app', SECOND], environments: ['production', 'test'] };
      expect(await keysOf({ role: 'auditor', ...both }, path)).toEqual(
        new Set(['ours-first-app production', `${SECOND} production`, `${SECOND} test`]),
      );
    }
    const { token } = await withAccess({ role: 'auditor', applications: [SECOND], environments: ['test'] });
    for (const query of ['application_key=ours-first-app', 'environment=production'])
      expect((await call('GET', `${RECORDS}?${query}`, undefined, token)).body.code).toBe('application_not_allowed');
    const values = (await call('GET', '/api/search/values', undefined, token)).body;
    expect([values.applications, values.environments]).toEqual([[SECOND], ['test']]);
    const view = { name: `mine ${crypto.randomUUID()}`, filters: { application_key: 'ours-first-app' } };
    const { token: reviewer } = await withAccess({ role: 'reviewer', applications: [SECOND] });
    expect((await call('POST', '/api/search/views', view, reviewer)).body.code).toBe('application_not_allowed');
    const overview = (await call('GET', '/api/overview', undefined, reviewer)).body;
    expect(overview.counts.every((one: any) => one.application_key !== 'ours-first-app')).toBe(true);
  }, 60_000);

  it.each([
    [{ role: 'manager', applications: [SECOND] }, '/access'],
    [{ role: 'application_operator', environments: ['test'] }, '/access/environments'],
    [{ role: 'reviewer', applications: [] }, '/access/applications'],
    [{ role: 'emperor' }, '/access/role'],
  ])('is refused where it makes no sense: %j', async (access, pointer) => {
    const { status, body } = await call('POST', '/api/members', { username: `n${crypto.randomUUID()}`, access });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });
});

describe('what a role does', () => {
  it('is to correct for a reviewer, and neither to void nor to redact', async () => {
    const { token } = await withAccess({ role: 'reviewer', applications: ['ours-first-app'] });
    const path = `${RECORDS}/${ours.target.recordId}/events`;
    const correction = { event_type: 'correction_appended', payload: { corrected_answer_text: 'Corrected.' } };
    expect((await call('POST', path, correction, token)).status).toBe(200);
    const only = 'Only a manager may do this; ask one.';
    for (const event_type of ['voided', 'redacted', 'retention_extended']) {
      const { status, body } = await call('POST', path, { event_type }, token);
      expect([event_type, status, body.detail]).toEqual([event_type, 403, only]);
    }
  });

  it('is to issue, list and end tokens of their applications for an operator, and none that reads', async () => {
    const { token } = await withAccess({ role: 'application_operator', applications: [SECOND] });
    const issue = (application_key: string, scopes: readonly string[]) =>
      call('POST', '/api/tokens', { kind: 'application', name: crypto.randomUUID(), application_key, scopes }, token);
    const made = await issue(SECOND, ['answer_audit:create']);
    expect(made.status).toBe(201);
    expect((await issue('ours-first-app', ['answer_audit:create'])).body.code).toBe('application_not_allowed');
    for (const scope of ['answer_audit:read', 'answer_audit:evidence:read'])
      expect((await issue(SECOND, ['answer_audit:create', scope])).body.code).toBe('role_not_allowed');
    const { items } = (await call('GET', '/api/tokens?size=200', undefined, token)).body;
    expect(new Set(items.map((one: any) => one.application_key))).toEqual(new Set([SECOND, null]));
    const reading = items.find((one: any) => one.scopes.includes('answer_audit:read'));
    expect((await call('POST', `/api/tokens/${reading.id}/rotate`, {}, token)).body.code).toBe('role_not_allowed');
    expect((await call('POST', `/api/tokens/${made.body.id}/rotate`, {}, token)).status).toBe(201);
    expect((await call('DELETE', `/api/tokens/${reading.id}`, undefined, token)).status).toBe(204);
    expect((await call('DELETE', `/api/tokens/${ours.target.tokenId}`, undefined, token)).status).toBe(404);
  });

  it('is a pack without texts for an auditor, who is told how to ask for one', async () => {
    const { token } = await withAccess({ role: 'auditor' });
    const ids = { answer_log_ids: [ours.target.recordId] };
    const refused = await call('POST', '/api/trust/packs', ids, token);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('texts=withheld')]);
    const pack = await call('POST', '/api/trust/packs', { ...ids, texts: 'withheld' }, token);
    expect([pack.status, pack.text.includes('ours-answer-text')]).toEqual([200, false]);
    const proof = `/api/trust/proofs/answers/${ours.target.recordId}`;
    expect((await call('GET', proof, undefined, token)).status).toBe(403);
    expect((await call('GET', `${proof}?texts=withheld`, undefined, token)).status).toBe(200);
    expect((await call('POST', '/api/trust/ledger-checks', {}, token)).body.findings).toEqual([]);
  });
});

describe('a change of role', () => {
  // Nothing keeps the heads of these stores; an append by them is refused some time after the first.
  beforeEach(async () => {
    await stores.close();
    stores = (await openStoresOn(service)).stores;
  });

  it('that takes something ends the tokens for good, in both processes, and one that gives keeps them', async () => {
    const member = await withAccess({ role: 'read_only', applications: [SECOND] });
    const ask = (of: TestService) => call('GET', '/api/whoami', undefined, member.token, of);
    await ask(other);
    expect((await setAccess(member, { role: 'read_only', applications: [SECOND, 'ours-first-app'] })).status).toBe(200);
    expect((await ask(service)).status).toBe(200);
    const changed = await setAccess(member, { role: 'auditor' });
    expect(changed.body).toMatchObject({ role: 'member', access: { role: 'auditor', applications: null } });
    await until('the end', async () => (await ask(service)).body.code === 'token_revoked');
    await until('the end', async () => (await ask(other)).body.code === 'token_revoked');
    await setAccess(member, { role: 'member' });
    expect((await ask(service)).body.code).toBe('token_revoked');
    const entries = (await call('GET', '/api/tenant/entries?type=member_changed&size=2')).body.items;
    expect(entries.map((one: any) => [one.core.changes, one.core.access ?? null])).toEqual([
      [['access_changed'], null],
      [['access_changed'], { role: 'auditor', applications: null, environments: null }],
    ]);
  }, 30_000);

  it('and a reading under way: what comes after it in the log is refused in the other process, too', async () => {
    const reveal = `${RECORDS}/${ours.target.recordId}/reveal`;
    for (let round = 0; round < 6; round++) {
      const member = await withAccess({ role: 'reviewer' });
      const ask = () => call('POST', reveal, WHY, member.token, other);
      expect((await ask()).status).toBe(200);
      const [changed, ...replies] = await Promise.all([
        setAccess(member, { role: 'auditor' }),
        ...Array.from({ length: 6 }, ask),
      ]);
      expect(changed.status).toBe(200);
      // The other process still believes its memory of the token; the log does not.
      const late = await ask();
      expect([late.status, late.text.includes('ours-answer-text')]).toEqual([expect.any(Number), false]);
      expect([401, 403]).toContain(late.status);
      const { items } = (await call('GET', '/api/tenant/entries?size=200')).body;
      const at = items.find((one: any) => one.core.member_id === member.id)?.ledger.leaf_index;
      const read = items.filter((one: any) => one.type === 'texts_revealed' && one.core.actor.id === member.id);
      expect(read.length).toBe(1 + replies.filter(({ status }) => status === 200).length);
      expect(read.every((one: any) => one.ledger.leaf_index < at)).toBe(true);
    }
  }, 60_000);

  it('and a write under way: none is taken after it, in the log or beside it', async () => {
    const member = await withAccess({ role: 'member' });
    const ask = (method: string, path: string, body?: object) => call(method, path, body, member.token, other);
    const view = await ask('POST', '/api/search/views', { name: `a view ${crypto.randomUUID()}`, filters: {} });
    expect([view.status, (await ask('POST', RECORDS, answer('before', 'a'))).status]).toEqual([201, 201]);
    expect((await setAccess(member, { role: 'member', applications: [SECOND] })).status).toBe(200);
    // The other process still believes its memory of the token: nobody may be within limits that they no longer have.
    const window = { window_start: '2020-01-01T00:00:00Z', window_end: '2020-01-02T00:00:00Z' };
    const references = [{ reference_id: 'a', occurred_at: '2020-01-01T12:00:00Z' }];
    const place = { application_key: 'ours-first-app', environment: 'production' };
    for (const [path, body] of [
      [RECORDS, answer('after', 'a', place)],
      ['/api/reconciliations/runs', { ...place, ...window, match_on: 'external_message_id', references }],
      [`/api/reconciliations/runs/${ours.target.runId}/triage/0/steps`, { action: 'comment', text: 'late' }],
    ] as const) {
      const reply = await ask('POST', path, body);
      expect([path, reply.status, reply.text.includes('late')]).toEqual([path, expect.any(Number), false]);
      expect([401, 403]).toContain(reply.status);
    }
    const batch = await ask('POST', `${RECORDS}/batch`, { records: [answer('in a batch', 'a', place)] });
    expect(batch.status === 200 ? batch.body.results[0].code : batch.status).toEqual(
      batch.status === 200 ? 'application_not_allowed' : expect.any(Number),
    );
    expect((await setAccess(member, { role: 'read_only' })).status).toBe(200);
    for (const reply of [
      await ask('DELETE', `/api/search/views/${view.body.id}`),
      await ask('POST', '/api/search/views', { name: 'late', filters: {} }),
    ])
      expect([401, 403]).toContain(reply.status);
    const actorsOf = (await call('GET', `${RECORDS}?size=200`)).body.items.map((one: any) => one.created_by?.id);
    expect(actorsOf.filter((id: string) => id === member.id)).toHaveLength(1);
  }, 30_000);

  it('and an operator’s token under way: none is issued after it', async () => {
    const member = await withAccess({ role: 'application_operator', applications: [SECOND] });
    const body = { kind: 'application', application_key: SECOND, scopes: ['answer_audit:create'] };
    const issue = () => call('POST', '/api/tokens', { ...body, name: crypto.randomUUID() }, member.token, other);
    expect((await issue()).status).toBe(201);
    await setAccess(member, { role: 'application_operator', applications: ['ours-third-app'] });
    expect([401, 403]).toContain((await issue()).status);
    const again = await issueTokenOf(stores, ours.workspaceId, member.id);
    const refused = await call('POST', '/api/tokens', { ...body, name: crypto.randomUUID() }, again);
    expect(refused.body).toMatchObject({
      code: 'application_not_allowed',
      detail: expect.stringMatching(/limited to the application ours-third-app; ask somebody whose role is not/),
    });
  }, 30_000);

  it('leaves a log that holds, with what each member may do', async () => {
    expect((await call('POST', '/api/trust/ledger-checks')).body.findings).toEqual([]);
  });
});
