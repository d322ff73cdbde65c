import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BundleAnchor, JsonValue, TrustFile } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import { formatTimestampRequest } from '@answer-evidence/rfc3161';
import { openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { createSignedBundle } from '../apps/cli/src/testing/signed-bundle.ts';
import { createSignedRun } from '../apps/cli/src/testing/signed-run.ts';
import { runMonitor as runCliAlone } from '../tools/scenery/service-process.ts';
import { describeWithTools, runPythonVerifier } from './independent-verifier/python-verifier.ts';

const DEADLINE_MS = 120_000;

let folder: string;
let authority: TestAuthority;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-invented-'));
  authority = await openTestAuthority();
}, DEADLINE_MS);

afterAll(async () => {
  await authority.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const write = (name: string, value: unknown) =>
  writeFile(at(name), typeof value === 'string' ? value : JSON.stringify(value));

/** An honest authority stamps whatever it is asked to, so it stamps the checkpoint of an invented log too. */
async function stamp(checkpoint: string): Promise<BundleAnchor> {
  const digest = sha256(utf8(parseNote(checkpoint).text));
  const nonce = new Uint8Array(16).fill(7);
  const token = await authority.stamp(formatTimestampRequest({ digest, nonce }));
  return { anchor_id: 'authority', type: 'rfc3161', artefact: formatBase64(token) };
}

/** The trust files of a reader who demands the authority, by what they say of logs; `own` believes the inventor. */
function trustFiles(own: TrustFile, honest: TrustFile): Readonly<Record<string, JsonValue>> {
  const { url: _, rootPem } = authority;
  const anchors = [{ anchor_id: 'authority', type: 'rfc3161', required: true, certificate_pem: rootPem }];
  const demanding = { ...own, anchors, anchors_required: 1 } as unknown as { readonly [member: string]: JsonValue };
  const elsewhere = honest.logs.map((log) => ({ ...log, origin: 'elsewhere.example/demo/00000000' }));
  const { logs: _logs, ...withoutLogs } = demanding;
  return {
    'own.json': demanding,
    'other-key.json': { ...demanding, logs: honest.logs },
    'other-log.json': { ...demanding, logs: elsewhere },
    'no-logs.json': { ...demanding, logs: [] },
    'without-logs.json': withoutLogs,
  };
}

async function verify(args: readonly string[]) {
  const { code, stdout, stderr } = await runCliAlone(args, folder);
  const outcomes = [...stdout.matchAll(/^(PASS|FAIL|SKIP|NA) +(\w+)$/gm)].map(([, outcome, name]) => [name, outcome]);
  return { code, stdout, stderr, outcomes: Object.fromEntries(outcomes) as Record<string, string> };
}

function verifyByPython(args: readonly string[]) {
  const { status, stdout } = runPythonVerifier(args);
  return { status, isAnchored: /^PASS +anchored$/m.test(stdout) };
}

const JUDGED = ['checkpoint_signature', 'external_anchor', 'anchored'] as const;

describeWithTools('a log that somebody invented under an origin, and had time-stamped', () => {
  type Case = { readonly ours: (trust: string) => string[]; readonly theirs: (trust: string) => string[] };
  async function prepare(kind: 'bundle' | 'run'): Promise<Case> {
    if (kind === 'bundle') {
      const [invented, honest] = [createSignedBundle(), createSignedBundle()];
      await write('bundle.json', { ...invented.bundle, anchors: [await stamp(invented.bundle.checkpoint)] });
      for (const [name, trust] of Object.entries(trustFiles(invented.trust, honest.trust))) await write(name, trust);
      return {
        ours: (trust) => ['verify', at('bundle.json'), '--trust', at(trust)],
        theirs: (trust) => ['bundle', at('bundle.json'), at(trust)],
      };
    }
    const [invented, honest] = [createSignedRun(), createSignedRun()];
    await write('proof.json', { ...invented.proof, anchors: [await stamp(invented.proof.checkpoint)] });
    await write('list.csv', invented.referencesCsv);
    await write('records.jsonl', invented.recordsJsonl);
    await write('references', invented.referenceLines);
    for (const [name, trust] of Object.entries(trustFiles(invented.trust, honest.trust))) await write(name, trust);
    const list = ['--references', at('list.csv'), '--columns', 'reference_id=id,occurred_at=at'];
    return {
      ours: (trust) => [
        ...['reconcile', 'verify', at('proof.json'), '--records', at('records.jsonl'), '--trust', at(trust)],
        ...list,
      ],
      theirs: (trust) => ['run', at('proof.json'), at('references'), at('records.jsonl'), at(trust)],
    };
  }

  it.each(['bundle', 'run'] as const)(
    'is never ANCHORED for a reader who does not pin its key: %s',
    async (kind) => {
      const { ours, theirs } = await prepare(kind);
      // The stamp is real: only who signed the log makes the difference.
      const believed = await verify(ours('own.json'));
      expect(believed).toMatchObject({ code: 0, outcomes: Object.fromEntries(JUDGED.map((name) => [name, 'PASS'])) });
      expect(verifyByPython(theirs('own.json'))).toEqual({ status: 0, isAnchored: true });

      for (const trust of ['other-key.json', 'other-log.json']) {
        const { code, stdout, outcomes } = await verify(ours(trust));
        expect({ trust, code, outcomes }).toMatchObject({
          trust,
          code: 1,
          outcomes: { checkpoint_signature: 'FAIL', external_anchor: 'PASS', anchored: 'FAIL' },
        });
        expect(stdout).not.toMatch(/(?<!NOT_)ANCHORED/);
        expect(stdout).toContain('pin used');
        expect(stdout).toMatch(/^pin used +none$/m);
        expect(verifyByPython(theirs(trust))).toEqual({ status: 1, isAnchored: false });
      }

      for (const trust of ['no-logs.json', 'without-logs.json']) {
        const { code, stdout, stderr } = await verify(ours(trust));
        expect({ trust, code, stdout }).toEqual({ trust, code: 2, stdout: '' });
        expect(stderr).toMatch(/is not a trust file: \/logs/);
        expect(verifyByPython(theirs(trust))).toEqual({ status: 2, isAnchored: false });
      }
    },
    DEADLINE_MS,
  );
});
