import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID, RECORD } from '../testing/samples.ts';

const WHY = ['--reason', 'Ticket 4711: prüfen', '--reason-code', 'complaint'];
const SENT = ['complaint', encodeURIComponent('Ticket 4711: prüfen')];

describe('readings list', () => {
  const common = {
    id: ID,
    created_at: AT,
    actor: { kind: 'user', id: ID, token_id: null },
    names: [{ id: ID, kind: 'member', name: 'anna' }],
    answer_log_ids: [ID],
    ledger: { origin: 'log.example/acme', leaf_index: 7, leaf_hash: '0a'.repeat(32) },
  };
  const items = [
    { ...common, operation: 'getAnswerRecord', reason_code: null, reason: null },
    { ...common, operation: null, reason_code: 'audit', reason: 'the yearly one' },
  ];
  const list = { items, page: 1, size: 50, total: 2, total_relation: 'eq', total_pages: 1, next_cursor: null };

  it('says who read which record by what and why, by reader and by record', async () => {
    const argv = ['readings', 'list', '--actor-id', ID, '--record', ID, '--created-after', AT];
    const { stdout, calls, exitCode } = await runTranscript(argv, { 'GET /api/readings': { body: list } });
    expect([exitCode, calls[0]?.query]).toEqual([
      0,
      `?actor_id=${ID}&answer_log_id=${ID}&created_after=${encodeURIComponent(AT)}`,
    ]);
    expect(stdout).toMatch(new RegExp(`anna +getAnswerRecord +${ID}`));
    expect(stdout).toMatch(new RegExp(`anna +a reveal +${ID} +audit +the yearly one`));
  });
});

describe('a command that shows texts', () => {
  const record = { ...RECORD, question: { ...RECORD.question, text: null } };
  const routes = {
    [`GET /api/answer-audit-logs/${ID}`]: { body: record },
    'GET /api/answer-audit-logs/export': { headers: { 'content-type': 'text/csv' }, body: 'id\n' },
  };

  it.each([
    ['records get', ['records', 'get', ID]],
    ['records export', ['records', 'export', '--format', 'csv']],
    ['records pack', ['records', 'pack', ID, '--out', 'p.html']],
    ['trust proof', ['trust', 'proof', ID]],
  ])('%s sends the reason that it was given, and none otherwise', async (_, argv) => {
    const { calls } = await runTranscript([...argv, ...WHY], routes);
    expect(calls.map(({ reason }) => reason)).toEqual([SENT]);
    const without = await runTranscript(argv, routes);
    expect(without.calls.map(({ reason }) => reason)).toEqual([[undefined, undefined]]);
  });

  it('says that a text is withheld, and how to get it', async () => {
    const { stdout } = await runTranscript(['records', 'get', ID], routes);
    expect(stdout).toMatch(/question text +\(withheld: this workspace wants a --reason\)/);
  });

  it.each([
    ['a code without words', ['--reason-code', 'audit']],
    ['nothing visible', ['--reason', ' ']],
    ['an unknown code', ['--reason', 'x', '--reason-code', 'curiosity']],
  ])('refuses %s before it asks', async (_, more) => {
    const { exitCode, calls } = await runTranscript(['records', 'get', ID, ...more], routes);
    expect([exitCode, calls]).toEqual([2, []]);
  });
});
