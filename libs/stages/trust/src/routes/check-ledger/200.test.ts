import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openPostgresWorkspace, type PostgresWorkspace } from '@answer-evidence/testing';
import { appendEvent, createRecord, createTrustTest, type TrustTest } from '../../fixtures/trust.ts';

describe('POST /api/trust/ledger-checks, on PostgreSQL', () => {
  let workspace: PostgresWorkspace;
  let stage: TrustTest;
  beforeAll(async () => {
    workspace = await openPostgresWorkspace();
    stage = createTrustTest(workspace, { checkLedger: () => workspace.checkLedger() });
  });
  afterAll(() => workspace.close());

  it('finds nothing amiss in what the service wrote, then names a status that somebody changed', async () => {
    const { id } = await createRecord(stage, { source_refs: [{ n: 1 }], idempotency_key: 'k' });
    await appendEvent(stage, id, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } });
    await appendEvent(stage, id, { event_type: 'redacted' });
    const { head } = await stage.logs.snapshot(workspace.workspace.id);
    const check = () => stage.call('POST', '/api/trust/ledger-checks', { as: stage.manager, body: {} });
    expect(await check()).toMatchObject({
      status: 200,
      body: {
        origin: workspace.workspace.origin,
        outcome: 'PASS',
        tree_size: head.tree_size,
        entries_checked: head.tree_size,
        findings: [],
      },
    });

    const superuser = new pg.Client({ connectionString: workspace.databaseUrl });
    await superuser.connect();
    await superuser.query(`update answer_evidence.record_states set status = 'voided' where record_id = $1`, [id]);
    await superuser.end();
    expect(await check()).toMatchObject({
      status: 200,
      body: { outcome: 'FAIL', findings_total: 1, findings: [{ object: expect.stringContaining(id) }] },
    });
  });
});
