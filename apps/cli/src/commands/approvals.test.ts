import { describe, expect, it } from '@jest/globals';
import type { Approval } from '@answer-evidence/contracts';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const open: Approval = {
  id: ID,
  act: 'void',
  state: 'open',
  reason: 'the source was withdrawn',
  subject: { answer_log_id: ID, member_id: null, hold_id: null },
  request: { event: { answer_log_id: ID, event_type: 'voided', version: 0 } },
  requested_by: { kind: 'user', id: ID, token_id: null },
  requested_at: AT,
  expires_at: AT,
  decided_by: null,
  decided_at: null,
  entry_ids: [],
  used: null,
};
const approved: Approval = { ...open, state: 'approved', request: null, decided_by: open.requested_by, decided_at: AT };
const page = { items: [open], page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };

describe('approvals', () => {
  it('lists what waits, for what and why', async () => {
    const routes = { 'GET /api/approvals': { body: page } };
    const { exitCode, stdout, calls } = await runTranscript(['approvals', 'list', '--state', 'open'], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the source was withdrawn');
    expect(calls[0]?.query).toContain('state=open');
  });

  it('asks for a void, and says what it asked for', async () => {
    const routes = { 'POST /api/approvals': { status: 201, body: open } };
    const { exitCode, stdout, calls } = await runTranscript(
      ['approvals', 'request', 'voided', ID, '--reason', open.reason],
      routes,
    );
    expect([exitCode, JSON.parse(String(calls[0]?.body))]).toEqual([
      0,
      { reason: open.reason, event: { answer_log_id: ID, event_type: 'voided' } },
    ]);
    expect(stdout).toContain('"event_type":"voided"');
  });

  it.each(['approve', 'decline', 'withdraw'])('sends that somebody wants to %s', async (what) => {
    const routes = { [`POST /api/approvals/${ID}/${what}`]: { body: approved } };
    const { exitCode, stdout } = await runTranscript(['approvals', what, ID], routes);
    expect([exitCode, stdout.includes('approved')]).toEqual([0, true]);
  });

  it('answers 2 to a type that nobody can ask for, before anything is sent', async () => {
    const { exitCode, calls } = await runTranscript(['approvals', 'request', 'corrected', ID, '--reason', 'why'], {});
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });
});
