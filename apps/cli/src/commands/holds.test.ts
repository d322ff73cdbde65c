import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID, SUMMARY } from '../testing/samples.ts';

const hold = {
  id: ID,
  matter: 'Case 7',
  reason: 'A claim was announced',
  filters: { application_key: 'support-bot' },
  answer_log_ids: null,
  placed_at: AT,
  placed_by: { kind: 'user', id: ID, token_id: null },
  ledger: { origin: 'log.example/demo/00000000', leaf_index: 41, leaf_hash: 'b'.repeat(64) },
  release: null,
  records: { count: 10_000, relation: 'gte' },
};
const release = {
  released_at: AT,
  released_by: { kind: 'user', id: ID, token_id: null },
  reason: 'The claim was withdrawn',
  ledger: hold.ledger,
};
const page = { page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
const ONE = `/api/holds/${ID}`;

describe('holds', () => {
  const routes = {
    'GET /api/holds': { body: { items: [hold], ...page } },
    'POST /api/holds': { status: 201, body: hold },
    [`GET ${ONE}`]: { body: hold },
    [`GET ${ONE}/records`]: { body: { items: [SUMMARY], ...page } },
    [`POST ${ONE}/release`]: { body: { ...hold, release } },
  };

  it('places one over what filters or ids name, and shows how many records it covers', async () => {
    const { exitCode, stdout, calls } = await runTranscript(
      ['holds', 'place', 'Case 7', '--reason', hold.reason, '--application', 'support-bot'],
      routes,
    );
    expect([exitCode, stdout.includes('at least 10000')]).toEqual([0, true]);
    const filters = { application_key: 'support-bot' };
    expect(JSON.parse(String(calls[0]?.body))).toEqual({ matter: 'Case 7', reason: hold.reason, filters });
    const named = await runTranscript(['holds', 'place', 'Case 7', '--reason', hold.reason, '--record', ID], routes);
    expect(JSON.parse(String(named.calls[0]?.body))).toMatchObject({ answer_log_ids: [ID] });
    const all = await runTranscript(['holds', 'place', 'Case 7', '--reason', hold.reason, '--everything'], routes);
    expect(JSON.parse(String(all.calls[0]?.body))).toMatchObject({ filters: {} });
  });

  it.each([[], ['--everything', '--record', ID], ['--mode', 'chat', '--everything']])(
    'exits 2 and sends nothing unless the records are named in one way: %j',
    async (...options) => {
      const { exitCode, stderr, calls } = await runTranscript(
        ['holds', 'place', 'Case 7', '--reason', 'r', ...options],
        routes,
      );
      expect([exitCode, calls, stderr.includes('say which records')]).toEqual([2, [], true]);
    },
  );

  it('lists and shows them, and the records that one covers', async () => {
    const listed = await runTranscript(['holds', 'list', '--status', 'in_force'], routes);
    expect([listed.exitCode, listed.stdout.includes('application_key=support-bot')]).toEqual([0, true]);
    const shown = await runTranscript(['holds', 'show', ID], routes);
    expect([shown.exitCode, shown.stdout.includes('A claim was announced')]).toEqual([0, true]);
    const records = await runTranscript(['holds', 'records', ID], routes);
    expect([records.exitCode, records.stdout.includes('msg-1')]).toEqual([0, true]);
  });

  it('releases one for a reason, and not without', async () => {
    const { exitCode, stdout, calls } = await runTranscript(
      ['holds', 'release', ID, '--reason', release.reason],
      routes,
    );
    expect([exitCode, stdout.includes(release.reason)]).toEqual([0, true]);
    expect(calls[0]?.body).toBe(JSON.stringify({ reason: release.reason }));
    expect((await runTranscript(['holds', 'release', ID], routes)).exitCode).toBe(2);
  });

  it('are asked for instead of done where a second person must approve them', async () => {
    const subject = { answer_log_id: null, member_id: null, hold_id: ID };
    const asked = {
      ...{ id: ID, act: 'hold_release', state: 'open', reason: 'settled', subject, request: null },
      ...{ requested_by: hold.placed_by, requested_at: AT, expires_at: AT, decided_by: null, decided_at: null },
      entry_ids: [],
      used: null,
    };
    const asking = {
      'POST /api/approvals': { status: 201, body: asked },
    };
    const release = ['holds', 'release', ID, '--reason', 'over', '--ask', 'settled'];
    const { exitCode, stdout, calls } = await runTranscript(release, asking);
    expect([exitCode, stdout.includes('hold_release')]).toEqual([0, true]);
    expect(JSON.parse(String(calls[0]?.body))).toEqual({
      reason: 'settled',
      hold_release: { hold_id: ID, reason: 'over' },
    });
    const placing = {
      'POST /api/approvals': { status: 201, body: { ...asked, subject: { ...subject, hold_id: null } } },
    };
    const place = ['holds', 'place', 'Case 7', '--reason', 'r', '--everything', '--ask', 'settled'];
    const placed = await runTranscript(place, placing);
    expect(JSON.parse(String(placed.calls[0]?.body))).toEqual({
      reason: 'settled',
      hold: { matter: 'Case 7', reason: 'r', filters: {} },
    });
  });
});
