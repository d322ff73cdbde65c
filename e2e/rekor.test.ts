import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CheckResult, ProofBundle, RekorEntry, TrustFile, Verification } from '@answer-evidence/contracts';
import { canonicalize, formatBase64, parseBase64, utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import {
  describeWithLogs,
  openRekorServer,
  type RekorServer,
  VERIFY_ENTRY,
} from '../tools/foreign-tools/public-logs.ts';
import { run as runProgram } from '../tools/foreign-tools/python-tools.ts';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { runPythonVerifier } from './independent-verifier/python-verifier.ts';

const DEADLINE_MS = 180_000;

let folder: string;
let service: TestService;
let log: RekorServer;

const at = (name: string) => join(folder, name);

/** A command that has to succeed, with what it printed as JSON. */
async function run(...args: readonly string[]): Promise<any> {
  const { code, stdout, stderr } = await runCliCommand(['--output', 'json', ...args], service);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code}\n${stderr}\n${stdout}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

async function record(question: string): Promise<{ readonly id: string; readonly ledger: { leaf_index: number } }> {
  const texts = ['--question-text', question, '--answer-text', 'Two years.'];
  return await run('records', 'create', '--application', 'support-bot', ...texts);
}

/** The attempts at the newest round of the anchor, once there is one in this state over the leaf. */
async function untilAnchor(state: 'confirmed' | 'pending', leafIndex: number): Promise<readonly any[]> {
  let attempts: readonly any[] = [];
  await run('trust', 'anchor', 'run');
  await until(
    `an anchor that is ${state}`,
    async () => {
      const { items } = await run('trust', 'anchor', 'list');
      const found = items.find((item: any) => item.state === state && item.tree_size > leafIndex);
      attempts = found?.attempts ?? [];
      return attempts.length > 0;
    },
    DEADLINE_MS / 2,
  );
  return attempts;
}

type Outcomes = Readonly<Record<string, string>>;

/** What both verifiers come to. They must agree. */
async function verify(bundle: string, trust: string): Promise<{ readonly outcomes: Outcomes; readonly window: any }> {
  const { stdout } = await runCliCommand(['--output', 'json', 'verify', at(bundle), '--trust', at(trust)], service);
  const { checks, sequenced } = JSON.parse(stdout) as Verification;
  const outcomes = Object.fromEntries(checks.map(({ check, outcome }: CheckResult) => [check, outcome]));
  const python = runPythonVerifier(['bundle', at(bundle), at(trust)]).stdout;
  for (const check of ['external_anchor', 'anchored'])
    expect(python).toMatch(new RegExp(`${outcomes[check] ?? 'nothing'} +${check}\\b`));
  return { outcomes, window: sequenced };
}

async function alter(from: string, to: string, change: (entry: any) => void): Promise<void> {
  const bundle = JSON.parse(await readFile(at(from), 'utf8')) as ProofBundle;
  const entry = entryOf(bundle);
  change(entry);
  const anchors = bundle.anchors.map((anchor) => ({ ...anchor, artefact: formatBase64(utf8(canonicalize(entry))) }));
  await writeFile(at(to), JSON.stringify({ ...bundle, anchors }));
}

function entryOf({ anchors: [anchor] }: ProofBundle): RekorEntry {
  return JSON.parse(new TextDecoder().decode(parseBase64(anchor?.artefact ?? ''))) as RekorEntry;
}

/** What Sigstore's own verifier says of the entry of a bundle, over an artefact. */
async function judgeBySigstore(bundle: ProofBundle, artefact: string) {
  const entry = entryOf(bundle);
  const { spec } = JSON.parse(new TextDecoder().decode(parseBase64(entry.canonicalizedBody)));
  const { data, signature } = spec.hashedRekordV002;
  const key = Buffer.from(signature.verifier.publicKey.rawBytes, 'base64');
  const pem = createPublicKey({ key, format: 'der', type: 'spki' }).export({ type: 'spki', format: 'pem' });
  const shown = {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: 'the key of the entry' }, tlogEntries: [entry] },
    messageSignature: { messageDigest: data, signature: signature.content },
  };
  await writeFile(at('root.json'), log.trustedRoot);
  await writeFile(at('sigstore.json'), JSON.stringify(shown));
  await writeFile(at('key.pem'), pem);
  await writeFile(at('artefact'), artefact);
  return await runProgram(VERIFY_ENTRY, [at('root.json'), at('sigstore.json'), at('key.pem'), at('artefact')], {});
}

