import { describe, expect, it } from '@jest/globals';
import type { FindingTriage, TriagedFinding } from '@answer-evidence/contracts';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';

const ANNA = { id: '0199f3c2-0000-7000-8000-00000000000a', username: 'anna' };
const AT_RUN = `/api/reconciliations/runs/${ID}/triage`;
const STEPS = `POST ${AT_RUN}/3/steps`;

const finding: TriagedFinding = {
  position: 3,
  finding: {
    type: 'missing_service',
    reference_id: 'm-\u001b[31m1',
    answer_log_id: null,
    detail: { reason: 'no_record', occurred_at: AT, provisional: false },
  },
  triage: { state: 'resolved', assignee: ANNA, resolution: 'list_wrong', version: 2, changed_at: AT },
};
const step = { at: AT, by: ANNA, assignee: ANNA, text_until: AT, erases: null };
const whole: FindingTriage = {
  ...finding,
  steps: [
    { ...step, version: 1, action: 'comment', resolution: null, text: 'It was \u001b[31mlate.', text_state: 'stored' },
    { ...step, version: 2, action: 'resolve', resolution: 'list_wrong', text: null, text_state: 'erased' },
  ],
};
/** What the service responds to a step: that step is the last. */
function afterStep({ assignee_id: assignee, ...of }: Record<string, unknown>) {
  const taken = {
    ...{ ...step, resolution: null, text: null, text_state: null, ...of, version: 3 },
    assignee: assignee === ID ? { id: ID, username: 'ben' } : assignee === null ? null : ANNA,
  };
  return { ...whole, steps: [...whole.steps, taken] };
}
const identity = {
  ...{ kind: 'user', id: ANNA.id, token_id: ID, username: 'anna', role: 'member', application_key: null, scopes: [] },
  ...{ expires_at: AT, workspace: { id: ID, slug: 'acme', display_name: 'Acme' } },
};
const member = {
  ...{ id: ID, username: 'ben', role: 'member', disabled: false, sign_in: 'password', created_at: AT },
  ...{ disabled_at: null, removed_at: null, version: 1 },
};
const page = { page: 1, size: 50, total: 1, total_relation: 'eq', next_cursor: null };
const routes = {
  [`GET ${AT_RUN}`]: { body: { ...page, items: [finding], counts: { open: 4, assigned: 1, resolved: 1 } } },
  [`GET ${AT_RUN}/3`]: { body: whole },
  [STEPS]: { body: whole },
  'GET /api/whoami': { body: identity },
  'GET /api/reconciliations/assignees': { body: { items: [ANNA, { id: ID, username: 'ben' }] } },
  'GET /api/members': { body: { ...page, items: [member] } },
};

describe('reconcile triage', () => {
  it('lists findings by state, type and assignee, with the counts of the run', async () => {
    const argv = ['reconcile', 'triage', 'list', ID, '--state', 'resolved', '--type', 'missing_service'];
    const { stdout, stderr, calls } = await runTranscript([...argv, '--assignee', 'me'], routes);
    expect(calls[0]?.query).toBe('?type=missing_service&state=resolved&assignee=me');
    expect(stdout).toMatch(/^3 +missing_service .* resolved +anna +list_wrong +2$/m);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toContain('4 open (1 assigned), 1 resolved');
    const others = await runTranscript(['reconcile', 'triage', 'list', ID, '--assignee', 'ben'], routes);
    expect(others.calls.at(-1)?.query).toBe(`?assignee=${ID}`);
  });

  it('shows every step, with its text or why it is gone, and nothing acts on the terminal', async () => {
    const { stdout } = await runTranscript(['reconcile', 'triage', 'show', ID, '3'], routes);
    expect(stdout).toMatch(/^1 .* anna +commented +It was .*late\.$/m);
    expect(stdout).toMatch(/^2 .* anna +resolved: list_wrong +\(erased\)$/m);
    expect(stdout).not.toContain('\u001b');
  });

  it.each<[string, readonly string[], Record<string, unknown>]>([
    ['assign', ['--to', 'me', '--seen', '2'], { action: 'assign', assignee_id: ANNA.id, version: 2 }],
    ['assign', ['--to', 'ben'], { action: 'assign', assignee_id: ID }],
    ['assign', ['--to', 'none', '--seen', '0'], { action: 'assign', assignee_id: null, version: 0 }],
    ['comment', ['--text', 'looked at'], { action: 'comment', text: 'looked at' }],
    ['comment', ['--text-file', '/comment'], { action: 'comment', text: 'from a file' }],
    ['resolve', ['--reason', 'other'], { action: 'resolve', resolution: 'other' }],
    ['reopen', ['--text', 'again'], { action: 'reopen', text: 'again' }],
    ['erase', ['1'], { action: 'erase', erases: 1 }],
  ])('takes a step: %s %j', async (name, more, body) => {
    const world = { files: { '/comment': 'from a file' } };
    const answered = { ...routes, [STEPS]: { body: afterStep(body) } };
    const { exitCode, calls } = await runTranscript(['reconcile', 'triage', name, ID, '3', ...more], answered, world);
    expect(exitCode).toBe(0);
    expect(JSON.parse(calls.at(-1)?.body ?? '')).toEqual(body);
  });

  it.each([
    ['a comment without a text', ['comment', ID, '3']],
    ['two texts', ['comment', ID, '3', '--text', 'a', '--text-file', '/b']],
    ['an invented reason', ['resolve', ID, '3', '--reason', 'gone']],
    ['no reason', ['resolve', ID, '3']],
    ['a finding that is no number', ['show', ID, 'x']],
    ['nobody', ['assign', ID, '3']],
  ])('ends with 2 for %s, and nothing is sent', async (_, argv) => {
    const { exitCode, calls } = await runTranscript(['reconcile', 'triage', ...argv], routes, {
      files: { '/b': 'b' },
    });
    expect([exitCode, calls.filter(({ method }) => method === 'POST')]).toEqual([2, []]);
  });
});
