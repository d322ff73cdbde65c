import { describe, expect, it } from '@jest/globals';
import { RECONCILIATION_CHECKS } from '@answer-evidence/contracts';
import type { Io } from '../io.ts';
import { runCli } from '../run-cli.ts';
import { createMemoryIo } from '../testing/memory-io.ts';
import { createSignedRun } from '../testing/signed-run.ts';

describe('reconcile verify', () => {
  const signed = createSignedRun();
  const altered = structuredClone(signed.proof);
  altered.run.core.counts.matched += 1;
  const impossible = structuredClone(signed.proof);
  impossible.run.core.window_start = '2026-13-45T00:00:00.000000Z';
  const files = {
    '/p.json': JSON.stringify(signed.proof),
    '/altered.json': JSON.stringify(altered),
    '/impossible.json': JSON.stringify(impossible),
    '/t.json': JSON.stringify(signed.trust),
    '/list.csv': signed.referencesCsv,
    '/short.csv': signed.referencesCsv.replace(/msg-1.*\r\n/, ''),
    '/r.jsonl': signed.recordsJsonl,
    '/none.jsonl': '',
    '/f.jsonl': signed.findingsJsonl,
    '/spaced.jsonl': signed.findingsJsonl.replaceAll('":', '" : '),
    '/other.jsonl': signed.findingsJsonl.replace('no_record', 'hash_mismatch'),
    '/text': 'no proof',
  };
  const COLUMNS = ['--columns', 'reference_id=id,occurred_at=at'];

  async function verify(
    given: { proof?: string; references?: string; records?: string; more?: readonly string[] } = {},
  ) {
    const memory = createMemoryIo({
      files,
      fetch: () => {
        throw new Error('an offline command used the network');
      },
    });
    const { proof = '/p.json', references = '/list.csv', records = '/r.jsonl', more = [] } = given;
    const io: Io = {
      ...memory.io,
      files: {
        ...memory.io.files,
        read: (path) => {
          if (/\.(csv|jsonl)$/.test(path) && path !== proof) throw new Error('a file of any size was read at once');
          return memory.io.files.read(path);
        },
      },
    };
    const argv = ['reconcile', 'verify', proof, '--references', references, '--records', records, '--trust', '/t.json'];
    const exitCode = await runCli([...argv, ...COLUMNS, ...more], io);
    const stdout = memory.stdout();
    const failed = [...stdout.matchAll(/^FAIL {2}(\w+)$/gm)].map(([, name]) => name);
    return { exitCode, stdout, stderr: memory.stderr(), failed };
  }

  it('passes without network, configuration or token, and shows what it decided', async () => {
    const { exitCode, stdout, failed } = await verify();
    expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] });
    expect(stdout).toMatch(/^decided: missing service +1$/m);
    expect(stdout).toMatch(/^SKIP {2}record_leaves$/m);
    expect(stdout.match(/^PASS {2}/gm)).toHaveLength(9);
  });

  it('says what the run is about, and how much of the list is of another time', async () => {
    const { application_key: application, window_start: start, window_end: end } = signed.proof.run.core;
    const { exitCode, stdout, stderr } = await verify();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^application +${application}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^window +${start} to ${end}$`, 'm'));
    expect(stderr).toMatch(/^1 of \d+ references are outside the window of the run and were not checked\.$/m);
  });

  it.each([
    ['another count', { proof: '/altered.json' }, ['counts', 'statement', 'leaf_entry']],
    ['a reference that is gone', { references: '/short.csv' }, ['references', 'findings', 'counts']],
    ['a record that is gone', { records: '/none.jsonl' }, ['records', 'findings', 'counts']],
    ['another finding', { more: ['--findings', '/other.jsonl'] }, ['findings']],
  ])('ends with 1 and names the check for %s', async (_, given, expected) => {
    const { exitCode, failed } = await verify(given);
    expect({ exitCode, failed: failed.filter((name) => expected.includes(name ?? '')) }).toEqual({
      exitCode: 1,
      failed: expected,
    });
  });

  it('takes the findings however they are spaced', async () => {
    for (const file of ['/f.jsonl', '/spaced.jsonl'])
      expect(await verify({ more: ['--findings', file] })).toMatchObject({ exitCode: 0, failed: [] });
  });

  it('ends with 1 and fails every check of a proof with a time that does not exist', async () => {
    const { exitCode, stdout, stderr } = await verify({ proof: '/impossible.json' });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout.match(/^FAIL {2}/gm)).toHaveLength(RECONCILIATION_CHECKS.length);
  });

  it('names the earlier proof that is not one, and not the proof of the run', async () => {
    const more = ['--earlier-proof', '/text', '--earlier-references', '/list.csv'];
    const { exitCode, stderr } = await verify({ more });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^FAIL {2}\/text is not the proof of a run/);
    const other = ['--earlier-proof', '/t.json', '--earlier-references', '/list.csv'];
    expect(await verify({ more: other })).toMatchObject({ exitCode: 0, failed: [] });
  });

  it.each(['/text', '/t.json', '/r.jsonl'])('ends with 1 for %s, which is no proof', async (proof) => {
    const { exitCode, stdout, stderr } = await verify({ proof });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^FAIL {2}/);
  });

  it.each([
    ['a list that is not there', { references: '/gone' }],
    ['records that are not there', { records: '/gone' }],
    ['an earlier proof without its list', { more: ['--earlier-proof', '/p.json'] }],
    ['an option that is not one', { more: ['--all'] }],
  ])('ends with 2 for %s', async (_, given) => {
    expect((await verify(given)).exitCode).toBe(2);
  });
});
