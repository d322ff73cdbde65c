import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, AnswerEvidence, type Options } from '../packages/sdk/src/index.ts';
import { type FakeModel, openFakeModel, SPOKEN } from '../packages/sdk/src/testing/fake-model.ts';
import { buildPackage } from '../tools/packages/build/build-package.ts';
import { until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { formatPackPart } from './support/pack-part.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 300_000;
/** What each program of the README prints. */
const PRINTED = [
  new RegExp(`^${SPOKEN}$`),
  new RegExp(`^${SPOKEN}\\n[0-9a-f-]{36} is bound to 1 access$`),
  /^corrected 1\n404 not_found \S+$/,
  /^0 answers wait$/,
];

let folder: string;
let service: TestService;
let model: FakeModel;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ae-sdk-'));
  [service, model] = await Promise.all([openTestService(), openFakeModel()]);
}, TIMEOUT_MS);

afterAll(async () => {
  await Promise.all([service.close(), model.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** An empty project with the tarball of a package, and beside it packages of others from this repository. */
async function install(name: string, others: readonly string[]): Promise<string> {
  const project = join(folder, name);
  const built = join(folder, 'built', name);
  await buildPackage(ROOT, `packages/${name}`, built);
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const from = [...others.map((other) => join(ROOT, 'node_modules', other)), join(folder, packed.stdout.trim())];
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...from], { cwd: project });
  return project;
}

/** Checks programs strictly, with the types of Node. */
async function checkTypes(project: string, files: readonly string[], skipLibCheck: boolean): Promise<void> {
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  const how = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const tsc = [join(ROOT, 'node_modules/tsc7/bin/tsc'), ...how, '--skipLibCheck', String(skipLibCheck)];
  await run(process.execPath, [...tsc, ...types, ...files], { cwd: project }).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
}

/** What programs need of their environment. */
function environmentOf() {
  return {
    PATH: process.env['PATH'],
    ANSWER_EVIDENCE_URL: service.baseUrl,
    ANSWER_EVIDENCE_TOKEN: service.managerToken,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'k',
  };
}

/** The programs that the README shows, in order. */
function readPrograms(project: string, name: string): readonly string[] {
  const readme = readFileSync(join(project, `node_modules/@answer-evidence/${name}/README.md`), 'utf8');
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
}

/** The Node of the repository, and an older one where the system has it. */
function listNodes(): readonly string[] {
  const isOld = (node: string) => {
    try {
      return /^v2[01]\./.test(execFileSync(node, ['--version'], { encoding: 'utf8' }));
    } catch {
      return false;
    }
  };
  return [process.execPath, ...['/usr/bin/node', '/usr/local/bin/node'].filter(isOld).slice(0, 1)];
}

describe('@answer-evidence/sdk, installed from its tarball outside the repository', () => {
  let project: string;
  beforeAll(async () => {
    project = await install('sdk', []);
  }, TIMEOUT_MS);

  it('brings nothing else with it', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['@answer-evidence']);
    expect(readFileSync(join(project, 'node_modules/@answer-evidence/sdk/LICENSE'), 'utf8')).toContain(
      'Apache License',
    );
  });

  it(
    'type-checks the programs of its README strictly, beside the library of the vendor',
    async () => {
      symlinkSync(join(ROOT, 'node_modules/openai'), join(project, 'node_modules/openai'));
      const files = readPrograms(project, 'sdk').map((text, n) => {
        writeFileSync(join(project, `readme-${n}.ts`), text);
        return `readme-${n}.ts`;
      });
      await checkTypes(project, files, true);
      // Our own declarations, too; those of the vendor are the vendor's.
      await checkTypes(project, files.slice(2), false);
    },
    TIMEOUT_MS,
  );

  it(
    'runs the programs of its README in each Node that is here, and leaves records that verify',
    async () => {
      expect(readPrograms(project, 'sdk')).toHaveLength(PRINTED.length);
      for (const [round, node] of listNodes().entries())
        for (const [n, text] of readPrograms(project, 'sdk').entries()) {
          // Each round has ids of its own, and an older Node is given no types.
          const program = text
            .replaceAll('msg-123', `msg-${round}`)
            .replace('messageId: string, question: string', 'messageId, question');
          writeFileSync(join(project, `readme-${n}.js`), program);
          const { stdout, stderr } = await run(node, ['--no-warnings', `readme-${n}.js`], {
            cwd: project,
            env: environmentOf(),
          });
          expect(stdout.trim()).toMatch(PRINTED[n] ?? /nothing/);
          expect(stderr).toBe('');
        }
      const list = await service.call('GET', '/api/answer-audit-logs?application_key=support-bot');
      expect(list.body.items).toHaveLength(PRINTED.length * listNodes().length);
      for (const { id } of list.body.items) {
        const { body } = await service.call('GET', `/api/answer-audit-logs/${id}/ledger/verify`);
        expect(body.checks.filter((check: { outcome: string }) => check.outcome === 'FAIL')).toEqual([]);
      }
      const record = await service.call('GET', `/api/answer-audit-logs/${list.body.items[0].id}`);
      expect(record.body.question.text).toBe('Where is the reply to [email]?');
    },
    TIMEOUT_MS,
  );
});

