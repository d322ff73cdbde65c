import { expect, it } from '@jest/globals';
import type { Approval } from '@answer-evidence/contracts';
import { createNoteCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { createFakeStage, type FakeWorkspace } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../stage.ts';

const HOUR = 3_600_000_000;
const RECORD = '0199f3c2-0000-7000-8000-000000000001';

/** A stage in which a request does nothing but leave an entry, with a second manager. */
function createStage() {
  const stage = createFakeStage(
    (workspace: FakeWorkspace) =>
      createWorkspaceStage({
        ...workspace,
        acts: {
          event: {
            pin: (_, request) => Promise.resolve(request),
            prepare: ({ workspace: { id }, requester: actor }) => {
              const core = { ...newCoreIdentity(workspace), reason_code: 'review', reason: 'a test', actor };
              return Promise.resolve(createNoteCommand(id, { type: 'search_opened', seq: 0, core }));
            },
          },
        },
      }),
    { answer_audit_two_people: { acts: ['void'], expires_within: 3600 } },
  );
  const [manager, other] = stage.database.rows.members;
  if (manager === undefined || other === undefined) throw new Error('there are two members');
  stage.database.rows.members = [manager, { ...other, role: 'manager' }];
  stage.database.rows.member_credentials.push({
    member_id: other.id,
    entry_id: other.id,
    password_hash: 'hash',
    link_hash: null,
    link_expires_at: null,
    mac: new Uint8Array(32),
  });
  return { ...stage, second: { ...stage.member, role: 'manager' as const } };
}

async function ask({ call, manager }: ReturnType<typeof createStage>): Promise<Approval> {
  const body = { reason: 'why', event: { answer_log_id: RECORD, event_type: 'voided' } };
  const reply = await call('POST', '/api/approvals', { as: manager, body });
  expect(reply.status).toBe(201);
  return reply.body as Approval;
}

it('a request that nobody decided about in time is expired, cannot be approved, and gets one entry of that', async () => {
  const stage = createStage();
  const asked = await ask(stage);
  const ticker = createWorkspaceStage(stage).tickers.find(({ name }) => name === 'expire-approvals');
  const entries = () => stage.database.rows.workspace_entries.filter(({ type }) => type === 'approval_decided');
  await ticker?.run(AbortSignal.timeout(60_000));
  expect(entries()).toEqual([]);
  stage.clock.advance(HOUR);
  const read = () => stage.call('GET', `/api/approvals/${asked.id}`, { as: stage.manager });
  expect((await read()).body).toMatchObject({ state: 'expired', decided_at: null });
  expect(await stage.call('POST', `/api/approvals/${asked.id}/approve`, { as: stage.second })).toMatchObject({
    status: 409,
    code: 'approval_not_open',
  });
  for (let n = 0; n < 2; n++) await ticker?.run(AbortSignal.timeout(60_000));
  expect(entries()).toHaveLength(1);
  expect((await read()).body).toMatchObject({
    state: 'expired',
    request: null,
    decided_by: { kind: 'service', id: 'approvals' },
  });
});

it('a request whose stored form was altered is not carried out', async () => {
  const stage = createStage();
  const asked = await ask(stage);
  const another = await ask(stage);
  const sealed = stage.database.rows.approvals.find(({ id }) => id === another.id);
  stage.database.rows.approvals = stage.database.rows.approvals.map((row) =>
    row.id === asked.id && sealed !== undefined ? { ...row, sealed: sealed.sealed } : row,
  );
  expect(await stage.call('POST', `/api/approvals/${asked.id}/approve`, { as: stage.second })).toMatchObject({
    status: 500,
    code: 'content_damaged',
  });
  expect(await stage.call('POST', `/api/approvals/${another.id}/approve`, { as: stage.second })).toMatchObject({
    status: 200,
    body: { state: 'approved' },
  });
});
