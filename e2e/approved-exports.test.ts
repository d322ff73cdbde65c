import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Stores } from '../libs/runtime/src/open/open-stores.ts';
import { addMemberWith, issueTokenOf, type MemberWith, useLink } from '../tools/scenery/members-with.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';

const EXPORT = '/api/answer-audit-logs/export';
const PACKS = '/api/trust/packs';
/** More than any record of the tests before it. */
const ABOVE = 3;

let service: TestService;
let other: TestService;
let stores: Stores;
let workspaceId: string;
let second: MemberWith;
let count = 0;

beforeAll(async () => {
  service = await openTestService();
  other = await openTestService({ share: service });
  stores = (await openStoresOn(service)).stores;
  workspaceId = (await service.call('GET', '/api/whoami')).body.workspace.id;
  second = await addManager();
  const answer_audit_two_people = { acts: ['export'], expires_within: 3600, exports_above: ABOVE };
  const set = await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_two_people } });
  expect([set.status, set.body.answer_audit_two_people]).toEqual([200, answer_audit_two_people]);
}, 90_000);
afterAll(async () => {
  await stores.close();
  await other.close();
  await service.close();
});

/** A manager who has used their link, and has exported nothing yet. */
async function addManager(): Promise<MemberWith> {
  return useLink(service, stores, workspaceId, await addMemberWith(service, stores, workspaceId, { role: 'manager' }));
}

/** Records of an application of their own. */
async function record(size: number, application = `bot-${++count}`) {
  const ids: string[] = [];
  for (let n = 0; n < size; n++) {
    const body = answer(`question ${n}`, 'an answer', { application_key: application });
    ids.push((await service.call('POST', '/api/answer-audit-logs', { body })).body.id);
  }
  return { application, ids };
}

function exportAs({ token }: { readonly token: string }, application: string, more = '', of = service): Promise<Reply> {
  return of.call('GET', `${EXPORT}?format=jsonl&application_key=${application}${more}`, { token });
}

async function ask({ token }: { readonly token: string }, act: object): Promise<any> {
  const reply = await service.call('POST', '/api/approvals', { token, body: { reason: 'the auditor asks', ...act } });
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, '']);
  return reply.body;
}

const askExport = (of: MemberWith, application: string) =>
  ask(of, { export: { format: 'jsonl', application_key: application } });
const approve = (id: string, token = service.managerToken) =>
  other.call('POST', `/api/approvals/${id}/approve`, { token });
const codeOf = ({ status, body }: Reply) => (status === 200 ? 'done' : body.code);
const linesOf = ({ text }: Reply) => text.trim().split('\n').length;

