import { expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { SUMMARY } from '../testing/samples.ts';

const reading = { means: ['actor_id', 'time'], filters: { actor_id_hash: 'a1' }, total: 3, total_relation: 'eq' };
const nothing = { means: ['idempotency_key'], filters: { idempotency_key: 'x' }, total: 0, total_relation: 'eq' };
const routes = (body: object) => ({ 'POST /api/search': { body } });

it('records search sends the words as one text in a body, and shows how they were understood', async () => {
  const found = { understood: [nothing, reading], not_understood: null, items: [SUMMARY] };
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
  const found = { understood: [nothing], not_understood: 'jackets', items: [] };
  const { stdout } = await runTranscript(['records', 'search', 'jackets'], routes(found));
  expect(stdout).toMatch(/idempotency_key +0 +idempotency_key=x\nnot understood +jackets\n/);
});

it.each([[['x', '--time-zone', 'Mars/Olympus']], [['x', '--size', '51']], [['']]])(
  'records search refuses %j before it asks',
  async (argv) => {
    expect(await runTranscript(['records', 'search', ...argv])).toMatchObject({ exitCode: 2, seen: [] });
  },
);
