import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const letter = {
  id: ID,
  topic: 'trust.run',
  subject: null,
  attempts: 8,
  reason: { code: 'internal', detail: 'failed 8 times' },
  created_at: AT,
  failed_at: AT,
};
const ofOtlp = { ...letter, topic: 'otlp.attach', subject: ID, reason: { code: 'ledger_unavailable', detail: 'busy' } };
const page = { items: [letter, ofOtlp], page: 1, size: 1, total: 2, total_relation: 'eq', next_cursor: 'bmV4dA' };

describe('dead-letters', () => {
  const routes = {
    'GET /api/dead-letters': { body: page },
    [`POST /api/dead-letters/${ID}/replay`]: { status: 202, body: { id: ID, topic: 'trust.run', replayed_at: AT } },
  };

  it('lists what was given up and why, and says how to go on', async () => {
    const { exitCode, stdout, stderr, calls } = await runTranscript(['dead-letters', 'list', '--size', '1'], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('internal: failed 8 times');
    expect(stdout).toMatch(/otlp\.attach +.*ledger_unavailable: busy/);
    expect(stderr).toContain('--cursor bmV4dA');
    expect(calls[0]?.query).toBe('?size=1');
  });

  it('replays one', async () => {
    const { exitCode, stdout, calls } = await runTranscript(['dead-letters', 'replay', ID], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(AT);
    expect(calls[0]).toMatchObject({ method: 'POST', path: `/api/dead-letters/${ID}/replay` });
  });

  it('answers 2 to a size that is not one, before anything is sent', async () => {
    const { exitCode, calls } = await runTranscript(['dead-letters', 'list', '--size', 'all'], routes);
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });
});
