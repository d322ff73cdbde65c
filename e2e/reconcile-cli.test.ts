import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, formatTimestamp, parseTimestamp } from '@answer-evidence/encoding';
import { runCliCommand } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';

const DEADLINE_MS = 180_000;
const DAY = 86_400_000_000;

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-reconcile-'));
  service = await openTestService();
}, DEADLINE_MS);

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await runCliCommand(['--output', 'json', ...args], service);
  return { code, stderr, stdout, json: stdout.startsWith('{') ? JSON.parse(stdout) : undefined };
}

async function create(name: string, answer = 'Two years.', key: string | null = name): Promise<string> {
  const { status, body } = await service.call('POST', '/api/answer-audit-logs', {
    body: {
      application_key: 'support-bot',
      ...(key === null ? {} : { idempotency_key: key }),
      external_message_id: name,
      question: { text: 'How long?' },
      answer: { text: answer },
    },
  });
  expect(status).toBe(201);
  return body.id;
}

/** Which checks of `reconcile verify` came to what, with its exit code. */
async function verify(proof: string, ...more: readonly string[]) {
  const options = ['--references', at('list.csv'), '--columns', 'reference_id=message,occurred_at=at,answer_hash=sha'];
  const { code, json } = await run('reconcile', 'verify', proof, ...options, '--trust', at('trust.json'), ...more);
  const checks: readonly { check: string; outcome: string }[] = json.checks;
  return { code, outcomes: Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])) };
}

describe('anyone who has a list of what was served', () => {
  it(
    'is told what is missing, unexpected and doubled, and can show it to others offline',
    async () => {
      const right = await create('right');
      const wrong = await create('wrong', 'Three years.');
      const doubled = [await create('doubled'), await create('doubled', 'Two years.', 'again')];
      const unlisted = await create('=unlisted');
      const record = await service.call('GET', `/api/answer-audit-logs/${right}`);
      const now = parseTimestamp(record.body.created_at);
      const sha = `sha256:${formatHex(sha256('Two years.'))}`;
      const names = ['right', 'wrong', 'doubled', 'missing'];
      const rows = names.map((name) => `${name},${formatTimestamp(now - 1_000_000)},${sha}`);
      await writeFile(at('list.csv'), ['message,at,sha', ...rows, ''].join('\r\n'));

      const columns = ['--columns', 'reference_id=message,occurred_at=at,answer_hash=sha'];
      const window = ['--from', formatTimestamp(now - DAY), '--to', formatTimestamp(now + DAY)];
      const asked = ['--application', 'support-bot', '--match-on', 'external_message_id'];
      const { code, json } = await run('reconcile', 'run', at('list.csv'), ...asked, ...window, ...columns);
      expect([code, json.findings]).toEqual([1, 4]);
      expect(json.totals).toMatchObject({
        references: 4,
        records: 5,
        matched: 2,
        missing_service: 2,
        unexpected_service: 1,
        duplicate_service: 1,
      });

      const id: string = json.runs[0].id;
      const { json: page } = await run('reconcile', 'findings', id);
      expect(page.items).toMatchObject([
        { type: 'missing_service', reference_id: 'missing', answer_log_id: null },
        { type: 'missing_service', reference_id: 'wrong', answer_log_id: wrong, detail: { fields: ['answer'] } },
        { type: 'unexpected_service', answer_log_id: unlisted, detail: { match_value: '=unlisted' } },
        { type: 'duplicate_service', answer_log_id: doubled[1], detail: { first_answer_log_id: doubled[0] } },
      ]);
      for (const [command, file] of [
        ['findings', 'findings.jsonl'],
        ['findings', 'findings.csv'],
        ['proof', 'proof.json'],
        ['records', 'records.jsonl'],
      ] as const)
        expect((await run('reconcile', command, id, '--out', at(file))).code).toBe(0);
      expect((await run('trust', 'export', '--out', at('trust.json'))).code).toBe(0);
      const csv = await readFile(at('findings.csv'), 'utf8');
      expect(csv.split('\r\n')).toHaveLength(6);
      expect(csv).not.toMatch(/(^|,|\n)"?[=+@]/);

      const files = ['--records', at('records.jsonl'), '--findings', at('findings.jsonl')];
      const good = await verify(at('proof.json'), ...files);
      expect(good.code).toBe(0);
      expect(good.outcomes).toMatchObject({
        references: 'PASS',
        records: 'PASS',
        findings: 'PASS',
        counts: 'PASS',
        statement: 'PASS',
        merkle_inclusion: 'PASS',
        checkpoint_signature: 'PASS',
        checkpoint_consistency: 'PASS',
      });

      const lines = (await readFile(at('records.jsonl'), 'utf8')).split('\n');
      await writeFile(at('fewer.jsonl'), lines.slice(1).join('\n'));
      expect(await verify(at('proof.json'), '--records', at('fewer.jsonl'))).toMatchObject({
        code: 1,
        outcomes: { records: 'FAIL', findings: 'FAIL', references: 'PASS', statement: 'PASS' },
      });

      const verified = async (recordId: string) => {
        const reply = await service.call('GET', `/api/answer-audit-logs/${recordId}/ledger/verify`);
        return reply.body.checks.find(({ check }: { check: string }) => check === 'reconciliation').outcome;
      };
      expect(await Promise.all([right, wrong, ...doubled, unlisted].map(verified))).toEqual([
        'PASS',
        'FAIL',
        'FAIL',
        'FAIL',
        'SKIP',
      ]);
    },
    DEADLINE_MS,
  );

  it(
    'finds every record of the set in the log itself, and a second implementation decides the same',
    async () => {
      const tlog = `${service.baseUrl}/tlog/${service.workspace}`;
      const more = ['--records', at('records.jsonl'), '--tlog', tlog];
      expect(await verify(at('proof.json'), ...more)).toMatchObject({ code: 0, outcomes: { record_leaves: 'PASS' } });

      const proof = JSON.parse(await readFile(at('proof.json'), 'utf8'));
      const rows = (await readFile(at('list.csv'), 'utf8')).split('\r\n').slice(1, -1);
      const references = rows.map((row) => {
        const [message, time, sha] = row.split(',');
        return `{"answer_hash":"${sha}","occurred_at":"${time}","question_hash":null,"reference_id":"${message}"}\n`;
      });
      await writeFile(at('references.jsonl'), references.join(''));
      expect(proof.run.core.references.size).toBe(references.length);
      const files = ['proof.json', 'references.jsonl', 'records.jsonl', 'trust.json'].map(at);
      const { status, stdout, error } = runPythonVerifier(['run', ...files]);
      if (error !== undefined && process.env['REQUIRE_SERVICES'] === undefined) return;
      expect(stdout).toMatch(/^PASS +findings$/m);
      expect(stdout).toMatch(/^PASS +counts$/m);
      expect(status).toBe(0);
    },
    DEADLINE_MS,
  );
});