describeWithLogs('an anchor in a log of Rekor v2', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'answer-evidence-rekor-'));
    log = await openRekorServer();
    service = await openTestService();
  }, DEADLINE_MS);
  afterAll(async () => {
    await service.close();
    await log.close();
    await rm(folder, { recursive: true, force: true });
  }, DEADLINE_MS);

  it(
    'is an entry that both verifiers and sigstore-go accept offline, states no time, and outlives its log',
    async () => {
      const anchor = { id: 'rekor', type: 'rekor', url: log.url, log_keys: log.trustedRoot, required: true };
      await writeFile(at('policy.json'), JSON.stringify({ anchors: [anchor], anchors_required: 1 }));
      expect((await service.call('POST', '/api/trust/anchors/test', { body: anchor })).body).toMatchObject({
        outcome: 'works',
        detail: expect.stringContaining('has 0 entries'),
        stated_at: null,
      });
      await run('trust', 'policy', 'set', 'checkpoint_interval_seconds=1', '--file', at('policy.json'));
      const first = await record('How long is the warranty?');
      const [attempt] = await untilAnchor('confirmed', first.ledger.leaf_index);
      expect(attempt).toMatchObject({
        outcome: 'confirmed',
        detail: expect.stringMatching(/^entry \d+ of the log 127/),
      });
      await runCliCommand(['trust', 'proof', first.id, '--out', at('bundle.json')], service);
      await runCliCommand(['trust', 'export', '--out', at('trust.json')], service);

      const { outcomes, window } = await verify('bundle.json', 'trust.json');
      expect(outcomes).toMatchObject({ external_anchor: 'PASS', anchored: 'PASS' });
      expect(window).toMatchObject({ not_later_than: null, not_later_than_by: [] });

      const bundle = JSON.parse(await readFile(at('bundle.json'), 'utf8')) as ProofBundle;
      const { text } = parseNote(bundle.checkpoint);
      expect(await judgeBySigstore(bundle, text)).toEqual({ code: 0, output: 'verified\n' });
      expect(await judgeBySigstore(bundle, `${text}1`)).toMatchObject({ code: 1 });

      await alter('bundle.json', 'other-place.json', (entry) => {
        entry.logIndex = '7';
        entry.inclusionProof.logIndex = '7';
      });
      expect((await verify('other-place.json', 'trust.json')).outcomes).toMatchObject({ external_anchor: 'FAIL' });
      const trust = JSON.parse(await readFile(at('trust.json'), 'utf8')) as TrustFile;
      const byVkey = trust.anchors?.map((one) => ({ ...one, log_keys: `${log.vkey}\n` }));
      await writeFile(at('by-vkey.json'), JSON.stringify({ ...trust, anchors: byVkey }));
      expect((await verify('bundle.json', 'by-vkey.json')).outcomes).toMatchObject({ anchored: 'PASS' });

      await log.retire();
      const second = await record('And after the shard has retired?');
      const [refused] = await untilAnchor('pending', second.ledger.leaf_index);
      expect(refused).toMatchObject({ outcome: 'failed', detail: expect.stringMatching(/^the log is retired/) });
      expect((await verify('bundle.json', 'trust.json')).outcomes).toMatchObject({ anchored: 'PASS' });
    },
    DEADLINE_MS,
  );
});
