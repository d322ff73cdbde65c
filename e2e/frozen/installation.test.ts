import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '@answer-evidence/contracts';
import { answer, type TestService } from '../../tools/scenery/test-service.ts';
import { FROZEN, type Installation, openFrozen, readCompressed, readInstallation } from './open-frozen.ts';

const RECORDS = '/api/answer-audit-logs';
const realNow = Date.now;

let installation: Installation;
let replies: Readonly<Record<string, string>>;
let service: TestService;

beforeAll(async () => {
  installation = await readInstallation();
  replies = JSON.parse(await readCompressed('replies.json.gz'));
  // The frozen tokens and retentions have an end, so the service wakes up at the moment of the freezing.
  const offset = Date.parse(installation.frozen_at) - realNow();
  Date.now = () => realNow() + offset;
  service = await openFrozen();
}, 120_000);

afterAll(async () => {
  await service.close();
  Date.now = realNow;
});

const entries = () => Object.entries(installation.records);

async function get(path: string): Promise<string> {
  const { status, text } = await service.call('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return text;
}

/** JSON Lines escape today what some readers end a line at; the values are the same. */
function asOneLine(path: string, text: string): string {
  if (!path.includes('format=jsonl')) return text;
  return text.replace(/[\u0085\u2028\u2029]/g, (at) => `\\u${at.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A receipt is always under the newest tree, which has grown since by what the exports logged. */
const withoutReceipts = (text: string) => text.replace(/c2sp\.org\/tlog-proof@v1[^"]*/g, 'receipt');

async function checkLedgers(): Promise<void> {
  for (const token of Object.values(installation.tokens)) {
    const { body } = await service.call('POST', '/api/trust/ledger-checks', { token, body: {} });
    expect(body).toMatchObject({ outcome: 'PASS', findings: [] });
  }
}

describe('the present service on the installation of the first version', () => {
  it('finds no fault in the log of any workspace', checkLedgers);

  it('shows every record, run, key and export as it did', async () => {
    const changing = /\/(?:ledger\/verify|trust\/(?:checkpoints|anchors|keys|policy)|tenant\/settings|whoami)$/;
    const paths = Object.keys(replies).filter((path) => !changing.test(path));
    expect(paths.length).toBeGreaterThan(25);
    for (const path of paths)
      expect({ path, text: withoutReceipts(await get(path)) }).toEqual({
        path,
        text: asOneLine(path, withoutReceipts(replies[path] ?? '')),
      });
  });

  it('shows the keys of the log as they were, and what each signs with', async () => {
    const path = '/api/trust/keys';
    const { items, ...rest } = JSON.parse(replies[path] ?? '');
    const now = items.map((item: object) => ({ ...item, algorithm: 'ed25519' }));
    expect(JSON.parse(await get(path))).toEqual({ ...rest, items: now });
  });

  it('shows the policy as it was, and that the log signs with Ed25519 alone', async () => {
    const path = '/api/trust/policy';
    expect(JSON.parse(await get(path))).toEqual({ ...JSON.parse(replies[path] ?? ''), log_signatures: 'ed25519' });
  });

  it('shows the settings as they were, and each later one at its default', async () => {
    const path = '/api/tenant/settings';
    expect(JSON.parse(await get(path))).toEqual({ ...DEFAULT_SETTINGS, ...JSON.parse(replies[path] ?? '') });
  });

  it('says who asks as it did, and where they may act', async () => {
    const access = { role: 'manager', applications: null, environments: null };
    const path = '/api/whoami';
    expect(JSON.parse(await get(path))).toEqual({ access, ...JSON.parse(replies[path] ?? '') });
  });

  it('lists the checkpoints and anchors that it had', async () => {
    for (const path of ['/api/trust/checkpoints', '/api/trust/anchors']) {
      const { items } = JSON.parse(replies[path] ?? '');
      expect(JSON.parse(await get(`${path}?size=200`)).items).toEqual(expect.arrayContaining(items));
    }
  });

  it('makes the same bundles again, byte by byte', async () => {
    // The bundle of a record whose anchors were pending takes the newest checkpoint.
    for (const [name, id] of entries().filter(([each]) => each !== 'pending')) {
      const frozen = await readFile(join(FROZEN, 'bundles', `${name}.json`), 'utf8');
      expect({ name, bundle: await get(`/api/trust/proofs/answers/${id}`) }).toEqual({ name, bundle: frozen });
    }
  });

  it('makes the same bundles without texts, byte by byte', async () => {
    const folder = join(FROZEN, '../v2/bundles');
    for (const file of await readdir(folder)) {
      const id = installation.records[file.replace('.json', '')];
      const bundle = await get(`/api/trust/proofs/answers/${id}?texts=withheld`);
      expect({ file, bundle }).toEqual({ file, bundle: await readFile(join(folder, file), 'utf8') });
    }
  });

  it('makes the same proofs of runs again, with the same record set and findings', async () => {
    for (const [n, id] of installation.runs.entries()) {
      const [run, path] = [join(FROZEN, 'runs', `run-${n + 1}`), `/api/reconciliations/runs/${id}`];
      expect(await get(`${path}/proof`)).toBe(await readFile(`${run}.proof.json`, 'utf8'));
      expect(await get(`${path}/records`)).toBe(await readFile(`${run}.records.jsonl`, 'utf8'));
      expect(await get(`${path}/findings?format=jsonl`)).toBe(await readFile(`${run}.findings.jsonl`, 'utf8'));
    }
  });

  it('verifies every record as it did', async () => {
    const outcomes = (text: string) => JSON.parse(text).checks.map((each: any) => [each.check, each.outcome]);
    for (const [name, id] of entries().filter(([each]) => each !== 'pending')) {
      const path = `${RECORDS}/${id}/ledger/verify`;
      // Checks that came later say something of these records too, and change nothing of what was said before.
      const now = outcomes(await get(path));
      expect(now).toContainEqual(['log_order', 'PASS']);
      const known = now.filter(([check]: readonly string[]) => check !== 'log_order');
      expect({ name, checks: known }).toEqual({ name, checks: outcomes(replies[path] ?? '') });
    }
  });

  it('publishes the same log', async () => {
    for (const path of ['tile/0/000.p/79', 'tile/entries/000.p/79']) {
      const response = await fetch(`${service.baseUrl}/tlog/demo/${path}`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(await readFile(join(FROZEN, 'tlog', path)));
    }
  });

  it('goes on: it replays what was recorded, and records, corrects and redacts on top of it', async () => {
    const known = {
      application_key: 'support-bot',
      idempotency_key: 'plain',
      source_refs: [{ source_name: 'returns.md' }],
    };
    const texts = { question: { text: 'How long can I return a jacket?' }, answer: { text: '30 days.' } };
    const replayed = await service.call('POST', RECORDS, { body: { ...known, ...texts } });
    expect([replayed.status, replayed.body.id]).toEqual([201, installation.records['plain']]);

    const created = await service.call('POST', RECORDS, { body: answer('asked of a later version?') });
    expect(created.status).toBe(201);
    const keyed = installation.records['matched'];
    for (const [id, body] of [
      [created.body.id, { event_type: 'voided', reason: 'a test' }],
      [keyed, { event_type: 'correction_appended', payload: { corrected_answer_text: 'No.' } }],
      [installation.records['bound'], { event_type: 'redacted', payload: {} }],
    ]) {
      const { status } = await service.call('POST', `${RECORDS}/${id}/events`, { body });
      expect(status).toBe(200);
    }
    await checkLedgers();
  });
});

describe('a migration that was released', () => {
  it('never changes', async () => {
    const sums = JSON.parse(await readFile(join(FROZEN, 'migrations.json'), 'utf8')) as Record<string, string>;
    expect(Object.keys(sums)).toEqual(installation.migrations);
    for (const [name, sum] of Object.entries(sums)) {
      const path = join(import.meta.dirname, '../../libs/adapters/postgres/src/migrations', name);
      const found = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      expect({ name, sum: found }).toEqual({ name, sum });
    }
  });
});
