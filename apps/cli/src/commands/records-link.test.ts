import { expect, it } from '@jest/globals';
import { runTranscript } from '../testing/run-transcript.ts';
import { SUMMARY } from '../testing/samples.ts';

const LINK = {
  id: '01a21bf3-eb77-7b9a-8a54-6a3f2f0f7a01',
  answer_log_id: SUMMARY.id,
  shows: 'commitments',
  created_at: '2026-11-28T09:00:00.000000Z',
  created_by: { kind: 'user', id: '01a21bf3-eb77-7b9a-8a54-6a3f2f0f7a02', token_id: null },
  expires_at: '2026-12-05T09:00:00.000000Z',
  revoked_at: null,
  opened_at: '2026-11-28T10:00:00.000000Z',
};
const LINKS = `/api/answer-audit-logs/${SUMMARY.id}/proof-links`;

it('records link create sends what was asked for, and prints the link this once', async () => {
  const made = { ...LINK, url: 'https://acme.example/proof/#ael_x', token: 'ael_x' };
  const argv = ['records', 'link', 'create', SUMMARY.id, '--shows', 'commitments', '--expires-in', '7d'];
  const { calls, stdout, stderr, exitCode } = await runTranscript(argv, {
    [`POST ${LINKS}`]: { status: 201, body: made },
  });
  expect(calls[0]?.body).toBe(JSON.stringify({ shows: 'commitments', expires_in_seconds: 604_800 }));
  expect(stdout).toContain('https://acme.example/proof/#ael_x');
  expect(stderr).toContain('not shown again');
  expect(exitCode).toBe(0);
});

it('records link list says of each when it ends and when it was opened last', async () => {
  const { stdout } = await runTranscript(['records', 'link', 'list', SUMMARY.id], {
    [`GET ${LINKS}`]: { body: { items: [LINK] } },
  });
  expect(stdout).toMatch(/LAST OPENED\n.*commitments +2026-11-28\S+ +2026-12-05\S+ +2026-11-28T10/);
});

it('records link revoke ends the link of the record', async () => {
  const { exitCode, calls } = await runTranscript(['records', 'link', 'revoke', SUMMARY.id, LINK.id], {
    [`DELETE ${LINKS}/${LINK.id}`]: { status: 204 },
  });
  expect(exitCode).toBe(0);
  expect(calls).toMatchObject([{ method: 'DELETE', path: `${LINKS}/${LINK.id}` }]);
});

it.each([
  ['--expires-in', '91d'],
  ['--expires-in', '1s'],
  ['--shows', 'all'],
])('records link create refuses %s %s before it asks', async (...more) => {
  expect(await runTranscript(['records', 'link', 'create', SUMMARY.id, ...more])).toMatchObject({
    exitCode: 2,
    seen: [],
  });
});
