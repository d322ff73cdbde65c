import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { assigneeList, type MemberRole } from '@answer-evidence/contracts';
import { addMemberWith, openTriageTest, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;
const WITH_ACCESS: readonly (readonly [MemberRole, string[] | null, string[] | null])[] = [
  ['reviewer', null, null],
  ['reviewer', ['support-bot', 'other-bot'], null],
  ['member', ['other-bot'], null],
  ['reviewer', null, ['production']],
  ['reviewer', ['support-bot'], ['elsewhere']],
  ['auditor', null, null],
  ['read_only', null, null],
  ['application_operator', null, null],
];
const idOf = (n: number) => `0199f3c2-0000-7000-8000-0000000000e${n}`;

beforeAll(async () => {
  test = await openTriageTest();
  const add = (id: string, name: string, column: string) =>
    test.owner(`insert into answer_evidence.members (workspace_id, id, username, role, created_at, version, ${column})
      values ('${test.workspace.id}', '${id}', '${name}', 'member', 1, 1, 2)`);
  await add('0199f3c2-0000-7000-8000-0000000000d1', 'disabled', 'disabled_at');
  await add('0199f3c2-0000-7000-8000-0000000000d2', 'removed', 'removed_at');
  for (const [n, [role, applications, environments]] of WITH_ACCESS.entries())
    await addMemberWith(test, idOf(n), { role, applications, environments });
});

afterAll(() => test.close());

const names = async (query: Readonly<Record<string, string>>, as = test.member) => {
  const reply = await test.call('GET', '/api/reconciliations/assignees', { as, query });
  return reply.status === 200 ? assigneeList.parse(reply.body).items.map(({ username }) => username) : reply.code;
};

it('names to every member those who can have a finding, and nothing else of them', async () => {
  const reply = await test.call('GET', '/api/reconciliations/assignees', { as: test.member });
  expect(reply).toMatchObject({ status: 200 });
  const { items } = reply.body as { readonly items: readonly object[] };
  expect(items).toContainEqual({ id: test.member.userId, username: 'max' });
  const text = JSON.stringify(items);
  for (const gone of ['disabled', 'removed', 'role', 'sign_in']) expect(text).not.toContain(gone);
});

it('names for a run only those who can work on findings of its application and environment', async () => {
  const everywhere = await names({});
  expect(everywhere).toEqual(expect.arrayContaining(['max', 'with-0', 'with-1', 'with-2', 'with-3', 'with-4']));
  for (const n of [5, 6, 7]) expect(everywhere).not.toContain(`with-${n}`);
  const ofRun = await names({ run_id: test.runId });
  expect(ofRun).toEqual(expect.arrayContaining(['max', 'with-0', 'with-1', 'with-3']));
  for (const n of [2, 4, 5, 6, 7]) expect(ofRun).not.toContain(`with-${n}`);
  const elsewhere = { ...test.member, limits: { applications: ['other-bot'], environments: null } };
  expect(await names({ run_id: test.runId }, elsewhere)).toBe('application_not_allowed');
  expect(await names({ run_id: idOf(0) })).toBe('not_found');
});

it('lets nobody else be given a finding, and says where to look', async () => {
  const give = async (n: number) => {
    const body = { action: 'assign', assignee_id: idOf(n) };
    const { status, errors } = await test.call('POST', `${test.path}/0/steps`, { as: test.manager, body });
    return errors === undefined ? status : [status, errors];
  };
  const detail = expect.stringContaining('can work on findings of this run; list the assignees');
  for (const n of [2, 4, 5, 6, 7]) expect(await give(n)).toEqual([422, [{ pointer: '/assignee_id', detail }]]);
  for (const n of [0, 1, 3]) expect(await give(n)).toBe(200);
});
