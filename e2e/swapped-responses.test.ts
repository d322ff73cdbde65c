import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from '@answer-evidence/client';
import { AnswerEvidence, type EvidenceError, MismatchError } from '../packages/sdk/src/index.ts';
import { runCliCommand } from './support/service-process.ts';
import { openSwappingProxy, type SwappingProxy } from './support/swapping-proxy.ts';
import { openTestService, type TestService } from './support/test-service.ts';

const TIMEOUT_MS = 120_000;

let folder: string;
let service: TestService;
let proxy: SwappingProxy;
let client: Client;
const trust = () => join(folder, 'trust.json');
const records: string[] = [];
const assets: string[] = [];
const runs: string[] = [];

const answer = (n: number) => ({ question: { text: 'Was it paid?' }, answer: { text: `answer ${n}` } });
const body = (n: number) => ({ application_key: 'support-bot', ...answer(n) });
const WINDOW = { window_start: '2026-11-20T00:00:00Z', window_end: '2026-11-20T01:00:00Z' };
const run = (n: number) => ({
  application_key: `bot-${n}`,
  match_on: 'idempotency_key' as const,
  ...WINDOW,
  references: [{ reference_id: `m-${n}`, occurred_at: WINDOW.window_start }],
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-swapped-'));
  service = await openTestService();
  proxy = await openSwappingProxy(service.baseUrl);
  client = createClient({ registry: proxy.url, token: service.managerToken });
  for (const n of [1, 2]) {
    records.push((await client.records.create({ ...body(n), idempotency_key: `msg-${n}` })).record.id);
    assets.push((await client.evidence.register({ application_key: 'support-bot', segments: [`passage ${n}`] })).id);
    runs.push((await client.reconciliations.create(run(n))).id);
  }
  await runCliCommand(['trust', 'export', '--out', trust()], service);
}, TIMEOUT_MS);
afterAll(async () => {
  await proxy.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => proxy.rest());

/** Two calls of one kind, the second of which gets the response to the first. */
const CALLS: Readonly<Record<string, (of: Client, n: number) => Promise<unknown>>> = {
  'a create': (of, n) => of.records.create(body(n)),
  'a batch': (of, n) => of.records.createMany([{ ...body(n), idempotency_key: `batch-${n}-${Math.random()}` }]),
  'an event': (of, n) =>
    of.records.appendEvent(records[n - 1] ?? '', { event_type: 'correction_appended', ...corrected(n) }),
  'a get': (of, n) => of.records.get(records[n - 1] ?? ''),
  'a reveal': (of, n) => of.records.reveal(records[n - 1] ?? '', { reason_code: 'complaint', reason: 'test' }),
  'a list': (of, n) => of.records.list({ idempotency_key: `msg-${n}` }),
  'a verification': (of, n) => of.records.verify(records[n - 1] ?? ''),
  'a proof': (of, n) => of.trust.proof(records[n - 1] ?? ''),
  'a pack': (of, n) => of.trust.pack({ answer_log_ids: [records[n - 1] ?? ''] }),
  'a registration': (of, n) => of.evidence.register({ application_key: 'support-bot', segments: [`more ${n}`] }),
  'an upload': (of, n) => of.evidence.upload(fileOf(n), { application_key: 'support-bot' }),
  'a retrieval': (of, n) => of.evidence.retrieve(assets[n - 1] ?? ''),
  'an asset': (of, n) => of.evidence.get(assets[n - 1] ?? ''),
  'a new run': (of, n) => of.reconciliations.create(run(n)),
  'a run': (of, n) => of.reconciliations.get(runs[n - 1] ?? ''),
};

function corrected(n: number) {
  return { payload: { corrected_answer_text: `better ${n}` } };
}

function fileOf(n: number) {
  return {
    name: `${n}.txt`,
    async *open() {
      yield await Promise.resolve(new TextEncoder().encode(`file ${n}`));
    },
  };
}

describe('behind a proxy that mixes up responses', () => {
  it.each(Object.keys(CALLS))(
    'the client refuses the response to another call: %s',
    async (name) => {
      const call = CALLS[name];
      proxy.swap();
      await call?.(client, 1);
      await expect(call?.(client, 2)).rejects.toMatchObject({ name: 'MismatchError', code: 'response_mismatch' });
      proxy.rest();
      await call?.(client, 2);
    },
    TIMEOUT_MS,
  );

  it.each(['open', 'closed'] as const)(
    'the SDK resolves no answer with the record of another, with trust, where it fails %s, and keeps what was signed',
    async (fail) => {
      const errors: EvidenceError[] = [];
      const checkpoints = join(folder, `checkpoints-${fail}`);
      const options = {
        application: 'support-bot',
        url: proxy.url,
        token: service.managerToken,
        fail,
        trust: trust(),
        checkpoints,
      };
      const evidence = new AnswerEvidence({ ...options, onError: (error) => errors.push(error) });
      const record = async (text: string) =>
        (await evidence.record({ question: 'Was it paid?', answer: text })).recorded;
      proxy.swap();
      const first = await record('No.');
      const error: unknown = await record('Yes, entirely.').catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MismatchError);
      const signed = { receipt: first.receipt, entry: first.ledger.entry };
      expect(error).toMatchObject({
        code: 'response_mismatch',
        fields: ['/idempotency_key', '/answer/hash', '/answer/text'],
        ...signed,
        given: expect.stringContaining(first.ledger.origin),
      });
      expect(errors).toEqual(fail === 'open' ? [error] : []);
      const [kept = ''] = (await readdir(checkpoints)).filter((name) => name.startsWith('mismatch-'));
      const text = await readFile(join(checkpoints, kept), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ format: 'answer-evidence-mismatch/v1', ...signed });
      expect(text).not.toContain('entirely');
      await evidence.close(0);
    },
    TIMEOUT_MS,
  );
});