describe('@answer-evidence/otel, installed from its tarball beside OpenTelemetry', () => {
  it(
    'records the answers of its README over OTLP',
    async () => {
      const others = ['api', 'resources', 'sdk-trace', 'exporter-trace-otlp-proto'].map(
        (name) => `@opentelemetry/${name}`,
      );
      const project = await install('otel', others);
      const [program = ''] = readPrograms(project, 'otel');
      writeFileSync(join(project, 'readme.ts'), program.replaceAll('msg-123', 'msg-otel'));
      await checkTypes(project, ['readme.ts'], true);
      writeFileSync(join(project, 'readme.js'), program.replaceAll('msg-123', 'msg-otel'));
      await run(process.execPath, ['readme.js'], { cwd: project, env: environmentOf() });
      const answers = async () => {
        const { body } = await service.call('GET', '/api/answer-audit-logs?size=2');
        const ids = body.items.map(({ id }: { id: string }) => id);
        const records = await Promise.all(ids.map((id: string) => service.call('GET', `/api/answer-audit-logs/${id}`)));
        return new Map(records.map(({ body: { answer, ...record } }) => [answer.text, record]));
      };
      await until('the answer of the library is recorded', async () => (await answers()).has('Yes.'), 60_000);
      expect((await answers()).get('30 days.')).toMatchObject({
        idempotency_key: 'msg-otel',
        question: { text: 'How long can I return a jacket?' },
        source_refs: [expect.objectContaining({ source_name: 'returns.md' })],
        actor_id_hash: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
      });
    },
    TIMEOUT_MS,
  );
});

