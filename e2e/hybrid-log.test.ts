import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { COSIGNATURE_ML_DSA_44, parseNote, parseVkey } from '@answer-evidence/note';
import { createTrustFile } from '@answer-evidence/verify';
import { runCli } from '../apps/cli/src/run-cli.ts';
import { createMemoryIo } from '../apps/cli/src/testing/memory-io.ts';
import { pythonBin, run, runsGoTools } from '../tools/foreign-tools/python-tools.ts';
import { type ServiceProcess, startWitness, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { describeWithTools, runPythonVerifier } from './independent-verifier/python-verifier.ts';

/** A program in Go, with filippo.io/mldsa and the reader of notes of Go's own checksum database. */
const CHECKPOINT = join(pythonBin, 'checkpoint');
const describeWithGo = runsGoTools(CHECKPOINT) ? describe : describe.skip;

let service: TestService;
let witness: ServiceProcess;
let folder: string;
let witnessKeys: readonly string[];
let logKeys: readonly { readonly vkey: string; readonly algorithm: string }[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-hybrid-'));
  service = await openTestService({ environment: { SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*' } });
  const { call } = service;
  const put = async (fields: object) => {
    const { version: _v, updated_at: _u, ...policy } = (await call('GET', '/api/trust/policy')).body;
    expect((await call('PUT', '/api/trust/policy', { body: { ...policy, ...fields } })).status).toBe(200);
  };
  await put({ log_signatures: 'hybrid', checkpoint_interval_seconds: 1, public_log: true });
  await until('the second key of the log', async () => {
    logKeys = (await call('GET', '/api/trust/keys')).body.items;
    return logKeys.length === 2;
  });
  witness = startWitness(['--name', 'witness.example/w1', ...logKeys.flatMap(({ vkey }) => ['--log', vkey])], {
    dataDir: folder,
  });
  const url = await witness.ready;
  witnessKeys = [...witness.stderr.join('\n').matchAll(/witness key[^:]*: (\S+)/g)].map(([, vkey = '']) => vkey);
  await put({
    witness_policy: `${witnessKeys.map((vkey, n) => `witness w${n} ${vkey} ${url}\n`).join('')}group g all w0 w1\nquorum g\n`,
  });
  const created = await call('POST', '/api/answer-audit-logs', {
    body: { application_key: 'bot', question: { text: 'q' }, answer: { text: 'a' } },
  });
  expect(created.status).toBe(201);
  await call('POST', '/api/trust/anchors/run');
  await until('the cosignatures of a checkpoint with the record', async () => {
    const { items } = (await call('GET', '/api/trust/witnesses')).body;
    return items.every((one: { tree_size: number | null }) => (one.tree_size ?? 0) > created.body.ledger.leaf_index);
  });
}, 120_000);
afterAll(async () => {
  witness.kill('SIGKILL');
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const readCheckpoint = async () => (await service.call('GET', `/tlog/${service.workspace}/checkpoint`)).text;
const ofMlDsa = (vkeys: readonly string[]) => vkeys.filter((vkey) => parseVkey(vkey).type === COSIGNATURE_ML_DSA_44);

describeWithGo('the checkpoint of a log that signs by both keys', () => {
  const verify = (vkeys: readonly string[], input: string) => run(CHECKPOINT, vkeys, { input });

  it('is verified by software of others: both lines of the log, and the cosignature of our witness', async () => {
    const note = await readCheckpoint();
    const lengths = parseNote(note).signatures.map(({ signature }) => signature.length);
    // Those of the witness stand in the order in which they came.
    expect([...lengths.slice(0, 2), ...lengths.slice(2).toSorted()]).toEqual([64, 2428, 2428, 72]);
    const { origin } = (await service.call('GET', '/api/trust/keys')).body;
    const vkeys = logKeys.map(({ vkey }) => vkey);
    expect(await verify([...vkeys, ...ofMlDsa(witnessKeys)], note)).toEqual({
      code: 0,
      output: `${origin} 1\n${origin} 6\nwitness.example/w1 6\n`,
    });
  });

  it('is refused by it when another tree is claimed', async () => {
    const note = (await readCheckpoint()).replace(/\n(\d+)\n/, (_, size: string) => `\n${Number(size) + 1}\n`);
    for (const vkeys of [ofMlDsa(logKeys.map(({ vkey }) => vkey)), ofMlDsa(witnessKeys)])
      expect(await verify(vkeys, note)).toMatchObject({
        code: 1,
        output: expect.stringContaining('invalid signature'),
      });
  });
});

describe('a ledger check of a log that signs by both keys', () => {
  it('finds no fault', async () => {
    const { body } = await service.call('POST', '/api/trust/ledger-checks');
    expect(body).toMatchObject({ findings_total: 0, findings: [] });
  });
});

describeWithTools('a bundle of a log that signs by both keys', () => {
  it('is verified in Python by the trust file that the service exports', async () => {
    const { items } = (await service.call('GET', '/api/answer-audit-logs')).body;
    const bundle = await service.call('GET', `/api/trust/proofs/answers/${items[0].id}`);
    const policy = (await service.call('GET', '/api/trust/policy')).body;
    const trust = createTrustFile((await service.call('GET', '/api/trust/keys')).body, policy);
    expect(trust.logs[0]?.keys).toHaveLength(2);
    await writeFile(join(folder, 'bundle.json'), bundle.text);
    await writeFile(join(folder, 'trust.json'), JSON.stringify(trust));
    const files = [join(folder, 'bundle.json'), join(folder, 'trust.json')];
    const { stdout, status } = runPythonVerifier(['bundle', ...files, '--output', 'json']);
    expect({ status, stdout }).toMatchObject({ status: 0 });
    const checks = JSON.parse(stdout);
    for (const check of ['checkpoint_signature', 'witness_cosignatures'])
      expect(checks).toContainEqual(expect.objectContaining({ check, outcome: 'PASS' }));
  });
});

describe('a witness that is joined by what the command line prints', () => {
  it('cosigns by the log list alone, and is in the policy after it has', async () => {
    const cli = async (...args: readonly string[]) => {
      const env = { ANSWER_EVIDENCE_URL: service.baseUrl, ANSWER_EVIDENCE_TOKEN: service.managerToken };
      const { io, stdout, stderr } = createMemoryIo({ env, fetch });
      const code = await runCli(['trust', 'witnesses', 'join', '--output', 'json', ...args], io);
      if (stdout() === '') throw new Error(stderr());
      return { code, body: JSON.parse(stdout()) };
    };
    await service.call('PUT', '/api/trust/policy', { body: { ...DEFAULT_TRUST_POLICY, log_signatures: 'hybrid' } });
    const { body } = await cli('--contact', 'ops@example.com');
    expect(body.log_list).toMatch(/^logs\/v0\n\nvkey \S+\nqpd 8640\ncontact ops@example\.com\n$/);
    const list = join(folder, 'logs.txt');
    await writeFile(list, body.log_list);
    const second = startWitness(['--name', 'witness.example/w2', '--logs', list], { dataDir: join(folder, 'w2') });
    try {
      const url = await second.ready;
      const [, vkey = ''] = /witness key: (\S+)/.exec(second.stderr.join('\n')) ?? [];
      const other = await cli('--vkey', witnessKeys[0] ?? '', '--url', url, '--apply');
      expect(other).toMatchObject({ code: 1, body: { applied: false, test: { detail: 'cosignature missing' } } });
      const joined = await cli('--vkey', vkey, '--url', url, '--apply');
      expect(joined).toMatchObject({ code: 0, body: { applied: true, test: { outcome: 'works' } } });
      const { items } = (await service.call('GET', '/api/trust/witnesses')).body;
      expect(items).toMatchObject([{ vkey, url }]);
    } finally {
      second.kill('SIGKILL');
    }
  }, 60_000);
});
