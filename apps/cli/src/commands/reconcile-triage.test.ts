import { describe, expect, it } from '@jest/globals';
import type { FindingTriage, TriagedFinding } from '@answer-evidence/contracts';
import { formatTimestamp, parseDateTime } from '@answer-evidence/encoding';
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
  triage: { state: 'resolved', assignee: ANNA, resolution: 'list_wrong', due_at: AT, version: 2, changed_at: AT },
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
function afterStep({ assignee_id: assignee, due_at: due, ...of }: Record<string, unknown>) {
  const taken = {
    ...{ ...step, resolution: null, text: null, text_state: null, ...of, version: 3 },
    ...(of['action'] === 'schedule' ? { action: 'assign' } : {}),
    ...(typeof due === 'string' ? { due_at: formatTimestamp(parseDateTime(due)) } : { due_at: due ?? null }),
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
  [`GET ${AT_RUN}`]: { body: { ...page, items: [finding], counts: { open: 4, assigned: 1, resolved: 1, overdue: 2 } } },
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
    expect(stdout).toMatch(/^3 +missing_service .* resolved +anna +2\S+Z +list_wrong +2$/m);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toContain('4 open (1 assigned, 2 overdue), 1 resolved');
    const others = await runTranscript(['reconcile', 'triage', 'list', ID, '--assignee', 'ben'], routes);
    expect(others.calls.at(-1)?.query).toBe(`?assignee=${ID}`);
  });

  it('lists what is due, with the days and times of the API', async () => {
    const argv = ['reconcile', 'triage', 'list', ID, '--due-before', '2099-12-05', '--overdue', '--sort', 'due'];
    const { calls, exitCode } = await runTranscript(argv, routes);
    expect([exitCode, calls[0]?.query]).toEqual([0, '?due_before=2099-12-05T00%3A00%3A00Z&overdue=true&sort=due']);
  });

  it('shows every step, with its text or why it is gone, and nothing acts on the terminal', async () => {
    const { stdout } = await runTranscript(['reconcile', 'triage', 'show', ID, '3'], routes);
    expect(stdout).toMatch(/^1 .* anna +commented +It was .*late\.$/m);
    expect(stdout).toMatch(/^2 .* anna +resolved: list_wrong +\(erased\)$/m);
    expect(stdout).not.toContain('\u001b');
  });

  it('says whom an assignment is to, and by when it is due where that changed', async () => {
    const due = { ...step, action: 'assign', resolution: null, text: null, text_state: null } as const;
    const body = {
      ...whole,
      steps: [
        { ...due, version: 1, due_at: AT },
        { ...due, version: 2, due_at: null },
        { ...due, version: 3, assignee: null, due_at: null },
        { ...due, version: 4, assignee: null, due_at: AT },
      ],
    };
    const shown = await runTranscript(['reconcile', 'triage', 'show', ID, '3'], { [`GET ${AT_RUN}/3`]: { body } });
    const said = [...shown.stdout.matchAll(/^\d .* anna +(.*?) +-$/gm)].map(([, words]) => words);
    expect(said).toEqual([`assigned to anna, due at ${AT}`, 'due at no time', 'assigned to nobody', `due at ${AT}`]);
  });

  it.each<[string, readonly string[], Record<string, unknown>]>([
    ['assign', ['--to', 'me', '--seen', '2'], { action: 'assign', assignee_id: ANNA.id, version: 2 }],
    ['assign', ['--to', 'ben'], { action: 'assign', assignee_id: ID }],
    ['assign', ['--to', 'none', '--seen', '0'], { action: 'assign', assignee_id: null, version: 0 }],
    [
      'assign',
      ['--to', 'ben', '--due', '2026-12-05'],
      { action: 'assign', assignee_id: ID, due_at: '2026-12-05T23:59:59Z' },
    ],
    ['schedule', ['--due', '2026-12-05'], { action: 'schedule', due_at: '2026-12-05T23:59:59Z' }],
    ['schedule', ['--due', '2026-12-05T10:00:00+01:00'], { action: 'schedule', due_at: '2026-12-05T10:00:00+01:00' }],
    ['schedule', ['--due', 'none', '--seen', '2'], { action: 'schedule', due_at: null, version: 2 }],
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
    ['no time', ['schedule', ID, '3']],
    ['a day that does not exist', ['schedule', ID, '3', '--due', '2026-02-30']],
    ['a time without an offset', ['schedule', ID, '3', '--due', '2026-12-05T10:00:00']],
  ])('ends with 2 for %s, and nothing is sent', async (_, argv) => {
    const { exitCode, calls } = await runTranscript(['reconcile', 'triage', ...argv], routes, {
      files: { '/b': 'b' },
    });
    expect([exitCode, calls.filter(({ method }) => method === 'POST')]).toEqual([2, []]);
  });
});
