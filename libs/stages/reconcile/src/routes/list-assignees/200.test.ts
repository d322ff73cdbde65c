import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTriageTest, type TriageTest } from '../../fixtures/triage.ts';

let test: TriageTest;

beforeAll(async () => {
  test = await openTriageTest();
  const add = (id: string, name: string, column: string) =>
    test.owner(`insert into answer_evidence.members (workspace_id, id, username, role, created_at, version, ${column})
      values ('${test.workspace.id}', '${id}', '${name}', 'member', 1, 1, 2)`);
  await add('0199f3c2-0000-7000-8000-0000000000d1', 'disabled', 'disabled_at');
  await add('0199f3c2-0000-7000-8000-0000000000d2', 'removed', 'removed_at');
});

afterAll(() => test.close());

it('names to every member those who can have a finding, and nothing else of them', async () => {
  const reply = await test.call('GET', '/api/reconciliations/assignees', { as: test.member });
  expect(reply).toMatchObject({ status: 200 });
  const { items } = reply.body as { readonly items: readonly object[] };
  expect(items).toContainEqual({ id: test.member.userId, username: 'max' });
  const text = JSON.stringify(items);
  for (const gone of ['disabled', 'removed', 'role', 'sign_in']) expect(text).not.toContain(gone);
});
