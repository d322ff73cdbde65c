import { expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { SUMMARY } from '../testing/samples.ts';

const reading = { means: ['actor_id', 'time'], filters: { actor_id_hash: 'a1' }, total: 3, total_relation: 'eq' };
const nothing = { means: ['idempotency_key'], filters: { idempotency_key: 'x' }, total: 0, total_relation: 'eq' };
const WORDS = { state: 'searched', used: [], left_out: [], similar: [], is_limited: false, is_complete: true };
const SESSION = { id: '0199f3c2-7d11-7c44-9d1e-7a7f3f0e5a10', expires_at: '2026-11-20T09:30:00.000000Z' };
const routes = (body: object) => ({ 'POST /api/search': { body } });

it('records search sends the words as one text in a body, and shows how they were understood', async () => {
  const found = { understood: [nothing, reading], not_understood: null, items: [SUMMARY], words: null };
  const argv = ['records', 'search', 'customer-1001', 'yesterday', '--time-zone', 'Europe/Berlin', '--size', '5'];
  const transcript = await runTranscript(argv, routes(found));
  expect(transcript.calls[0]).toMatchObject({
    query: '',
    body: JSON.stringify({ text: 'customer-1001 yesterday', time_zone: 'Europe/Berlin', size: 5 }),
  });
  expect(transcript.stdout).toMatch(/actor_id and time +3 +actor_id_hash=a1\n[^]*support-bot/);
  expect(transcript.stdout).not.toContain('idempotency_key');
  expect(transcript.exitCode).toBe(0);
});

it('records search says what was looked for, and what was not understood, where nothing is found', async () => {
  const found = {
    understood: [nothing],
    not_understood: 'jackets',
    items: [],
    words: { ...WORDS, state: 'needs_reason' },
  };
  const { stdout } = await runTranscript(['records', 'search', 'jackets'], routes(found));
  expect(stdout).toMatch(/idempotency_key +0 +idempotency_key=x\nnot understood +jackets\n/);
  expect(stdout).toContain('give a --reason');
});

it.each([[['x', '--time-zone', 'Mars/Olympus']], [['x', '--size', '51']], [['']]])(
  'records search refuses %j before it asks',
  async (argv) => {
    expect(await runTranscript(['records', 'search', ...argv])).toMatchObject({ exitCode: 2, seen: [] });
  },
);

it('records search gives a reason once, searches texts by it, and says what became of the words', async () => {
  const words = { ...WORDS, used: ['jakcets'], left_out: ['blue'], is_limited: true, is_complete: false };
  const similar = [{ word: 'jakcets', instead: ['jackets'] }];
  const found = { understood: [], not_understood: null, items: [SUMMARY], words: { ...words, similar } };
  const argv = ['records', 'search', 'blue', 'jakcets', '--reason', 'ticket-4711', '--time-zone', 'UTC'];
  const asked = { ...routes(found), 'POST /api/search/sessions': { status: 201, body: SESSION } };
  const { calls, stdout, stderr, exitCode } = await runTranscript(argv, asked);
  expect(calls.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { reason_code: 'other', reason: 'ticket-4711' },
    { text: 'blue jakcets', time_zone: 'UTC', session: SESSION.id },
  ]);
  expect(stdout).toContain('words left out: blue');
  expect(stdout).toContain('no text has jakcets; looked for jackets');
  expect(stdout).toMatch(/only the newest records[^]*not all texts are indexed yet/);
  expect(stderr).toContain(`--session ${SESSION.id}`);
  expect(exitCode).toBe(0);
});

it('records search goes on with the reason of an earlier search, and takes no second one', async () => {
  const argv = ['records', 'search', 'x', '--time-zone', 'UTC', '--session', SESSION.id];
  const found = { understood: [], not_understood: 'x', items: [], words: { ...WORDS, state: 'off' } };
  const { calls, stdout } = await runTranscript(argv, routes(found));
  expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ text: 'x', time_zone: 'UTC', session: SESSION.id });
  expect(stdout).toContain('answer_audit_word_search_enabled');
  expect(await runTranscript([...argv, '--reason', 'y'])).toMatchObject({ exitCode: 2, seen: [] });
});

it('records words says how far texts are indexed', async () => {
  const body = { state: 'building', indexed_entries: 12, entries: 40 };
  const { stdout } = await runTranscript(['records', 'words'], { 'GET /api/search/words': { body } });
  expect(stdout).toMatch(/state +building\nindexed entries +12\nentries +40\n/);
});
