import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DEFAULT_TRUST_POLICY } from '@answer-evidence/contracts';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import { verifyBundle, verifyReceipt } from '@answer-evidence/verify';
import { postgresPidsOf, refuseStart, runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-recover-'));
  dataDir = join(folder, 'data');
  await copyReadyData(dataDir);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What was signed, by log and size: two roots at one place are two histories. */
const signed = new Map<string, string>();

function noteSigned(checkpoint: string): void {
  const { origin, size, root } = parseCheckpoint(parseNote(checkpoint).text);
  const place = `${origin} ${size}`;
  const before = signed.get(place);
  expect([place, before ?? Buffer.from(root).toString('hex')]).toEqual([place, Buffer.from(root).toString('hex')]);
  signed.set(place, Buffer.from(root).toString('hex'));
}

type Call = (method: string, path: string, body?: object) => Promise<any>;

/** Runs the service for as long as the action takes. */
async function whileRunning<T>(action: (call: Call, service: TestService) => Promise<T>): Promise<T> {
  const service = await openTestService({ share: { databaseUrl: '', dataDir } });
  const call: Call = async (method, path, sent) => {
    const { status, body, text } = await service.call(method, path, sent === undefined ? {} : { body: sent });
    if (body === undefined) return text;
    if (typeof body.receipt === 'string') noteSigned(parseTlogProof(body.receipt).checkpoint);
    return { ...body, status_code: status };
  };
  try {
    return await action(call, service);
  } finally {
    await service.close();
  }
}

const RECORDS = '/api/answer-audit-logs';

function record(call: Call, question: string): Promise<any> {
  return call('POST', RECORDS, {
    application_key: 'support-bot',
    question: { text: question },
    answer: { text: `about ${question}` },
    source_refs: [{ source_ref_id: 'faq', source_name: 'faq.md' }],
  });
}

function redact(call: Call, id: string): Promise<any> {
  const payload = { reason_code: 'privacy', redact_source_ref_ids: ['faq'] };
  return append(call, id, { event_type: 'redacted', payload });
}

function append(call: Call, id: string, event: object): Promise<any> {
  return call('POST', `${RECORDS}/${id}/events`, event);
}

/** Copies with owners and modes, which PostgreSQL asks for. */
function copy(from: string, to: string): void {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

async function restore(name: string): Promise<void> {
  await rm(join(dataDir, 'postgres'), { recursive: true });
  copy(join(folder, name), join(dataDir, 'postgres'));
}

async function refusal(): Promise<string> {
  const refused = await refuseStart({ dataDir });
  expect(postgresPidsOf(dataDir)).toEqual([]);
  return refused;
}

/** The paths of the kept heads, oldest name of the log first, and of each name by size. */
async function headPaths(): Promise<readonly string[]> {
  const [workspaceId = ''] = await readdir(join(dataDir, 'heads'));
  const folder = join(dataDir, 'heads', workspaceId);
  const names = (await readdir(folder)).filter((name) => name.startsWith('head-'));
  return names.sort().map((name) => join(folder, name));
}

async function headFile(): Promise<any> {
  return JSON.parse(await readFile((await headPaths()).at(-1) ?? '', 'utf8'));
}

/** The last heads of the names that the log had before. */
async function endedHeads(): Promise<readonly any[]> {
  const heads = await Promise.all((await headPaths()).map(async (path) => JSON.parse(await readFile(path, 'utf8'))));
  return heads.filter(({ origin }, index) => heads[index + 1] !== undefined && heads[index + 1].origin !== origin);
}

/** The key in a vkey, whatever the name of its log. */
function keyOf(vkey: string): string {
  return vkey.split('+')[2] ?? '';
}

/** The bundle of a record, once it is at a checkpoint that both keys signed. */
async function bundleByBoth(call: Call, id: string): Promise<any> {
  let bundle: any;
  await until(`a checkpoint by both keys with ${id}`, async () => {
    bundle = await call('GET', `/api/trust/proofs/answers/${id}`);
    delete bundle.status_code;
    return typeof bundle.checkpoint === 'string' && parseNote(bundle.checkpoint).signatures.length === 2;
  });
  return bundle;
}

function recover() {
  return runOperatorCommand(['ledger-recover'], { dataDir });
}

describe('a database that was restored from a backup', () => {
  it(
    'is refused, and after a recovery goes on under another name, with what had been redacted redacted again',
    async () => {
      const first = await whileRunning(async (call) => {
        // The places below count what is recorded, and not who reads it.
        await call('PATCH', '/api/tenant/settings', { answer_audit_reading_rule: 'open' });
        return {
          kept: await record(call, 'what is kept'),
          secret: await record(call, 'what is redacted later').then(({ id }) =>
            append(call, id, { event_type: 'retention_extended', reason: 'a customer called' }),
          ),
          trust: await call('GET', '/api/trust/keys'),
        };
      });
      // At a stop the last head is kept, and not only each second.
      expect((await headFile()).tree_size).toBeGreaterThan(first.secret.ledger.leaf_index);
      copy(join(dataDir, 'postgres'), join(folder, 'backup'));
      const size = (await headFile()).tree_size;

      const second = await whileRunning(async (call) => {
        const lost = await record(call, 'what is lost');
        const { events } = await redact(call, first.secret.id);
        // A database that loses both has lost the event that the second one names.
        const payload = { redact_event_ids: events.map((event: any) => event.id) };
        await append(call, first.secret.id, { event_type: 'redacted', reason: 'by order', payload });
        await redact(call, lost.id);
        return { lost, kept: await call('GET', `${RECORDS}/${first.kept.id}`) };
      });
      const before = await headFile();
      expect(before.tree_size).toBe(size + 4);
      copy(join(dataDir, 'postgres'), join(folder, 'newest'));

      await restore('backup');
      expect(await refusal()).toMatch(/holds \d+ entries, but \d+ were signed.*ledger-recover/);
      const recovered = await recover();
      expect([recovered.code, recovered.stdout.split('\n')]).toEqual([
        0,
        [
          expect.stringMatching(`^demo: the log continues as \\S+/demo/[0-9a-f]{8} from entry ${size}$`),
          `  under ${before.origin} nothing more is signed; receipts under that name remain valid`,
          expect.stringContaining(`entries ${size} to ${size + 3}, and any signed after them, are lost`),
          'demo: 2 redactions were applied again; 1 concerned lost records',
        ],
      ]);
      const after = await headFile();
      expect(after.origin).not.toBe(before.origin);
      expect(await endedHeads()).toEqual([before]);

      await whileRunning(async (call) => {
        expect(await call('GET', `${RECORDS}/${first.secret.id}`)).toMatchObject({
          status: 'redacted',
          answer: { text: null, text_state: 'redacted' },
          source_refs: [{ tombstone: { reason_code: 'privacy' } }],
          events: [
            { reason: null, reason_tombstone: { reason_code: 'privacy' } },
            { actor: { id: 'recovery' }, erasure: expect.anything() },
            { actor: { id: 'recovery' }, reason: null },
          ],
        });
        expect(await call('GET', `${RECORDS}/${second.lost.id}`)).toMatchObject({ status_code: 404 });
        const more = await record(call, 'what comes after');
        expect(more.ledger).toMatchObject({ origin: after.origin, leaf_index: size + 3 });
        const verified = await call('GET', `${RECORDS}/${first.kept.id}/ledger/verify`);
        expect(verified.checks.filter((check: any) => check.outcome === 'FAIL')).toEqual([]);

        // Anyone who has a receipt from before has a good one, also for what the database has lost.
        const keys = await call('GET', '/api/trust/keys');
        expect([keys.origin, keys.earlier.map((log: any) => log.origin)]).toEqual([after.origin, [before.origin]]);
        for (const created of [first.kept, first.secret, second.lost])
          expect(
            await verifyReceipt(created.receipt, created.ledger.entry, [first.trust.items[0].vkey], verifySignature),
          ).toMatchObject([{ outcome: 'PASS' }, { outcome: 'PASS' }, { outcome: 'PASS' }]);
        const bundle = await call('GET', `/api/trust/proofs/answers/${first.kept.id}`);
        delete bundle.status_code;
        const pins = keys.items.map(({ vkey }: any) => ({ vkey, first_tree_size: 0, last_tree_size: null }));
        const trust = {
          format: 'answer-evidence-trust/v1' as const,
          logs: [{ origin: keys.origin, keys: pins }, ...keys.earlier],
          witness_policy: null,
          tsa_roots: [],
        };
        for (const receipt of [first.kept.receipt, second.kept.receipt]) {
          const { checks } = await verifyBundle(bundle, trust, { verifySignature, receipt });
          expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
          expect(checks.find(({ check }) => check === 'receipt')).toMatchObject({
            outcome: 'SKIP',
            detail: expect.stringContaining('an earlier name of the log'),
          });
        }
      });
      const checked = await runOperatorCommand(['ledger-check'], { dataDir });
      expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
      expect(await recover()).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to recover') });
    },
    5 * MINUTES_MS,
  );

  it(
    'is refused also when it is the very one that was lost, because the log goes on elsewhere; and can be recovered once more',
    async () => {
      const known = await headFile();
      await restore('newest');
      expect(await refusal()).toContain(`but the last signed log is ${known.origin}`);
      const again = await recover();
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('nothing more is signed')]);
      const head = await headFile();
      expect(await endedHeads()).toHaveLength(2);
      await whileRunning(async (call) => {
        expect((await record(call, 'a third name')).ledger.origin).toBe(head.origin);
      });
      const checked = await runOperatorCommand(['ledger-check'], { dataDir });
      expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
    },
    4 * MINUTES_MS,
  );

  it(
    'stays refused when a recovery is cut off after the log has its new name, until it is run again',
    async () => {
      await restore('backup');
      expect((await recover()).code).toBe(0);
      copy(join(dataDir, 'heads'), join(folder, 'heads-after'));
      // As a kill leaves it between the entry in the database and the head outside.
      const after = await headFile();
      await rm((await headPaths()).at(-1) ?? '');
      expect(await refusal()).toContain('but the last signed log is');
      const resumed = await recover();
      expect([resumed.code, resumed.stdout]).toEqual([0, expect.not.stringContaining('continues as')]);
      expect(await headFile()).toEqual(after);
      await whileRunning(async (call, service) => {
        const running = await recover();
        expect([running.code, running.stderr]).toEqual([
          2,
          expect.stringContaining('a process of the service is running'),
        ]);
        expect(service.reports.filter((line) => line.startsWith('fatal'))).toEqual([]);
        await record(call, 'and on');
      });
    },
    4 * MINUTES_MS,
  );

  it(
    'signs by new keys of ML-DSA-44 under its new name, where it signed by both',
    async () => {
      const before = await whileRunning(async (call) => {
        const policy = { ...DEFAULT_TRUST_POLICY, checkpoint_interval_seconds: 1, log_signatures: 'hybrid' };
        expect((await call('PUT', '/api/trust/policy', policy)).status_code).toBe(200);
        const { id } = await record(call, 'by both keys');
        return { id, bundle: await bundleByBoth(call, id), keys: await call('GET', '/api/trust/keys') };
      });
      copy(join(dataDir, 'postgres'), join(folder, 'hybrid'));
      await whileRunning((call) => record(call, 'what is lost again'));
      await restore('hybrid');
      expect(await refusal()).toContain('ledger-recover');
      expect((await recover()).code).toBe(0);
      await whileRunning(async (call) => {
        const { id } = await record(call, 'by both keys of the new name');
        // The key of ML-DSA-44 is made before the next checkpoint, and not before the service responds.
        const later = [await bundleByBoth(call, id), await bundleByBoth(call, before.id)];
        const keys = await call('GET', '/api/trust/keys');
        const live = keys.items.filter(({ state }: any) => state === 'active');
        expect(live.map(({ algorithm }: any) => algorithm).sort()).toEqual(['ed25519', 'ml-dsa-44']);
        const known = new Set(before.keys.items.map(({ vkey }: any) => keyOf(vkey)));
        expect(live.map(({ vkey, algorithm }: any) => [algorithm, known.has(keyOf(vkey))]).sort()).toEqual([
          ['ed25519', true],
          ['ml-dsa-44', false],
        ]);
        const pins = keys.items.map(({ vkey, first_tree_size, last_tree_size }: any) => {
          return { vkey, first_tree_size, last_tree_size };
        });
        const trust = {
          format: 'answer-evidence-trust/v1' as const,
          logs: [{ origin: keys.origin, keys: pins }, ...keys.earlier],
          witness_policy: null,
          tsa_roots: [],
        };
        // What was made before the loss, and what is made after it, of old records and new ones.
        for (const bundle of [before.bundle, ...later]) {
          const { checks } = await verifyBundle(bundle, trust, { verifySignature });
          expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
          expect(checks.find(({ check }) => check === 'checkpoint_signature')).toMatchObject({ outcome: 'PASS' });
        }
        for (const bundle of later) {
          const [text = '', lines = ''] = bundle.checkpoint.split('\n\n');
          const altered = [...lines.trimEnd().split('\n').slice(0, 1), ''].join('\n');
          const { checks } = await verifyBundle({ ...bundle, checkpoint: `${text}\n\n${altered}` }, trust, {
            verifySignature,
          });
          expect(checks.find(({ check }) => check === 'checkpoint_signature')).toMatchObject({ outcome: 'FAIL' });
        }
      });
      const checked = await runOperatorCommand(['ledger-check'], { dataDir });
      expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
    },
    4 * MINUTES_MS,
  );

  it('never signed two trees of one name and size', () => {
    expect(signed.size).toBeGreaterThan(6);
    expect(new Set([...signed.keys()].map((place) => place.split(' ')[0])).size).toBeGreaterThan(1);
  });
});

describe('an entry that gives the log another name', () => {
  it(
    'is named by the ledger check when the row says otherwise',
    async () => {
      await whileRunning(async (call) => {
        await record(call, 'before the change');
        const url = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
        const client = new pg.Client({ connectionString: url });
        // A failure here ends the server before this connection.
        client.on('error', () => undefined);
        await client.connect();
        await client.query('set session_replication_role = replica');
        const origin = (await headFile()).origin as string;
        await client.query(`update answer_evidence.workspaces set log_id = gen_random_uuid()`);
        const found = await runOperatorCommand(['ledger-check'], { dataDir });
        await client.query(
          `update answer_evidence.workspaces set log_id = (select id from answer_evidence.ledger_leaves where type = 'epoch_opened' order by leaf_index desc limit 1)`,
        );
        await client.end();
        expect([found.code, found.stdout + found.stderr, origin]).toEqual([
          1,
          expect.stringContaining('log_name'),
          expect.any(String),
        ]);
      });
    },
    2 * MINUTES_MS,
  );
});
