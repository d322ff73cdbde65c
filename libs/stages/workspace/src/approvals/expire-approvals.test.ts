import { expect, it } from '@jest/globals';
import type { Approval } from '@answer-evidence/contracts';
import { createNoteCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { openStage, type StageWorkspace } from '@answer-evidence/testing';
import { addWithPassword, callerOf } from '../../fixtures/accounts.ts';
import { createWorkspaceStage } from '../stage.ts';

const HOUR = 3_600_000_000;
const RECORD = '0199f3c2-0000-7000-8000-000000000001';

/** A stage in which a request does nothing but leave an entry, with a second manager. */
async function open() {
  const stage = await openStage(
    (workspace: StageWorkspace) =>
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
  const second = callerOf(stage, await addWithPassword(stage, 'max', 'manager'));
  return { ...stage, second };
}

async function ask({ call, manager }: Awaited<ReturnType<typeof open>>): Promise<Approval> {
  const body = { reason: 'why', event: { answer_log_id: RECORD, event_type: 'voided' } };
  const reply = await call('POST', '/api/approvals', { as: manager, body });
  expect(reply.status).toBe(201);
  return reply.body as Approval;
}

it('a request that nobody decided about in time is expired, cannot be approved, and gets one entry of that', async () => {
  const stage = await open();
  const asked = await ask(stage);
  const ticker = createWorkspaceStage(stage).tickers.find(({ name }) => name === 'expire-approvals');
  const entries = () => stage.logs.workspaceEntries(stage.workspace.id, 'approval_decided');
  await ticker?.run(AbortSignal.timeout(60_000));
  expect(await entries()).toEqual([]);
  stage.clock.advance(HOUR);
  const read = () => stage.call('GET', `/api/approvals/${asked.id}`, { as: stage.manager });
  expect((await read()).body).toMatchObject({ state: 'expired', decided_at: null });
  expect(await stage.call('POST', `/api/approvals/${asked.id}/approve`, { as: stage.second })).toMatchObject({
    status: 409,
    code: 'approval_not_open',
  });
  for (let n = 0; n < 2; n++) await ticker?.run(AbortSignal.timeout(60_000));
  expect(await entries()).toHaveLength(1);
  expect((await read()).body).toMatchObject({
    state: 'expired',
    request: null,
    decided_by: { kind: 'service', id: 'approvals' },
  });
});

it('a request whose stored form was altered is not carried out', async () => {
  const stage = await open();
  const asked = await ask(stage);
  const another = await ask(stage);
  const other = `(select sealed from answer_evidence.approvals where id = $2)`;
  const change = `update answer_evidence.approvals set sealed = ${other} where id = $1`;
  await stage.superuser.query(change, [asked.id, another.id]);
  expect(await stage.call('POST', `/api/approvals/${asked.id}/approve`, { as: stage.second })).toMatchObject({
    status: 500,
    code: 'content_damaged',
  });
  expect(await stage.call('POST', `/api/approvals/${another.id}/approve`, { as: stage.second })).toMatchObject({
    status: 200,
    body: { state: 'approved' },
  });
});
