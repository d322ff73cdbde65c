import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { ledgerCheckLine, ServiceError } from '@answer-evidence/contracts';
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

  it('says in lines how far it is, and what it found in the last', async () => {
    const lined = createTrustTest(workspace, { checkLedger: (_, told) => workspace.checkLedger(told) });
    const { status, body } = await lined.call('POST', '/api/trust/ledger-checks?format=jsonl', { as: lined.manager });
    expect(status).toBe(200);
    const lines = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => ledgerCheckLine.parse(JSON.parse(line)));
    const { head } = await lined.logs.snapshot(workspace.workspace.id);
    const last = lines.at(-1);
    expect(last).toMatchObject({ kind: 'report', report: { tree_size: head.tree_size } });
    expect(lines.slice(0, -1)).toContainEqual({
      kind: 'progress',
      part: 'rows',
      done: head.tree_size,
      of: head.tree_size,
    });
  });

  it('refuses as any other request when the check cannot begin', async () => {
    const failing = createTrustTest(workspace, {
      checkLedger: () => Promise.reject(new ServiceError('ledger_unavailable', 'the database is unavailable')),
    });
    const reply = await failing.call('POST', '/api/trust/ledger-checks?format=jsonl', { as: failing.manager });
    expect(reply).toMatchObject({ status: 503, code: 'ledger_unavailable' });
  });
});
