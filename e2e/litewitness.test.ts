import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseNote, parseVkey } from '@answer-evidence/note';
import { findFreePort, type Keep, openTogether, startProgram, until } from '@answer-evidence/testing';
import { pythonBin, run, runsGoTools } from '../tools/foreign-tools/python-tools.ts';
import { runCliCommand } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

/** A witness that others wrote, and the program that tells it which logs there are. */
const [LITEWITNESS, WITNESSCTL] = [join(pythonBin, 'litewitness-0.10.0'), join(pythonBin, 'witnessctl-0.10.0')];
const describeWithWitness = runsGoTools(LITEWITNESS, WITNESSCTL) ? describe : describe.skip;
const NAME = 'witness.example/lite';

/** Starts it with a key of its own, which an agent holds, and with the logs of this list. */
function startLitewitness(
  list: string,
): Promise<{ readonly url: string; readonly vkey: string; close(): Promise<void> }> {
  return openTogether(async (keep: Keep) => {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-litewitness-'));
    keep(() => rm(folder, { recursive: true, force: true }));
    const at = (name: string) => join(folder, name);
    const call = async (program: string, args: readonly string[]) => {
      const { code, output } = await run(program, args, { env: { SSH_AUTH_SOCK: at('agent') } });
      if (code !== 0) throw new Error(`${program}: ${output}`);
      return output;
    };
    const agent = await startProgram('ssh-agent', {
      prepare: () => Promise.resolve(['ssh-agent', '-D', '-a', at('agent')]),
      ask: () => access(at('agent')),
      signal: 'SIGTERM',
    });
    keep(() => agent.close());
    await call('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at('key')]);
    await call('ssh-add', ['-q', at('key')]);
    const fingerprint = /SHA256:\S+/.exec(await call('ssh-keygen', ['-l', '-f', at('key')]))?.[0] ?? '';
    await writeFile(at('logs.txt'), list);
    await call(WITNESSCTL, ['pull-logs', '-db', at('db'), '-source', at('logs.txt')]);
    const address = `127.0.0.1:${await findFreePort()}`;
    const url = `http://${address}`;
    const witness = await startProgram('litewitness', {
      prepare: () =>
        Promise.resolve([
          LITEWITNESS,
          ...['-name', NAME, '-key', fingerprint, '-ssh-agent', at('agent'), '-db', at('db'), '-listen', address],
        ]),
      ask: () => fetch(url),
      signal: 'SIGTERM',
    });
    keep(() => witness.close());
    const vkey = /^witness\.example\/lite\+\S+$/m.exec(await (await fetch(url)).text())?.[0] ?? '';
    return { url, vkey };
  });
}

describeWithWitness('a witness that others wrote', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openTestService({ environment: { SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*' } });
  }, 120_000);
  afterAll(() => service.close());

  async function joinWitness(...args: readonly string[]) {
    const finished = await runCliCommand(['--output', 'json', 'trust', 'witnesses', 'join', ...args], service);
    if (finished.stdout === '') throw new Error(finished.stderr);
    return { code: finished.code, body: JSON.parse(finished.stdout) };
  }

  it('is joined by the lines that the command line prints, and cosigns from then on', async () => {
    const { call } = service;
    const { version: _v, updated_at: _u, ...policy } = (await call('GET', '/api/trust/policy')).body;
    const fields = { ...policy, checkpoint_interval_seconds: 1, public_log: true };
    expect((await call('PUT', '/api/trust/policy', { body: fields })).status).toBe(200);
    const { body: printed } = await joinWitness('--contact', 'ops@example.com');
    const witness = await startLitewitness(printed.log_list);
    try {
      expect(await joinWitness('--vkey', witness.vkey, '--url', witness.url, '--apply')).toMatchObject({
        code: 0,
        body: { applied: true, test: { outcome: 'works' } },
      });
      const record = { application_key: 'bot', question: { text: 'q' }, answer: { text: 'a' } };
      const created = await call('POST', '/api/answer-audit-logs', { body: record });
      expect(created.status).toBe(201);
      const { name, id } = parseVkey(witness.vkey);
      await until('a checkpoint with the record that it cosigned', async () => {
        const { text } = await call('GET', `/tlog/${service.workspace}/checkpoint`);
        const size = Number(text.split('\n')[1]);
        const { signatures } = parseNote(text);
        const isCosigned = signatures.some((one) => one.name === name && Buffer.from(one.keyId).equals(id));
        return isCosigned && size > created.body.ledger.leaf_index;
      });
    } finally {
      await witness.close();
    }
  }, 120_000);

  it('that knows another log is not joined, and the outcome says why', async () => {
    const { body: printed } = await joinWitness();
    const witness = await startLitewitness(
      printed.log_list.replaceAll(
        /^vkey \S+$/gm,
        'vkey PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
      ),
    );
    try {
      expect(await joinWitness('--vkey', witness.vkey, '--url', witness.url, '--apply')).toMatchObject({
        code: 1,
        body: { applied: false, test: { detail: 'log not known' } },
      });
    } finally {
      await witness.close();
    }
  }, 120_000);
});
