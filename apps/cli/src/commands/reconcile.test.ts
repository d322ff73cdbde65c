import { describe, expect, it } from '@jest/globals';
import type { ReconciliationFinding, ReconciliationRun, RunCounts } from '@answer-evidence/contracts';
import { fakeProblem, type SeenRequest } from '../testing/fake-host.ts';
import { runTranscript, TOKEN } from '../testing/run-transcript.ts';
import { AT, ID } from '../testing/samples.ts';
import { createSignedRun } from '../testing/signed-run.ts';

const COUNTS: RunCounts = {
  references: 2,
  repeated_references: 0,
  records: 2,
  matched: 2,
  hashes_not_comparable: 0,
  hash_mismatches: 0,
  named_earlier: 0,
  missing_service: 0,
  unexpected_service: 0,
  late_service: 0,
  duplicate_reference: 0,
  duplicate_service: 0,
  unanchored_service: 0,
};
const QUEUED: ReconciliationRun = {
  id: ID,
  status: 'queued',
  progress: 0,
  application_key: 'support-bot',
  environment: 'production',
  window_start: '2026-11-20T00:00:00.000000Z',
  window_end: '2026-11-21T00:00:00.000000Z',
  match_on: 'idempotency_key',
  max_lateness_seconds: 300,
  references: 2,
  created_at: AT,
  created_by: { kind: 'application', id: 'support-bot', token_id: ID },
  started_at: null,
  completed_at: null,
  lateness_open_until: null,
  counts: null,
  checkpoint: null,
  failure: null,
};
const CHECKPOINT = { origin: 'log.example/demo/00000000', tree_size: 9, root_hash: 'a'.repeat(64) };

function completed(counts: Partial<RunCounts> = {}, more: Partial<ReconciliationRun> = {}): ReconciliationRun {
  const done = {
    status: 'completed',
    progress: 100,
    started_at: AT,
    completed_at: AT,
    checkpoint: CHECKPOINT,
  } as const;
  return { ...QUEUED, ...done, counts: { ...COUNTS, ...counts }, ...more };
}

/** The run with the window and the number of references that were asked for. */
const asAsked = (run: ReconciliationRun) => ({
  status: 202,
  bodyFor({ body }: SeenRequest) {
    const { window_start, window_end, references } = JSON.parse(body);
    return { ...run, window_start, window_end, references: references.length };
  },
});

const MISSING: ReconciliationFinding = {
  type: 'missing_service',
  reference_id: 'm-2',
  answer_log_id: null,
  detail: { reason: 'no_record', occurred_at: AT, provisional: false },
};
const findings = (...items: readonly ReconciliationFinding[]) => ({
  items,
  page: 1,
  size: 20,
  total: items.length,
  total_relation: 'eq',
  next_cursor: null,
});

const RUNS = 'POST /api/reconciliations/runs';
const RUN = `GET /api/reconciliations/runs/${ID}`;
const LIST = [
  '{"reference_id":"m-1","occurred_at":"2026-11-20T01:00:00Z"}',
  '{"reference_id":"m-2","occurred_at":"2026-11-20T23:59:59.999999Z"}',
  '{"reference_id":"m-3","occurred_at":"2026-11-21T00:00:00Z"}',
].join('\n');
const world = { files: { '/list.jsonl': LIST } };
const ASK = ['reconcile', 'run', '/list.jsonl', '--application', 'support-bot', '--match-on', 'idempotency_key'];
const DAY = ['--from', '2026-11-20T00:00:00Z', '--to', '2026-11-21T00:00:00Z'];

