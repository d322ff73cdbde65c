import { describe, expect, it } from '@jest/globals';
import { fakeProblem, type FakeReply } from '../testing/fake-host.ts';
import { runTranscript } from '../testing/run-transcript.ts';
import { ID } from '../testing/samples.ts';

const PATH = 'POST /api/answer-audit-logs/batch';
const line = (n: number, more: object = {}) =>
  JSON.stringify({ application_key: 'bot', question: { text: `q ${n}` }, answer: { text: 'a' }, ...more });
const created = { outcome: 'created', id: ID, leaf_index: 3, record_hash: `sha256:${'0'.repeat(64)}` };
const replayed = { outcome: 'replayed', id: ID };
const idOf = (n: number) => `0199f3c2-0000-7000-8000-${String(n).padStart(12, '0')}`;
const resultsOf = (count: number, one: object): FakeReply => ({
  body: { results: Array.from({ length: count }, (_, n) => ({ ...one, id: idOf(n) })) },
});
const importing = (text: string, replies: readonly FakeReply[], argv: readonly string[] = []) =>
  runTranscript(
    ['records', 'import', '/h.jsonl', '--output', 'json', ...argv],
    { [PATH]: replies },
    {
      files: { '/h.jsonl': text },
    },
  );

describe('records import', () => {
  it('sends each line with its key, says that it was imported, and keeps its time as a claim', async () => {
    const text = `${line(1, { idempotency_key: 'k', answered_at: '2024-05-02T09:30:00Z', semantic_refs: [{ a: 1 }] })}\n\n${line(2)}\n`;
    const { exitCode, stdout, calls } = await importing(text, [resultsOf(2, created)]);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { created: 2, replayed: 0, refused: [] }]);
    const { records } = JSON.parse(calls[0]?.body ?? '');
    expect(records).toMatchObject([
      { idempotency_key: 'k', semantic_refs: [{ a: 1 }, { type: 'import', claimed_at: '2024-05-02T09:30:00Z' }] },
      { idempotency_key: expect.stringMatching(/^import-[0-9a-f]{40}$/), semantic_refs: [{ type: 'import' }] },
    ]);
    expect(records[0]).not.toHaveProperty('answered_at');
  });

  it.each(['2024-05-02t09:30:00z', '2016-12-31T23:59:60Z', '2024-05-02T09:30:00.1234567890+02:00'])(
    'takes the time %s, which is one of RFC 3339',
    async (at) => {
      const { calls } = await importing(line(1, { answered_at: at }), [resultsOf(1, created)]);
      expect(JSON.parse(calls[0]?.body ?? '').records[0].semantic_refs).toEqual([{ type: 'import', claimed_at: at }]);
    },
  );

  it('makes the same key for the same line at any place, and another one for another line', async () => {
    const { calls } = await importing(`${line(1)}\n${line(2)}\n${line(1)}`, [resultsOf(3, created)]);
    const [first, second, third] = JSON.parse(calls[0]?.body ?? '').records.map(
      (record: { idempotency_key: string }) => record.idempotency_key,
    );
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  it('sends at most 500 lines per request, in the order of the file, and sums up what became of them', async () => {
    const text = Array.from({ length: 1_001 }, (_, n) => line(n)).join('\n');
    const replies = [resultsOf(500, created), resultsOf(500, created), resultsOf(1, replayed)];
    const { stdout, calls } = await importing(text, replies);
    const sizes = calls.map(({ body }) => JSON.parse(body ?? '').records.length).toSorted((a, b) => b - a);
    expect(sizes).toEqual([500, 500, 1]);
    expect(JSON.parse(stdout)).toMatchObject({ created: expect.any(Number), refused: [] });
  });

  it('names the lines that were refused, and ends with 1', async () => {
    const errors = [{ pointer: '/answer/hash', detail: 'is not the hash of the text' }];
    const refused = { outcome: 'refused', code: 'commitment_mismatch', detail: 'no', errors };
    const { exitCode, stdout } = await importing(`${line(1)}\n${line(2)}`, [{ body: { results: [created, refused] } }]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).refused).toEqual([
      { line: 2, code: 'commitment_mismatch', detail: '/answer/hash is not the hash of the text' },
    ]);
  });

  it('starts at the line that is asked for, and says after a failure where to continue', async () => {
    const text = Array.from({ length: 600 }, (_, n) => line(n)).join('\n');
    const fault = { status: 400, body: fakeProblem(400, 'malformed_request', 'no') };
    const { exitCode, stderr, calls } = await importing(text, [resultsOf(500, created), fault], ['--from-line', '2']);
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(calls[0]?.body ?? '').records[0].question.text).toBe('q 1');
    expect(stderr).toContain('continue with --from-line 502');
  });

  it('says with its progress where an import that is killed has to continue', async () => {
    const text = Array.from({ length: 1_001 }, (_, n) => line(n)).join('\n');
    const replies = [resultsOf(500, created), resultsOf(500, created), resultsOf(1, created)];
    const { stderr } = await importing(text, replies);
    expect(stderr).toMatch(/imported \d+ of 1001 answers; line (501|1001|1002) is next/);
  });

  it.each([
    ['a line that is not JSON', `${line(1)}\n{`, 'line 2'],
    ['a line without an answer', `${line(1)}\n{"application_key":"bot","question":{"text":"q"}}`, 'line 2: /answer'],
    ['a time that is none', line(1, { answered_at: 'yesterday' }), 'line 1: /answered_at'],
    ['a day that does not exist', line(1, { answered_at: '2026-02-30T00:00:00Z' }), 'a day that exists'],
    ['a second that does not', line(1, { answered_at: '2026-02-28T00:00:60Z' }), 'leap second'],
    ['a member that is unknown', line(1, { anser: 1 }), 'line 1: '],
  ])('refuses a file with %s before it sends anything', async (_, text, message) => {
    const { exitCode, stderr, seen } = await importing(text, []);
    expect({ exitCode, seen }).toEqual({ exitCode: 2, seen: [] });
    expect(stderr).toContain(message);
  });
});
