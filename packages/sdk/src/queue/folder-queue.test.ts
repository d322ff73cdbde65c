import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AnswerEvidence, type EvidenceError, type Options } from '../index.ts';
import { type FakeService, openFakeService, problem } from '../testing/fake-service.ts';

const TIMEOUT_MS = 60_000;

let folder: string;
let service: FakeService;
let errors: EvidenceError[];
const opened: AnswerEvidence[] = [];
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'ae-queue-')), 'queue');
  service = await openFakeService();
  errors = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((evidence) => evidence.close(0)));
  await service.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

function open(options: Partial<Options> = {}): AnswerEvidence {
  const evidence = new AnswerEvidence({
    application: 'support-bot',
    url: service.url,
    token: 't',
    queue: { folder },
    onError: (error) => errors.push(error),
    ...options,
  });
  opened.push(evidence);
  return evidence;
}

const waiting = () => readdirSync(folder).filter((name) => name.endsWith('.json'));

async function readPromised(child: ChildProcess): Promise<readonly string[]> {
  const keys: string[] = [];
  if (child.stdout === null) return keys;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'promised') break;
    keys.push(line);
  }
  return keys;
}

describe('a queue in a folder', () => {
  it(
    'sends all that was promised, and nothing twice, after the process was killed while the service was away',
    async () => {
      const program = join(import.meta.dirname, '../testing/promise-and-hang.ts');
      const stdio = ['ignore', 'pipe', 'inherit'] as const;
      const child = spawn(process.execPath, ['--no-warnings', program, folder, '200'], { stdio: [...stdio] });
      const promised = await readPromised(child);
      child.kill('SIGKILL');
      expect(promised).toHaveLength(200);

      const evidence = open();
      expect(await evidence.flush(TIMEOUT_MS)).toBe(0);
      expect([...service.records.keys()].toSorted()).toEqual(promised.toSorted());
      expect(service.sent).toHaveLength(200);
      expect(waiting()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('has the answer on the disk, for this user only, when record returns', async () => {
    service.respond(problem(503, 'ledger_unavailable'));
    await open().record({ question: 'q', answer: 'a', idempotency_key: 'msg-1' });
    const [name = ''] = waiting();
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ idempotency_key: 'msg-1' });
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('keeps what meets a damaged log until that is repaired, across processes', async () => {
    service.respond(problem(500, 'content_damaged'));
    const first = open();
    await first.record({ question: 'q', answer: 'a', idempotency_key: 'msg-1' });
    expect(await first.flush(50)).toBe(1);
    await first.close(0);
    expect(waiting()).toHaveLength(1);
    service.respond(undefined);
    expect(await open().flush(TIMEOUT_MS)).toBe(0);
    expect([...service.records.keys()]).toEqual(['msg-1']);
    expect(readdirSync(join(folder, 'rejected'))).toEqual([]);
  });

  it('may be shared: what two processes send makes one record', async () => {
    service.respond(problem(503, 'ledger_unavailable'));
    await open().record({ question: 'q', answer: 'a' });
    const other = open();
    await other.flush(50);
    service.respond(undefined);
    expect(await Promise.all(opened.map((evidence) => evidence.flush(TIMEOUT_MS)))).toEqual([0, 0]);
    expect(service.records.size).toBe(1);
  });

  it('keeps what the service refuses in rejected/, with the reason', async () => {
    service.respond(problem(422, 'text_not_accepted'));
    const evidence = open();
    await evidence.record({ question: 'q', answer: 'a' });
    await evidence.flush(TIMEOUT_MS);
    const kept = readdirSync(join(folder, 'rejected')).toSorted();
    expect(kept.map((name) => name.replace(/^.*?\./, ''))).toEqual(['json', 'json.reason.txt']);
    expect(readFileSync(join(folder, 'rejected', kept[1] ?? ''), 'utf8')).toBe('422 text_not_accepted: It failed.\n');
    expect(waiting()).toEqual([]);
  });

  it('puts a damaged file aside, and removes what a dead process left unfinished', async () => {
    await open().flush(TIMEOUT_MS);
    writeFileSync(join(folder, '000000000000001-x.json'), '{"question"');
    writeFileSync(join(folder, '000000000000002-y.json.1.part'), '{');
    utimesSync(join(folder, '000000000000002-y.json.1.part'), 0, 0);
    expect(await open().flush(TIMEOUT_MS)).toBe(0);
    expect(errors).toEqual([expect.objectContaining({ code: 'queue_damaged' })]);
    expect(readdirSync(join(folder, 'rejected'))).toContain('000000000000001-x.json');
    expect(readdirSync(folder)).toEqual(['rejected']);
    expect(service.sent).toEqual([]);
  });

  it('does not promise what it cannot write', async () => {
    writeFileSync(folder, 'a file');
    const evidence = open();
    const recording = evidence.record({ question: 'q', answer: 'a' });
    await expect(recording).rejects.toMatchObject({ name: 'QueueError', code: 'queue_unwritable' });
    expect(await evidence.flush(TIMEOUT_MS)).toBe(0);
  });
});
