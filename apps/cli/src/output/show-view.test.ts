import { describe, expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { AT, createPage, ID, RECORD, recordFor, SUMMARY } from '../testing/samples.ts';

const PATH = '/api/answer-audit-logs';
const page = createPage(null);
const list = (...options: string[]) =>
  runTranscript(['records', 'list', ...options], { [`GET ${PATH}`]: { body: page } });

describe('the form of a result', () => {
  it('jsonl has a line for each thing of a list', async () => {
    const { stdout } = await list('--output', 'jsonl');
    expect(stdout).toBe(page.items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  });

  it('jsonl is one line for one thing', async () => {
    const { stdout } = await runTranscript(['records', 'get', ID, '--output', 'jsonl'], {
      [`GET ${PATH}/${ID}`]: { body: RECORD },
    });
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual(RECORD);
  });

  it('csv has the columns of the table, times in full, and defuses formulas', async () => {
    const hostile = { ...SUMMARY, idempotency_key: '=cmd()' };
    const { stdout } = await runTranscript(['records', 'list', '--output', 'csv'], {
      [`GET ${PATH}`]: { body: { ...page, items: [hostile] } },
    });
    expect(stdout).toBe(
      'created,id,application,environment,status,leaf,idempotency key\r\n' +
        `${AT},${ID},support-bot,production,recorded,41,'=cmd()\r\n`,
    );
  });

  it('csv of one thing has its fields as columns', async () => {
    const { stdout } = await runTranscript(['records', 'get', ID, '--output', 'csv'], {
      [`GET ${PATH}/${ID}`]: { body: RECORD },
    });
    expect(stdout.split('\r\n')).toHaveLength(3);
    expect(stdout).toMatch(/^id,status,created,/);
  });

  it('csv of a result without rows is refused', async () => {
    const { exitCode, stderr } = await runTranscript(['trust', 'anchor', 'run', '--output', 'csv'], {
      'POST /api/trust/anchors/run': { status: 202, body: { accepted: true, job_id: ID } },
    });
    expect([exitCode, stderr]).toEqual([2, 'error: this result is no table: use --output json\n']);
  });

  it('--quiet prints ids only', async () => {
    expect(await list('--quiet')).toMatchObject({ stdout: page.items.map(({ id }) => `${id}\n`).join(''), stderr: '' });
    const created = { [`POST ${PATH}`]: { status: 201, bodyFor: recordFor } };
    const argv = ['records', 'create', '-q', '--application', 'a', '--question-text', 'q', '--answer-text', 'a'];
    expect(await runTranscript(argv, created)).toMatchObject({ exitCode: 0, stdout: `${ID}\n`, stderr: '' });
  });

  it('--quiet still says that a list goes on', async () => {
    const { stderr } = await runTranscript(['records', 'list', '-q'], { [`GET ${PATH}`]: { body: createPage('c-2') } });
    expect(stderr).toContain('--cursor c-2');
  });

  it('--quiet prints the secret of a new token, which is shown only once', async () => {
    const body = {
      id: ID,
      name: 'bot',
      kind: 'application',
      application_key: 'bot',
      scopes: ['answer_audit:create'],
      user_id: null,
      created_at: AT,
      expires_at: AT,
      last_used_at: null,
      revoked_at: null,
      token: 'aea_new',
    };
    const argv = [
      'tokens',
      'create',
      '--quiet',
      '--name',
      'bot',
      '--application',
      'bot',
      '--scope',
      'answer_audit:create',
    ];
    const { stdout } = await runTranscript(argv, { 'POST /api/tokens': { status: 201, body } });
    expect(stdout).toBe('aea_new\n');
  });

  it('--columns chooses and orders the columns of table and csv', async () => {
    expect((await list('--columns', 'idempotency_key,ID')).stdout).toBe(
      `IDEMPOTENCY KEY  ID\nmsg-1            ${ID}\n`,
    );
    expect((await list('--columns', 'status', '--output', 'csv')).stdout).toBe('status\r\nrecorded\r\n');
  });

  it.each([
    ['an unknown column', ['--columns', 'id,colour'], 'colour is unknown; the columns are created, id,'],
    ['columns of JSON', ['--columns', 'id', '--output', 'json'], 'table and csv'],
    ['ids in a form', ['--quiet', '--output', 'json'], "option '-q, --quiet' cannot be used with option"],
  ])('refuses %s', async (_, options, message) => {
    const transcript = await list(...options);
    expect(transcript).toMatchObject({ exitCode: 2, stdout: '' });
    expect(transcript.stderr).toContain(message);
  });

  it('has ages and colours on a terminal, and the text as it is elsewhere', async () => {
    const routes = { [`GET ${PATH}`]: { body: page } };
    const now = () => Date.parse(AT) * 1000 + 7_200_000_000;
    const terminal = await runTranscript(['records', 'list'], routes, { isTerminal: true, columns: 80, now });
    expect(terminal.stdout).toContain('2h ago');
    expect(terminal.stdout).toContain('\u001b[1mCREATED\u001b[22m');
    expect((await list()).stdout).toContain(AT);
  });
});

it('reads how long ago a list begins', async () => {
  const now = () => Date.parse(AT) * 1000;
  const { calls } = await runTranscript(
    ['records', 'list', '--created-after', '2h', '--created-before', 'now'],
    { [`GET ${PATH}`]: { body: page } },
    { now },
  );
  expect(calls[0]?.query).toBe(
    '?created_after=2026-11-20T07%3A00%3A00.000000Z&created_before=2026-11-20T09%3A00%3A00.000000Z',
  );
});