describe('@answer-evidence/cli, installed from its tarball', () => {
  const PASSWORD = 'a password of the tests';

  it(
    'runs the commands of its README: one signs in, one reads, the others verify what was sent',
    async () => {
      const project = await install('cli', []);
      const made = await service.call('POST', '/api/members', { body: { username: 'anna', role: 'member' } });
      const body = { secret: made.body.password_link.secret, password: PASSWORD };
      expect((await service.call('POST', '/api/auth/password', { token: null, body })).status).toBe(200);
      for (const [from, to] of [
        ['bundles/plain.json', 'bundle.json'],
        ['trust/trust.json', 'trust.json'],
        ['receipts/plain.tlog-proof', 'receipt.tlog-proof'],
        ['receipts/plain.entry', 'entry.json'],
        ['runs/run-2.proof.json', 'proof.json'],
        ['runs/references-2.jsonl', 'list.jsonl'],
        ['runs/run-2.records.jsonl', 'records.jsonl'],
        ['tlog', 'copy-of-the-log'],
      ] as const)
        cpSync(join(ROOT, 'e2e/frozen/v1', from), join(project, to), { recursive: true });
      writeFileSync(join(project, 'pack.html'), createPack(project));
      const { logs } = JSON.parse(readFileSync(join(project, 'trust.json'), 'utf8')) as {
        logs: readonly { readonly keys: readonly { readonly vkey: string }[] }[];
      };
      const readme = readFileSync(join(project, 'node_modules/@answer-evidence/cli/README.md'), 'utf8');
      const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text);
      const script = blocks.join('').replaceAll('https://evidence.example', service.baseUrl);
      // The package is in no registry, and is installed already.
      const installed = `set -euo pipefail; npm() { [ "$*" = 'install --global @answer-evidence/cli' ]; }\n`;
      const running = run('bash', ['-c', installed + script], {
        cwd: project,
        env: {
          PATH: `${join(project, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
          HOME: project,
          VKEY: logs[0]?.keys[0]?.vkey,
        },
      });
      running.child.stdin?.end(`anna\n${PASSWORD}\n`);
      const { stdout } = await running;
      expect(stdout).toMatch(/anna.*\bcreated +id +application\b.*Usage: answer-evidence records/is);
      // Of the bundle, the pack and its one bundle, the log, the receipt and the run.
      expect(stdout.match(/\b0 FAIL\b/g)).toHaveLength(6);
      expect(stdout).not.toContain(PASSWORD);
    },
    TIMEOUT_MS,
  );
});

/** The parts of a pack with the bundle and the trust file of a folder. */
function createPack(folder: string): string {
  const [bundle, trust] = ['bundle.json', 'trust.json'].map((name) => readFileSync(join(folder, name), 'utf8')) as [
    string,
    string,
  ];
  const { origin } = JSON.parse(bundle) as { readonly origin: string };
  const made_at = '2026-11-22T21:30:00.000000Z';
  const pack = { format: 'answer-evidence-pack/v1', made_at, origin, bundles: ['bundle-1'] };
  return (
    formatPackPart('pack', JSON.stringify(pack)) + formatPackPart('trust', trust) + formatPackPart('bundle-1', bundle)
  );
}

describe('every operation of the SDK, against this service', () => {
  const at = () => new Date().toISOString();
  const opened: AnswerEvidence[] = [];
  afterAll(async () => {
    for (const evidence of opened) await evidence.close(0);
  });

  /** A client of an application of its own, whose receipts are verified. */
  async function open(options: Partial<Options> = {}): Promise<AnswerEvidence> {
    const { body } = await service.call('GET', '/api/trust/keys');
    const keys = body.items.map(({ vkey, first_tree_size, last_tree_size }: Record<string, unknown>) => {
      return { vkey, first_tree_size, last_tree_size };
    });
    const format = 'answer-evidence-trust/v1' as const;
    const logs = [{ origin: body.origin, keys }];
    const trust = { format, logs, witness_policy: null, tsa_roots: [], anchors: [], anchors_required: 0 };
    const evidence = new AnswerEvidence({
      application: `app-${randomUUID()}`,
      url: service.baseUrl,
      token: service.managerToken,
      fail: 'closed',
      trust,
      ...options,
    });
    opened.push(evidence);
    return evidence;
  }
  const recorded = async (evidence: AnswerEvidence, answer: Partial<Answer> = {}) =>
    (await evidence.record({ question: 'How long?', answer: '30 days.', ...answer })).recorded;

  it(
    'corrects, voids and redacts, each once, with every receipt verified',
    async () => {
      const evidence = await open();
      const asset = await evidence.upload({ name: 'terms.md', bytes: Buffer.from('# Terms\n\n30 days.\n') });
      const record = await evidence.scope({ idempotency_key: 'msg-1' }, async () => {
        await evidence.retrieve(asset.id);
        return recorded(evidence);
      });
      const once = { reason: 'the policy changed', idempotencyKey: 'event-1' };
      expect((await evidence.correct(record.id, '14 days.', once)).status).toBe('corrected');
      expect((await evidence.correct(record.id, '14 days.', once)).events).toHaveLength(1);
      await expect(evidence.correct(record.id, '7 days.', once)).rejects.toMatchObject({
        name: 'ProblemError',
        status: 409,
        code: 'idempotency_payload_mismatch',
      });
      const [source] = record.source_refs as { source_ref_id: string }[];
      const redacted = await evidence.redact(record.id, {
        reasonCode: 'privacy',
        sourceRefIds: [source?.source_ref_id ?? ''],
      });
      expect(redacted).toMatchObject({ status: 'redacted', question: { text: null }, answer: { text: null } });
      expect(redacted.erasure).not.toBeNull();
      const other = await recorded(evidence);
      expect((await evidence.void(other.id, { reason: 'sent to the wrong person' })).status).toBe('voided');
      await expect(evidence.correct(other.id, 'too late')).rejects.toMatchObject({ name: 'ProblemError', status: 409 });
      const listed: string[] = [];
      for await (const { id } of evidence.list({}, 1)) listed.push(id);
      expect(listed).toEqual([other.id, record.id]);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps evidence, hands it out whole and in parts, and reconciles',
    async () => {
      const evidence = await open();
      const path = join(folder, 'hours.md');
      writeFileSync(path, 'Open on Sunday.');
      const asset = await evidence.upload(path, { attributes: { edition: 3 } });
      expect(asset).toMatchObject({ name: 'hours.md', application_key: evidence.application });
      const bytes = async (range?: { offset: number; length: number }) =>
        Buffer.concat(
          await collect(await evidence.download(asset.id, range === undefined ? {} : { range })),
        ).toString();
      expect([await bytes(), await bytes({ offset: 8, length: 6 })]).toEqual(['Open on Sunday.', 'Sunday']);
      const record = await recorded(evidence, { idempotency_key: 'msg-1' });
      const passages = await evidence.register({ segments: ['Closed on Monday.'] }, { recordId: record.id });
      expect((await evidence.retrieve(passages.id)).segments).toMatchObject([{ text: 'Closed on Monday.' }]);
      const run = await evidence.reconcile({
        window_start: record.created_at,
        window_end: at(),
        match_on: 'idempotency_key',
        references: ['msg-1', 'msg-2'].map((id) => ({ reference_id: id, occurred_at: record.created_at })),
      });
      expect(run).toMatchObject({ status: 'completed', counts: { matched: 1, missing_service: 1 } });
      await expect(evidence.download(randomUUID())).rejects.toMatchObject({ name: 'ProblemError', code: 'not_found' });
    },
    TIMEOUT_MS,
  );

  it(
    'makes evidence packs, with the texts and without',
    async () => {
      const evidence = await open();
      const { id } = await recorded(evidence, { answer: 'A text of the pack.' });
      const textOf = async (more?: { withholdTexts: boolean }) =>
        Buffer.from(await evidence.pack([id], more)).toString();
      const [whole, withheld] = [await textOf(), await textOf({ withholdTexts: true })];
      for (const pack of [whole, withheld]) expect(pack).toMatch(/^<!doctype html>/);
      expect([whole, withheld].map((pack) => pack.includes('A text of the pack.'))).toEqual([true, false]);
      await expect(evidence.pack([randomUUID()])).rejects.toMatchObject({ name: 'ProblemError', code: 'not_found' });
    },
    TIMEOUT_MS,
  );

  it('says what is wrong: a token, the trust file of another workspace, a file that is none', async () => {
    const wrong = await open({ token: 'aeu_wrong.token' });
    const refused: unknown = await recorded(wrong).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'ProblemError', status: 401 });
    expect(String(refused)).not.toContain('aeu_wrong');
    const other = await open({ trust: join(ROOT, 'e2e/frozen/v1/trust/trust.json') });
    await expect(recorded(other)).rejects.toMatchObject({ name: 'VerificationError', code: 'receipt_untrusted' });
    const page = join(folder, 'page.html');
    writeFileSync(page, '<h1>Log in</h1>');
    await expect(open({ trust: page })).rejects.toMatchObject({ name: 'ConfigurationError' });
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