describe('an export above what one person may take in a day', () => {
  let asker: MemberWith;
  beforeEach(async () => {
    asker = await addManager();
  });

  it('is refused to one, in one piece or in many, by one token or by two', async () => {
    const { application } = await record(ABOVE + 1);
    expect(codeOf(await exportAs(asker, application))).toBe('approval_required');
    const some = await record(2);
    expect(codeOf(await exportAs(asker, some.application))).toBe('done');
    expect(codeOf(await exportAs(asker, (await record(1)).application))).toBe('done');
    const last = await record(1);
    const token = await issueTokenOf(stores, workspaceId, asker.id);
    const replies = [await exportAs(asker, last.application), await exportAs({ token }, last.application, '', other)];
    expect(replies.map(codeOf)).toEqual(['approval_required', 'approval_required']);
    const pack = { answer_log_ids: last.ids };
    expect(codeOf(await service.call('POST', PACKS, { token, body: pack }))).toBe('approval_required');
    const withheld = await service.call('POST', PACKS, { token, body: { ...pack, texts: 'withheld' } });
    expect(withheld.status).toBe(200);
    // What another person takes is theirs.
    expect(codeOf(await exportAs(await addManager(), last.application))).toBe('done');
  });

  it('is refused where two of them together are above it, at the same time in two processes', async () => {
    const [one, two] = [await record(2), await record(2)];
    const replies = await Promise.all([exportAs(asker, one.application), exportAs(asker, two.application, '', other)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['approval_required', 'done']);
  });

  it('leaves once when it was approved, as it was when it was asked for, and the log names the approval', async () => {
    const { application, ids } = await record(ABOVE + 1);
    const asked = await askExport(asker, application);
    expect(asked).toMatchObject({
      act: 'export',
      state: 'open',
      request: { export: { format: 'jsonl', application_key: application, records: ABOVE + 1 } },
    });
    expect(codeOf(await exportAs(asker, application, `&approval_id=${asked.id}`))).toBe('approval_not_open');
    const approved = await approve(asked.id);
    expect(approved.body).toMatchObject({ state: 'approved', used: false, entry_ids: [] });
    await record(1, application);
    const of = `&approval_id=${asked.id}`;
    expect(codeOf(await exportAs(second, application, of))).toBe('approval_not_allowed');
    expect(codeOf(await exportAs(asker, (await record(1)).application, of))).toBe('approval_outdated');
    const csv = `${EXPORT}?format=csv&application_key=${application}${of}`;
    expect(codeOf(await service.call('GET', csv, { token: asker.token }))).toBe('approval_outdated');
    const done = await exportAs(asker, application, of, other);
    expect([codeOf(done), linesOf(done)]).toEqual(['done', ABOVE + 1]);
    for (const id of ids) expect(done.text).toContain(id);
    expect(codeOf(await exportAs(asker, application, of))).toBe('approval_not_open');
    const after = await service.call('GET', `/api/approvals/${asked.id}`);
    expect(after.body).toMatchObject({
      state: 'approved',
      used: true,
      request: null,
      decided_by: approved.body.decided_by,
    });
    const [entry] = (await service.call('GET', '/api/tenant/entries?type=export_made&size=1')).body.items;
    expect(entry.core).toMatchObject({ approval_id: asked.id, records: ABOVE + 1, actor: { id: asker.id } });
    expect((await service.call('POST', '/api/trust/ledger-checks')).body.findings).toEqual([]);
  });

  it('leaves once, however many take it at the same time in two processes', async () => {
    const { application } = await record(ABOVE + 1);
    const { id } = await askExport(asker, application);
    await approve(id);
    const replies = await Promise.all(
      [service, other, service, other].map((of) => exportAs(asker, application, `&approval_id=${id}`, of)),
    );
    expect(replies.map(codeOf).toSorted()).toEqual([
      'approval_not_open',
      'approval_not_open',
      'approval_not_open',
      'done',
    ]);
  });

  it('does not leave once who approved it, or who asked for it, may no longer do so', async () => {
    const { application } = await record(ABOVE + 1);
    const colleague = await addManager();
    const asked = await askExport(asker, application);
    expect(codeOf(await approve(asked.id, asker.token))).toBe('approval_not_allowed');
    expect(codeOf(await approve(asked.id, colleague.token))).toBe('done');
    await service.call('PATCH', `/api/members/${colleague.id}`, { body: { role: 'member' } });
    expect(codeOf(await exportAs(asker, application, `&approval_id=${asked.id}`))).toBe('approval_outdated');
    await service.call('DELETE', `/api/members/${colleague.id}`);
    expect(codeOf(await exportAs(asker, application, `&approval_id=${asked.id}`))).toBe('approval_outdated');
    const { id } = await askExport(asker, application);
    await approve(id);
    await service.call('PATCH', `/api/members/${asker.id}`, { body: { role: 'member' } });
    const token = await issueTokenOf(stores, workspaceId, asker.id);
    expect(codeOf(await exportAs({ token }, application, `&approval_id=${id}`))).toBe('role_not_allowed');
  });

  it('is a pack too, which makes no link for people before it may leave', async () => {
    const { ids } = await record(ABOVE + 1);
    await service.call('PATCH', '/api/tenant/settings', { body: { answer_audit_proof_links_enabled: true } });
    const pack = { answer_log_ids: ids, purpose: 'an audit', proof_links: {} };
    const send = (body: object) => service.call('POST', PACKS, { token: asker.token, body });
    expect(codeOf(await send(pack))).toBe('approval_required');
    // Its links would hand the texts out.
    const linked = { ...pack, texts: 'withheld', proof_links: { shows: 'record' } };
    expect(codeOf(await send(linked))).toBe('approval_required');
    const links = async () => (await service.call('GET', '/api/tenant/entries?type=proof_link_made')).body.items;
    expect(await links()).toEqual([]);
    const { id } = await ask(asker, { pack });
    await approve(id);
    const { purpose: _, ...less } = pack;
    expect(codeOf(await send({ ...less, approval_id: id }))).toBe('approval_outdated');
    expect(await links()).toEqual([]);
    const done = await send({ ...pack, approval_id: id });
    expect([done.status, (await links()).length]).toEqual([200, ids.length]);
    expect(codeOf(await send({ ...pack, approval_id: id }))).toBe('approval_not_open');
    expect((await service.call('POST', '/api/trust/ledger-checks')).body.findings).toEqual([]);
  });

  it('is not made easier by one person: the number is part of the policy', async () => {
    const answer_audit_two_people = { acts: ['export'], expires_within: 3600, exports_above: 1_000 };
    const { token } = asker;
    const loosened = await service.call('PATCH', '/api/tenant/settings', { token, body: { answer_audit_two_people } });
    expect(codeOf(loosened)).toBe('approval_required');
  });
});