describe('the command line behind a proxy that mixes up responses', () => {
  const at = (name: string) => join(folder, name);
  const cli = (...args: readonly string[]) =>
    runCliCommand([...args, '--registry', proxy.url, '--output', 'json'], service);
  const create = (text: string, ...more: readonly string[]) => {
    const texts = ['--question-text', 'Was it paid?', '--answer-text', text];
    return cli('records', 'create', '--application', 'support-bot', ...texts, ...more);
  };

  const COMMANDS: Readonly<Record<string, (n: number) => ReturnType<typeof cli>>> = {
    'records create': (n) => create(`answer ${n}`),
    'records get': (n) => cli('records', 'get', records[n - 1] ?? ''),
    'records event': (n) => cli('records', 'event', records[n - 1] ?? '', '--type', 'retention_extended'),
    'records import': async (n) => {
      await writeFile(at(`${n}.jsonl`), JSON.stringify(body(n + 100)));
      return cli('records', 'import', at(`${n}.jsonl`));
    },
    'records pack': (n) => cli('records', 'pack', records[n - 1] ?? '', '--out', at(`${n}.html`)),
    'evidence retrieve': (n) => cli('evidence', 'retrieve', assets[n - 1] ?? ''),
    'evidence get': (n) => cli('evidence', 'get', assets[n - 1] ?? ''),
    'reconcile show': (n) => cli('reconcile', 'show', runs[n - 1] ?? ''),
  };

  it.each(Object.keys(COMMANDS))(
    '%s ends with 1 and says why, and prints nothing of the other response',
    async (name) => {
      proxy.swap();
      expect((await COMMANDS[name]?.(1))?.code).toBe(0);
      const { code, stdout, stderr } = (await COMMANDS[name]?.(2)) ?? {};
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('error: the response is not about what was sent: /');
    },
    TIMEOUT_MS,
  );

  it(
    'keeps what was signed beside the receipt that was asked for',
    async () => {
      proxy.swap();
      const [first, second] = [at('1.tlog-proof'), at('2.tlog-proof')];
      await create('No.', '--receipt-out', first);
      expect((await create('Yes.', '--receipt-out', second)).code).toBe(1);
      const kept = JSON.parse(await readFile(`${second}.mismatch.json`, 'utf8'));
      expect(kept.receipt).toBe(await readFile(first, 'utf8'));
      await expect(readFile(second)).rejects.toThrow('ENOENT');
    },
    TIMEOUT_MS,
  );
});
