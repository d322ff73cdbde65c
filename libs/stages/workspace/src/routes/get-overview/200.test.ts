import { describe, expect, it } from '@jest/globals';
import { overview, ServiceError } from '@answer-evidence/contracts';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import type { ApprovalStore, StoredOverview } from '@answer-evidence/ports';
import { createFakeStage, type FakeStage } from '@answer-evidence/testing';
import { createWorkspaceStage } from '../../stage.ts';

const PATH = '/api/overview';
const RUN = '0199f3c2-0000-7000-8000-000000000001';
const OTHER_RUN = '0199f3c2-0000-7000-8000-000000000002';

async function read(stage: FakeStage, who: 'manager' | 'member' = 'manager', query: Record<string, string> = {}) {
  const reply = await stage.call('GET', PATH, { as: stage[who], query });
  expect(reply.status).toBe(200);
  return overview.parse(reply.body);
}

function withStored(stored: (stage: FakeStage) => Partial<StoredOverview>): FakeStage {
  const stage = createFakeStage((deps) => {
    const { members, memberChanges: changes = [] } = deps.database.known();
    const approvers: ApprovalStore['approvers'] = () => Promise.resolve({ members, changes });
    return createWorkspaceStage({ ...deps, approvals: { ...deps.approvals, approvers } });
  });
  stage.overview.stored = { ...stage.overview.stored, ...stored(stage) };
  return stage;
}

/** Something of every kind. */
function withEverything(): FakeStage {
  const stage = withStored(({ clock, manager, member }) => {
    const now = clock.nowMicros();
    const token = { name: 'laptop', ends_at: now + 1, application_key: null, last_used_at: null };
    return {
      treeSize: 90,
      counted: { at: now, treeSize: 80, holds: [{ what: 'texts', due: 700 }] },
      open: [
        { application_key: 'support-bot', run_id: RUN, missing: 7, oldest_missing_at: now - 1, unassigned: 0 },
        { application_key: 'help-bot', run_id: RUN, missing: 0, oldest_missing_at: null, unassigned: 5 },
      ],
      overdue: [
        { run_id: RUN, application_key: 'help-bot', due_at: 7, findings: 1 },
        { run_id: RUN, application_key: 'help-bot', due_at: 8, findings: 2 },
        { run_id: OTHER_RUN, application_key: 'support-bot', due_at: 9, findings: 1 },
      ],
      deadLetters: { count: 2, oldestAt: now - 5 },
      refused: { count: 3, oldestAt: now - 5 },
      unattached: { count: 1, oldestAt: now - 5 },
      streams: [{ id: RUN, name: 'siem', failing_since: now - 5, waiting: 40 }],
      holds: { count: 2, oldestAt: now - 9 },
      approvals: [
        { act: 'void', requested_by: member.userId, requested_at: 6, expires_at: 90 },
        { act: 'settings', requested_by: RUN, requested_at: 7, expires_at: 80 },
        { act: 'members', requested_by: manager.userId, requested_at: 1, expires_at: 70 },
      ],
      tokens: [
        { ...token, id: RUN, name: 'of nobody here', user_id: RUN },
        { ...token, id: RUN, user_id: member.userId },
      ],
      links: [{ id: RUN, name: 'nia', ends_at: now + 1 }],
    };
  });
  stage.clockGuard.judgement = { state: 'behind', byMicros: 240_000_000 };
  stage.overview.attestations = {
    ...stage.overview.attestations,
    witnessedSize: null,
    failing: [
      { kind: 'witness', name: 'w1', isRequired: false, since: undefined, attempts: 4, lastError: null },
      { kind: 'anchor', name: 'tsa', isRequired: true, since: 5, attempts: 3, lastError: 'no usable response' },
      { kind: 'renewal', name: 'a.renewal-1', isRequired: true, since: 6, until: 7, attempts: 2, lastError: 'no' },
    ],
  };
  return stage;
}