describe('reconcile run', () => {
  it('asks for a run of what lies in the window, waits for it, and ends with 0 when nothing is found', async () => {
    const routes = {
      [RUNS]: { status: 202, body: QUEUED },
      [RUN]: [{ body: { ...QUEUED, status: 'running', progress: 50 } }, { body: completed() }],
    };
    const { exitCode, stdout, stderr, calls } = await runTranscript([...ASK, ...DAY], routes, world);
    expect(exitCode).toBe(0);
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({
      application_key: 'support-bot',
      match_on: 'idempotency_key',
      window_start: '2026-11-20T00:00:00.000000Z',
      window_end: '2026-11-21T00:00:00.000000Z',
      references: [
        { reference_id: 'm-1', occurred_at: '2026-11-20T01:00:00.000000Z' },
        { reference_id: 'm-2', occurred_at: '2026-11-20T23:59:59.999999Z' },
      ],
    });
    expect(stdout.split('\n')[0]).toMatch(/^FROM +TO +RUN +STATUS +REFERENCES +RECORDS +MATCHED .*MISSING +UNEXPECTED/);
    expect(stdout).toMatch(/completed +2 +2 +2 /);
    expect(stderr).toContain('1 references are outside the window');
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  it('ends with 1 when anything is found, unless it is of a type that is ignored', async () => {
    const found = completed({ missing_service: 1, matched: 1 }, { lateness_open_until: AT });
    const routes = {
      [RUNS]: { status: 202, body: QUEUED },
      [RUN]: { body: found },
      [`${RUN}/findings`]: { body: findings(MISSING) },
    };
    const first = await runTranscript([...ASK, ...DAY], routes, world);
    expect(first.exitCode).toBe(1);
    expect(first.stdout).toMatch(/^TYPE +REFERENCE .*\nmissing_service +m-2 /m);
    expect(first.calls.at(-1)?.query).toBe('?type=missing_service&size=20');
    const json = await runTranscript([...ASK, ...DAY, '--output', 'json'], routes, world);
    expect(JSON.parse(json.stdout).found).toEqual([{ run_id: ID, ...MISSING }]);
    expect(first.stderr).toContain(`may still arrive until ${AT}`);
    const ignoring = [...ASK, ...DAY, '--ignore', 'missing_service', '--output', 'json'];
    const second = await runTranscript(ignoring, routes, world);
    expect(second.exitCode).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({
      findings: 1,
      totals: { missing_service: 1 },
      references_left_out: 1,
    });
  });

  it('says where the findings are that it does not name', async () => {
    const routes = {
      [RUNS]: { status: 202, body: completed({ missing_service: 25 }) },
      [`${RUN}/findings`]: { body: findings(...Array.from({ length: 20 }, () => MISSING)) },
    };
    const { stderr } = await runTranscript([...ASK, ...DAY], routes, world);
    expect(stderr).toContain(
      `5 more findings of the type missing_service: reconcile findings ${ID} --type missing_service`,
    );
  });

  it('cuts a longer window, asks for one run after the other, and sums them up', async () => {
    const second = '0199f3c2-0000-7000-8000-000000000002';
    const list = `${LIST}\n{"reference_id":"m-4","occurred_at":"2026-11-29T00:00:00Z"}`;
    const routes = {
      [RUNS]: [asAsked(QUEUED), asAsked({ ...QUEUED, id: second })],
      [RUN]: { body: completed() },
      [`GET /api/reconciliations/runs/${second}`]: { body: completed({ unexpected_service: 3 }, { id: second }) },
      [`GET /api/reconciliations/runs/${second}/findings`]: { body: findings() },
    };
    const argv = [...ASK, '--from', '2026-11-20T00:00:00Z', '--to', '2026-11-30T00:00:00Z'];
    const { exitCode, stdout, calls } = await runTranscript(argv, routes, { files: { '/list.jsonl': list } });
    expect(exitCode).toBe(1);
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET', 'GET']);
    expect(stdout).toMatch(/^all +- +- +- +4 +4 +4 +0 +0 +3 /m);
  });

  it('says loudly what could not be compared', async () => {
    const routes = { [RUNS]: asAsked(completed()) };
    const argv = [...ASK, '--from', '2026-11-20T00:00:00Z', '--to', '2026-12-10T00:00:00Z'];
    const { exitCode, stderr } = await runTranscript(argv, routes, world);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Not compared: 2026-11-26T16:00:00.000000Z to 2026-12-03T08:00:00.000000Z');
  });

  it('ends with 1 when a run has failed, or is not completed in time', async () => {
    const failure = { code: 'internal', detail: 'given up' };
    const failed = { [RUNS]: { status: 202, body: { ...QUEUED, status: 'failed', failure } } };
    const first = await runTranscript([...ASK, ...DAY], failed, world);
    expect([first.exitCode, first.stderr.includes('has failed: given up')]).toEqual([1, true]);
    const slow = { [RUNS]: { status: 202, body: QUEUED }, [RUN]: { body: QUEUED } };
    const late = await runTranscript([...ASK, ...DAY, '--timeout', '10s'], slow, world);
    expect([late.exitCode, late.stderr.includes(`reconcile show ${ID}`)]).toEqual([1, true]);
    const asked = await runTranscript([...ASK, ...DAY, '--no-wait'], slow, world);
    expect([asked.exitCode, asked.calls.length]).toEqual([0, 1]);
  });

  describe('since the last run', () => {
    const page = (items: readonly ReconciliationRun[]) => {
      return { body: { items, page: 1, size: 200, total: items.length, total_relation: 'eq', next_cursor: null } };
    };
    const since = [...ASK, '--since', 'last', '--to', '2026-11-21T00:00:00Z'];
    const last = completed({}, { window_end: '2026-11-20T12:00:00.000000Z' });

    it('begins where the last completed run of the same kind ended', async () => {
      const others = [
        { ...QUEUED, window_end: '2026-11-20T20:00:00.000000Z' },
        completed({}, { match_on: 'external_trace_id', window_end: '2026-11-20T21:00:00.000000Z' }),
        completed({}, { window_end: '2026-11-19T12:00:00.000000Z' }),
      ];
      const routes = {
        'GET /api/reconciliations/runs': page([...others, last]),
        [RUNS]: asAsked(completed()),
      };
      const { exitCode, calls } = await runTranscript(since, routes, world);
      expect(exitCode).toBe(0);
      expect(calls[0]?.query).toBe('?application_key=support-bot&environment=production&size=200');
      expect(JSON.parse(calls[1]?.body ?? '')).toMatchObject({ window_start: '2026-11-20T12:00:00.000000Z' });
    });

    it('has nothing to do when that is the end of the window, and needs --from the first time', async () => {
      const upToDate = { 'GET /api/reconciliations/runs': page([completed()]) };
      const done = await runTranscript(since, upToDate, world);
      expect([done.exitCode, done.calls.length]).toEqual([0, 1]);
      expect(done.stderr).toContain('Nothing to do');
      const json = await runTranscript([...since, '--output', 'json'], upToDate, world);
      expect(JSON.parse(json.stdout)).toMatchObject({ runs: [], references_left_out: 3, not_compared: [] });
      const first = await runTranscript(since, { 'GET /api/reconciliations/runs': page([]) }, world);
      expect([first.exitCode, first.stderr.includes('give --from')]).toEqual([2, true]);
    });

    it('leaves a quiet night to the next run, and says so', async () => {
      const routes = { 'GET /api/reconciliations/runs': page([last]) };
      const files = { '/list.jsonl': LIST.slice(0, LIST.indexOf('\n')) };
      const quiet = await runTranscript([...since, '--output', 'json'], routes, { files });
      expect([quiet.exitCode, quiet.calls.length]).toEqual([0, 1]);
      expect(JSON.parse(quiet.stdout)).toMatchObject({ runs: [], references_left_out: 1, not_compared: [{}] });
      expect(quiet.stderr).toContain('Not compared: 2026-11-20T12:00:00.000000Z');
    });
  });

  it.each([
    ['no window', []],
    ['a window without a beginning', ['--to', '2026-11-21T00:00:00Z']],
    ['a window that ends before it begins', ['--from', '2026-11-21T00:00:00Z', '--to', '2026-11-20T00:00:00Z']],
    ['a time without an offset', ['--from', '2026-11-20T00:00:00', '--to', '2026-11-21T00:00:00Z']],
    ['two beginnings', [...DAY, '--since', 'last']],
    ['a type of findings that is not one', [...DAY, '--ignore', 'wrong']],
    ['a lateness that is not one', [...DAY, '--max-lateness', 'soon']],
    ['columns that are none', [...DAY, '--columns', 'x']],
    ['a window without references', ['--from', '2026-11-22T00:00:00Z', '--to', '2026-11-23T00:00:00Z']],
    [
      'several runs that nobody waits for',
      ['--from', '2026-11-01T00:00:00Z', '--to', '2026-11-21T01:00:00Z', '--no-wait'],
    ],
  ])('ends with 2 for %s, and nothing is asked for', async (_, options) => {
    const files = { '/list.jsonl': `${LIST}\n{"reference_id":"m","occurred_at":"2026-11-02T00:00:00Z"}` };
    const { exitCode, calls } = await runTranscript([...ASK, ...options], {}, { files });
    expect([exitCode, calls.length]).toEqual([2, 0]);
  });

  it('ends with 1 and shows the pointers of what the service refuses, with 3 when it is not there', async () => {
    const problem = fakeProblem(422, 'schema_violation', 'the request is wrong', '/references/0/occurred_at');
    const refused = await runTranscript([...ASK, ...DAY], { [RUNS]: { status: 422, body: problem } }, world);
    expect([refused.exitCode, refused.stderr.includes('/references/0/occurred_at: is wrong')]).toEqual([1, true]);
    const env = { SERVICE_REGISTRY: 'http://127.0.0.1:1' };
    expect((await runTranscript([...ASK, ...DAY], {}, { ...world, env })).exitCode).toBe(3);
  });
});

describe('reconcile show, list, findings, proof and records', () => {
  const finding: ReconciliationFinding = {
    type: 'missing_service',
    reference_id: 'm-\u001b[31m1',
    answer_log_id: null,
    detail: { reason: 'no_record', occurred_at: AT, provisional: true },
  };
  const list = (items: readonly unknown[]) => {
    return { body: { items, page: 1, size: 50, total: items.length, total_relation: 'eq', next_cursor: 'bmV4dA' } };
  };
  const at = `GET /api/reconciliations/runs/${ID}`;

  it('show a run, and the list of them', async () => {
    const routes = {
      [at]: { body: completed({ late_service: 4 }) },
      'GET /api/reconciliations/runs': list([completed()]),
    };
    const shown = await runTranscript(['reconcile', 'show', ID], routes);
    expect(shown.stdout).toMatch(/^late service +4$/m);
    expect(shown.stdout).toMatch(/^speaks of +the first 9 leaves of log\.example/m);
    const listed = await runTranscript(['reconcile', 'list', '--application', 'support-bot'], routes);
    expect(listed.calls[0]?.query).toBe('?application_key=support-bot');
    expect(listed.stderr).toContain('--cursor bmV4dA');
  });

  it('show findings by type, without letting their texts act on the terminal', async () => {
    const routes = { [`${at}/findings`]: list([finding]) };
    const { stdout, calls } = await runTranscript(['reconcile', 'findings', ID, '--type', 'missing_service'], routes);
    expect(calls[0]?.query).toBe('?type=missing_service');
    expect(stdout).toContain('reason no_record');
    expect(stdout).not.toContain('\u001b');
  });

  it('write findings and records to files as they came, whole or not at all', async () => {
    const body = 'a,b\r\n"1,\u00e9",2\r\n'.repeat(1_000);
    const routes = { [`${at}/findings`]: { body }, [`${at}/records`]: { body } };
    const findings = await runTranscript(['reconcile', 'findings', ID, '--out', '/f.csv'], routes);
    expect(findings.calls[0]?.query).toBe('?format=csv');
    expect(findings.files.get('/f.csv')).toBe(body);
    const records = await runTranscript(['reconcile', 'records', ID, '--out', '/r.jsonl'], routes);
    expect(records.files.get('/r.jsonl')).toBe(body);
    const shown = await runTranscript(['reconcile', 'findings', ID, '--format', 'jsonl'], routes);
    expect([shown.stdout, shown.calls[0]?.query]).toEqual([body, '?format=jsonl']);
    const unwritable = await runTranscript(['reconcile', 'records', ID, '--out', '/readonly/r'], routes);
    expect(unwritable.exitCode).toBe(2);
    const gone = await runTranscript(['reconcile', 'records', ID.replace('1', '2'), '--out', '/r.jsonl'], routes);
    expect([gone.exitCode, gone.files.has('/r.jsonl')]).toEqual([1, false]);
  });

  it('write the proof as the service sent it', async () => {
    const { proof } = createSignedRun();
    const { run_id: id } = proof.run.core;
    const routes = { [`GET /api/reconciliations/runs/${id}/proof`]: { body: proof } };
    const { exitCode, files } = await runTranscript(['reconcile', 'proof', id, '--out', '/p.json'], routes);
    expect(exitCode).toBe(0);
    expect(JSON.parse(files.get('/p.json') ?? '')).toEqual(proof);
  });

  it('end with 1 before the run is completed', async () => {
    const problem = fakeProblem(409, 'run_not_completed', 'the run is queued');
    const { exitCode, stderr } = await runTranscript(['reconcile', 'proof', ID], {
      [`${at}/proof`]: { status: 409, body: problem },
    });
    expect([exitCode, stderr.includes('the run is queued')]).toEqual([1, true]);
  });
});
