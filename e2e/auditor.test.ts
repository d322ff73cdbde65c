import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckResult, ProofBundle, Verification } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, parseBase64, utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import { openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { runCliCommand, type ServiceProcess, startWitness, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';
import { activeVkeyOf, vkeyOf } from './support/attested-log.ts';

const DEADLINE_MS = 120_000;

let folder: string;
let service: TestService;
let authority: TestAuthority;
let witnesses: ServiceProcess[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-auditor-'));
  authority = await openTestAuthority();
  service = await openTestService();
  const log = await activeVkeyOf(service);
  witnesses = ['w1', 'w2'].map((name) =>
    startWitness(['--name', `${name}.example`, '--log', log], { dataDir: join(folder, name) }),
  );
}, DEADLINE_MS);

afterAll(async () => {
  for (const witness of witnesses) witness.kill('SIGKILL');
  await Promise.all(witnesses.map(({ exited }) => exited));
  await service.close();
  await authority.close();
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

const at = (name: string) => join(folder, name);

/** A command that has to succeed, with what it printed as JSON. */
async function run(...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await runCliCommand(['--output', 'json', ...args], service);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}\n${stderr}\n${stdout}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

type Audit = { readonly code: number | null; readonly anchoring: string; readonly outcomes: Record<string, string> };

async function audit(bundle: string, ...more: readonly string[]): Promise<Audit> {
  const args = ['--output', 'json', 'verify', at(bundle), '--trust', at('trust.json'), ...more];
  const { code, stdout } = await runCliCommand(args, service);
  const { anchoring, checks } = JSON.parse(stdout) as Verification;
  return {
    code,
    anchoring,
    outcomes: Object.fromEntries(checks.map((each: CheckResult) => [each.check, each.outcome])),
  };
}

async function alterBundle(name: string, alter: (bundle: ProofBundle) => void): Promise<string> {
  const bundle = JSON.parse(await readFile(at('bundle.json'), 'utf8')) as ProofBundle;
  alter(bundle);
  await writeFile(at(name), JSON.stringify(bundle));
  return name;
}

describe('an auditor with a bundle, a trust file and the command line', () => {
  it(
    'finds a record ANCHORED, offline, and names a time-stamp or a cosignature that was altered',
    async () => {
      const urls = await Promise.all(witnesses.map(({ ready }) => ready));
      const lines = witnesses.map(({ stderr }, n) => `witness w${n + 1} ${vkeyOf(stderr)} ${urls[n] ?? ''}\n`);
      await writeFile(at('witnesses.txt'), `${lines.join('')}group both all w1 w2\nquorum both\n`);
      const { url, rootPem: certificate_pem } = authority;
      const anchors = [{ id: 'authority', type: 'rfc3161', url, certificate_pem, required: true }];
      await writeFile(at('policy.json'), JSON.stringify({ anchors, anchors_required: 1 }));
      await run(
        'trust',
        'policy',
        'set',
        'checkpoint_interval_seconds=1',
        '--file',
        at('policy.json'),
        '--witness-policy',
        at('witnesses.txt'),
      );

      const texts = ['--question-text', 'How long is the warranty?', '--answer-text', 'Two years.'];
      const record = await run('records', 'create', '--application', 'support-bot', ...texts);
      await run('trust', 'anchor', 'run');
      await until(
        'an anchor over the record',
        async () =>
          (await run('trust', 'anchor', 'list')).items.some(
            (item: { state: string; tree_size: number }) =>
              item.state === 'confirmed' && item.tree_size > record.ledger.leaf_index,
          ),
        DEADLINE_MS / 2,
      );
      await runCliCommand(['trust', 'proof', record.id, '--out', at('bundle.json')], service);
      await runCliCommand(['trust', 'export', '--out', at('trust.json')], service);
      const tlog = await audit('bundle.json', '--tlog', `${service.baseUrl}/tlog/${service.workspace}`);
      await service.stop();

      const demanded = { witness_cosignatures: 'PASS', external_anchor: 'PASS', anchored: 'PASS' };
      expect(tlog).toMatchObject({
        code: 0,
        anchoring: 'ANCHORED',
        outcomes: { ...demanded, event_completeness: 'PASS' },
      });
      expect(await audit('bundle.json')).toMatchObject({
        code: 0,
        anchoring: 'ANCHORED',
        outcomes: { ...demanded, checkpoint_signature: 'PASS', event_completeness: 'SKIP' },
      });

      const independent = runPythonVerifier(['bundle', at('bundle.json'), at('trust.json')]);
      expect(independent.stdout.match(/PASS {2}(witness_\w+|external_anchor|anchored)/g)).toHaveLength(3);
      expect(independent.status).toBe(0);

      const bundle = JSON.parse(await readFile(at('bundle.json'), 'utf8')) as ProofBundle;
      const token = parseBase64(bundle.anchors[0]?.artefact ?? '');
      const digest = sha256(utf8(parseNote(bundle.checkpoint).text));
      expect(await authority.isAcceptedByOpenssl(token, digest)).toBe(true);

      const flipped = await alterBundle('flipped.json', ({ anchors: [anchor] }) => {
        if (anchor === undefined) return;
        const bytes = parseBase64(anchor.artefact);
        const middle = bytes.length >> 1;
        bytes[middle] = (bytes[middle] ?? 0) ^ 1;
        anchor.artefact = formatBase64(bytes);
      });
      expect(await audit(flipped)).toMatchObject({
        code: 1,
        anchoring: 'NOT_ANCHORED',
        outcomes: { external_anchor: 'FAIL', anchored: 'FAIL', witness_cosignatures: 'PASS', merkle_inclusion: 'PASS' },
      });

      const without = await alterBundle('without.json', (copy) => (copy.anchors = []));
      expect(await audit(without)).toMatchObject({
        code: 0,
        anchoring: 'PENDING',
        outcomes: { external_anchor: 'SKIP', anchored: 'SKIP' },
      });
    },
    2 * DEADLINE_MS,
  );
});