describe('GET /api/overview', () => {
  it('says what needs somebody, the most pressing first, with the place that solves it', async () => {
    const { attention } = await read(withEverything());
    expect(attention.map(({ kind, severity, count, place }) => [kind, severity, count, place])).toEqual([
      ['answers_missing', 'high', 7, `/reconciliation/${RUN}`],
      ['anchor_failing', 'high', 3, '/trust'],
      ['renewal_failing', 'high', 2, '/trust'],
      ['clock_not_believed', 'high', 4, '/settings'],
      ['sweep_held', 'high', 700, '/settings'],
      ['witness_failing', 'medium', 4, '/trust'],
      ['jobs_given_up', 'medium', 2, '/opentelemetry'],
      ['stream_failing', 'medium', 40, '/streams'],
      ['approvals_waiting', 'medium', 2, '/approvals'],
      ['nobody_vouches', 'medium', 90, '/trust'],
      ['findings_overdue', 'medium', 3, `/reconciliation/${RUN}`],
      ['findings_overdue', 'medium', 1, `/reconciliation/${OTHER_RUN}`],
      ['telemetry_refused', 'medium', 3, '/opentelemetry'],
      ['token_ends', 'low', 1, '/tokens'],
      ['token_ends', 'low', 1, '/tokens'],
      ['findings_unassigned', 'low', 5, `/reconciliation/${RUN}`],
      ['holds_in_force', 'low', 2, '/holds'],
      ['sign_in_link_ends', 'low', 1, '/members'],
      ['telemetry_unattached', 'low', 1, '/opentelemetry'],
    ]);
    expect(attention[0]?.sentence).toBe('7 answers of support-bot are on a list and not recorded');
    expect(attention[1]?.since).toBe('1970-01-01T00:00:00.000005Z');
    expect(attention[2]).toMatchObject({
      since: '1970-01-01T00:00:00.000006Z',
      until: '1970-01-01T00:00:00.000007Z',
      sentence:
        'time-stamps are not renewed: the last attempt of a.renewal-1 failed; ' +
        'the first of their certificates ends at 1970-01-01T00:00:00.000007Z',
    });
    // Not what they asked for themselves.
    expect(attention.find(({ kind }) => kind === 'approvals_waiting')).toMatchObject({
      since: '1970-01-01T00:00:00.000006Z',
      until: '1970-01-01T00:00:00.000080Z',
      sentence: '2 requests wait for your approval',
    });
    const [late, one] = attention.filter(({ kind }) => kind === 'findings_overdue');
    expect([late?.since, late?.sentence]).toEqual([
      '1970-01-01T00:00:00.000007Z',
      '3 findings of help-bot are overdue',
    ]);
    expect(one?.sentence).toBe('1 finding of support-bot is overdue');
  });

  it('appends nothing and asks for no lock, whoever may approve what', async () => {
    const stage = withEverything();
    stage.ledger.failNext({ error: new ServiceError('ledger_unavailable', 'the head is locked'), kept: false });
    const { attention } = await read(stage);
    expect(attention.find(({ kind }) => kind === 'approvals_waiting')?.count).toBe(2);
  });

  it('tells a member of nothing that only managers may see, nor of tokens of others', async () => {
    const { attention, counts } = await read(withEverything(), 'member');
    expect(attention.map(({ kind }) => kind)).toEqual([
      'answers_missing',
      'anchor_failing',
      'renewal_failing',
      'witness_failing',
      'nobody_vouches',
      'findings_overdue',
      'findings_overdue',
      'telemetry_refused',
      'token_ends',
      'findings_unassigned',
      'telemetry_unattached',
    ]);
    expect(attention.filter(({ kind }) => kind === 'token_ends').map(({ name }) => name)).toEqual(['laptop']);
    expect(counts).toEqual([]);
  });

  it('gives readings to those who may read the log of them alone', async () => {
    const counts = { application_key: 'a', recorded: 4, corrected: 1, voided: 0, redacted: 0, listed: 3, missing: 1 };
    const stage = withStored(() => ({ counts: [{ day: 20_000, ...counts, readings: 9 }] }));
    expect((await read(stage)).counts).toEqual([{ from: '2024-10-04', ...counts, readings: 9 }]);
    expect((await read(stage, 'member')).counts).toEqual([{ from: '2024-10-04', ...counts, readings: null }]);
  });

  it('needs nobody where all is well, and says as of when the counts are', async () => {
    const stage = withStored(({ clock }) => ({
      treeSize: 5,
      counted: { at: clock.nowMicros() - MICROS_PER_DAY, treeSize: 5, holds: [] },
    }));
    const whole = await read(stage);
    expect(whole.attention).toEqual([]);
    // The whole log is counted, so the counts are as of now.
    expect(whole.counted).toEqual({ as_of: whole.now, entries: 5 });
    stage.overview.stored = { ...stage.overview.stored, treeSize: 6 };
    const behind = await read(stage);
    expect(behind.counted.entries).toBe(5);
    expect(Date.parse(behind.counted.as_of ?? '')).toBeLessThan(Date.parse(behind.now) - 80_000_000);
    stage.overview.stored = { ...stage.overview.stored, counted: undefined };
    expect((await read(stage)).counted).toEqual({ as_of: null, entries: 0 });
  });

  it.each([
    ['1', 'day', 1],
    ['62', 'day', 62],
    ['63', 'week', 10],
    ['430', 'week', 63],
    ['431', 'month', 16],
    ['3660', 'month', 122],
  ])('has %s days by the %s, which begin in whole units and are few', async (days, unit, unitsMax) => {
    const stage = createFakeStage(createWorkspaceStage);
    const { from, to, unit: shown } = await read(stage, 'manager', { days });
    expect(shown).toBe(unit);
    const first = new Date(from);
    const length = (Date.parse(to) - first.getTime()) / 86_400_000 + 1;
    expect(length).toBeGreaterThanOrEqual(Number(days));
    expect(Math.ceil(length / { day: 1, week: 7, month: 30 }[shown])).toBeLessThanOrEqual(unitsMax + 2);
    if (shown === 'week') expect(first.getUTCDay()).toBe(1);
    if (shown === 'month') expect(first.getUTCDate()).toBe(1);
  });
});
