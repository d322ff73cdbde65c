import { expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const missing = {
  kind: 'answers_missing',
  severity: 'high',
  count: 7,
  since: AT,
  until: null,
  application_key: 'support-bot',
  name: null,
  object_id: ID,
  sentence: '7 answers of support-bot are on a list and not recorded',
  place: `/reconciliation/${ID}`,
};
const counts = { corrected: 2, voided: 0, redacted: 1, listed: 10, missing: 7, readings: null };
const body = {
  now: AT,
  attention: [missing],
  log: {
    ...{ tree_size: 90, published_size: 90, published_at: AT, witnessed_size: null, anchored_size: null },
    ...{ exposed_entries: 90, exposed_since: AT },
  },
  erasure: { due: 0, due_relation: 'eq' },
  counted: { as_of: null, entries: 0 },
  unit: 'day',
  from: '2026-11-01',
  to: '2026-11-02',
  counts: [{ from: '2026-11-01', application_key: null, recorded: 40, ...counts }],
};

it('overview says first what needs somebody and where, and then how many answers there were', async () => {
  const routes = { 'GET /api/overview': { body } };
  const { exitCode, stdout, calls } = await runTranscript(
    ['overview', '--days', '365', '--application', 'support-bot'],
    routes,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/high +7 answers of support-bot are on a list and not recorded .*\/reconciliation\//);
  expect(stdout).toMatch(/2026-11-01 +\(others\) +40 +2 +0 +1 +10 +7/);
  expect(stdout).toContain('as of never');
  expect(calls[0]?.query).toBe('?days=365&application_key=support-bot');
});

it('overview answers 2 to days that are no number, before anything is sent', async () => {
  const { exitCode, calls } = await runTranscript(['overview', '--days', 'all'], {});
  expect([exitCode, calls.length]).toEqual([2, 0]);
});
