import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { ID } from '../testing/samples.ts';

const MINE = '/api/notifications/mine';
const own = {
  id: ID,
  address: 'anna@example.com',
  ...{ digest: 'daily', hour: 7, language: 'de' },
  event_types: ['findings.overdue'],
  state: 'disabled',
  reason: 'unconfirmed',
  failing_since: null,
  pending: 2,
};

describe('notifications mine', () => {
  const routes = {
    [`GET ${MINE}`]: { body: { items: [], event_types: ['findings.overdue', 'record.redacted'] } },
    [`PUT ${MINE}`]: { body: own },
    [`POST ${MINE}/confirm`]: { body: { ...own, state: 'active', reason: null } },
    [`DELETE ${MINE}`]: { status: 204 },
  };

  it('shows that nothing is mailed, and what might be', async () => {
    const { exitCode, stdout } = await runTranscript(['notifications', 'mine', 'show'], routes);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/mails +none\n.*findings\.overdue, record\.redacted/s);
  });

  it('sets an address, confirms it and removes it', async () => {
    const terms = ['--digest', 'daily', '--hour', '7', '--language', 'de', '--event', 'findings.overdue'];
    const set = await runTranscript(['notifications', 'mine', 'set', 'anna@example.com', ...terms], routes);
    expect([set.exitCode, set.stderr]).toEqual([0, expect.stringContaining('A code is on its way')]);
    expect(set.stdout).toMatch(/daily, 7:00 UTC, in de.*disabled \(unconfirmed\)/s);
    const confirmed = await runTranscript(['notifications', 'mine', 'confirm', 'abc'], routes);
    expect([confirmed.exitCode, confirmed.stdout]).toEqual([0, expect.stringMatching(/state +active/)]);
    expect((await runTranscript(['notifications', 'mine', 'remove'], routes)).exitCode).toBe(0);
  });

  it('refuses an hour without a daily digest before anything is sent', async () => {
    const args = ['notifications', 'mine', 'set', 'anna@example.com', '--hour', '7'];
    const { exitCode, stderr } = await runTranscript(args, {});
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('daily digest')]);
  });
});
