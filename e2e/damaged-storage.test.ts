import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type Reply, type TestService } from '../tools/scenery/test-service.ts';
import { uploadFile } from './support/evidence-client.ts';
import { openKeptObjects } from './support/kept-objects.ts';
import { fillTile } from './support/rich-workspace.ts';
import { alterationsOf, openVandal, type Vandal } from './support/vandal.ts';

const MINUTES_MS = 60_000;
/** Evidence of more than one frame. */
const ORIGINAL = Buffer.from('the very words that were shown '.repeat(4_000));

let owner: TestService;
let vandal: Vandal;
let workspaceId: string;
let [recordId, assetId, objectFile, entryId, linkToken, runId, accessId] = ['', '', '', '', '', '', ''];

beforeAll(async () => {
  owner = await openTestService();
  const settings = {
    answer_audit_store_question_text: true,
    answer_audit_accept_caller_hash: true,
    answer_audit_reading_rule: 'open',
    answer_audit_proof_links_enabled: true,
  };
  expect((await owner.call('PATCH', '/api/tenant/settings', { body: settings })).status).toBe(200);
  workspaceId = (await owner.call('GET', '/api/whoami')).body.workspace.id;
  recordId = (await owner.call('POST', '/api/answer-audit-logs', { body: answer('kept') })).body.id;
  const place = { baseUrl: owner.baseUrl, token: owner.managerToken };
  assetId = (await uploadFile(place, ORIGINAL)).body.id;
  const [name = ''] = await (await openKeptObjects(owner)).names();
  objectFile = join(owner.dataDir, 'objects', name);
  const purpose = { purpose: 'to see what was shown' };
  accessId = (await owner.call('POST', `/api/evidence-assets/${assetId}/retrieve`, { body: purpose })).body
    .access_event_id;
  entryId = (await owner.call('GET', '/api/tenant/entries')).body.items[0].id;
  const links = `/api/answer-audit-logs/${recordId}/proof-links`;
  linkToken = (await owner.call('POST', links, { body: { shows: 'record' } })).body.token;
  runId = await reconcile();
  await fillTile(owner, 260);
  await owner.stop();
  vandal = await openVandal(owner.databaseUrl);
}, 5 * MINUTES_MS);
afterAll(async () => {
  await vandal.close();
  await owner.close();
});

async function reconcile(): Promise<string> {
  const at = (millis: number) => new Date(Date.now() + millis).toISOString();
  const { body } = await owner.call('POST', '/api/reconciliations/runs', {
    body: {
      application_key: 'support-bot',
      window_start: at(-3_600_000),
      window_end: at(3_600_000),
      match_on: 'idempotency_key',
      references: [{ reference_id: 'kept', occurred_at: at(0) }],
    },
  });
  await until(
    'a run',
    async () => (await owner.call('GET', `/api/reconciliations/runs/${body.id}`)).body.status === 'completed',
  );
  return body.id;
}

/** The newest head of the workspace that is kept outside of the database. */
function headFile(): string {
  const folder = join(owner.dataDir, 'heads', workspaceId);
  const name =
    readdirSync(folder)
      .filter((one) => one.startsWith('head-'))
      .sort()
      .at(-1) ?? '';
  return join(folder, name);
}

type Damaging = (action: () => Promise<void>) => Promise<unknown>;
type How = 'flipped' | 'cut' | 'gone';
type Part = {
  /** Each asks for what is damaged, by a route of its own. */
  readonly asks: readonly ((service: TestService) => Promise<Reply>)[];
  /** What the ledger check calls it. */
  readonly named: RegExp;
  /** How a start is refused that cannot go on with it. */
  readonly refused?: RegExp;
  readonly damages: Readonly<Partial<Record<How, Damaging>>>;
};

/** What damages a row, by the column that is altered; `as` says in SQL what it is then. */
function rowOf(
  table: string,
  column: string,
  where: () => string,
  as?: Readonly<Record<'flipped' | 'cut', string>>,
): Readonly<Record<How, Damaging>> {
  const alter =
    (nth: number, sql?: string): Damaging =>
    async (action) => {
      const altered = vandal.columns.find((one) => one.table === table && one.name === column);
      const [victim] = await vandal.victims(table, '1', where());
      const alteration = sql === undefined ? altered && alterationsOf(altered)[nth] : { name: '', where: '', sql };
      if (altered === undefined || victim === undefined || alteration === undefined)
        throw new Error('nothing to alter');
      expect(await vandal.whileAltered(altered, victim, alteration, action)).not.toBe('refused');
    };
  return {
    flipped: alter(0, as?.flipped),
    cut: alter(1, as?.cut),
    async gone(action) {
      const [victim] = await vandal.victims(table, '1', where());
      if (victim === undefined) throw new Error('nothing to delete');
      await vandal.whileDeleted(table, victim, action);
    },
  };
}

function fileOf(path: () => string): Part['damages'] {
  const change =
    (how: (bytes: Buffer) => Buffer | undefined): Damaging =>
    async (action) => {
      const damaged = path();
      const whole = await readFile(damaged);
      const changed = how(Buffer.from(whole));
      await (changed === undefined ? rm(damaged) : writeFile(damaged, changed));
      await action();
      await writeFile(damaged, whole);
    };
  return {
    flipped: change((bytes) => bytes.fill((bytes[0] ?? 0) ^ 1, 0, 1)),
    // Of text, the last byte ends a line.
    cut: change((bytes) => bytes.subarray(0, -2)),
    gone: change(() => undefined),
  };
}

function only(how: How, damages: Part['damages']): Part['damages'] {
  return Object.fromEntries(Object.entries(damages).filter(([name]) => name === how));
}

const readTile = (service: TestService): Promise<Reply> => service.call('GET', '/tlog/demo/tile/0/000');

const readRecord = (service: TestService): Promise<Reply> => service.call('GET', `/api/answer-audit-logs/${recordId}`);

const readAsset = (service: TestService): Promise<Reply> => service.call('GET', `/api/evidence-assets/${assetId}`);
const download = (service: TestService): Promise<Reply> =>
  service.call('POST', `/api/evidence-assets/${assetId}/download`, { body: {} });

/** All that lead from the record to a signed tree. */
const PROOFS: Part['asks'] = [
  readRecord,
  (service) => service.call('GET', '/api/answer-audit-logs/export?format=jsonl'),
  (service) => service.call('GET', `/api/tenant/entries/${entryId}`),
  (service) => service.call('GET', `/api/trust/proofs/answers/${recordId}`),
  (service) => service.call('POST', '/api/trust/packs', { body: { answer_log_ids: [recordId] } }),
  (service) => service.call('POST', '/api/proof-links/open', { token: null, body: { token: linkToken } }),
  (service) => service.call('GET', `/api/reconciliations/runs/${runId}/proof`),
];

const PARTS: Readonly<Record<string, Part>> = {
  'the row of the head': {
    asks: [readTile],
    named: /head/,
    refused: /^StartError: .*head.*"A refused start"/,
    damages: rowOf('ledger_heads', 'right_edge', () => 'true'),
  },
  'a tile': {
    asks: [readTile],
    named: /tile/,
    refused: /^StartError: .*(?:differs from the one signed|a log was altered, cut or lost).*"A refused start"/,
    damages: rowOf('ledger_tiles', 'root', () => 'level = 0 and tile_index = 0'),
  },
  'the hashes of a tile': {
    asks: PROOFS,
    named: /tile/,
    refused: /^StartError: .*a log was altered, cut or lost.*"A refused start"/,
    // Each of the proofs needs others of its hashes.
    damages: rowOf('ledger_tiles', 'hashes', () => 'level = 0 and tile_index = 0', {
      flipped: `decode(repeat('ab', length(hashes)), 'hex')`,
      cut: 'substring(hashes from 1 for 32)',
    }),
  },
  'the newest head file': {
    asks: [(service) => service.call('GET', `/api/answer-audit-logs/${recordId}/ledger/verify`)],
    named: /head/,
    refused: /^StartError: .*head-.*(?:cannot be read or is damaged|was kept and is gone)/,
    damages: fileOf(() => headFile()),
  },
  'a leaf that lists by time look at': {
    asks: [(service) => service.call('GET', '/api/answer-audit-logs?created_after=2000-01-01T00:00:00Z')],
    named: /leaf/,
    damages: only(
      'gone',
      rowOf(
        'ledger_leaves',
        'leaf_hash',
        () => `leaf_index = (select tree_size / 2 from answer_evidence.ledger_heads)`,
      ),
    ),
  },
  'the sealed texts of a record': {
    asks: [readRecord],
    named: /text|content|sealed|question/,
    damages: rowOf('sealed_contents', 'texts', () => `object_id = '${recordId}'`),
  },
  'the object of evidence': {
    asks: [download],
    named: /original of asset/,
    damages: fileOf(() => objectFile),
  },
  'which object is the original': {
    asks: [download, readAsset],
    named: /asset/,
    damages: only(
      'gone',
      rowOf('evidence_originals', 'content_id', () => 'true'),
    ),
  },
  'the purpose of an access': {
    asks: [(service) => service.call('GET', `/api/evidence-assets/${assetId}/accesses`)],
    named: /asset|access/,
    damages: rowOf('evidence_details', 'sealed', () => `object_id = '${accessId}'`),
  },
  'the details of an asset': {
    asks: [readAsset],
    named: /asset/,
    damages: rowOf('evidence_details', 'sealed', () => `object_id = '${assetId}'`),
  },
};

/** What is damaged is said to be, is counted, and is named by a ledger check. */
async function judge(service: TestService, { asks, named }: Part): Promise<void> {
  for (const ask of asks) {
    const reply = await ask(service);
    expect([reply.status, reply.body?.code, reply.headers.get('retry-after')]).toEqual([500, 'content_damaged', null]);
  }
  const metrics = await (await fetch(`${service.metricsUrlOf('ingest-api')}/metrics`)).text();
  expect(metrics.match(/^damaged_reads_total\{route="[^"]+"\} 1$/gm)).toHaveLength(asks.length);
  const { status, body } = await service.call('POST', '/api/trust/ledger-checks', { body: {} });
  expect([status, body.outcome]).toEqual([200, 'FAIL']);
  expect(body.findings.map((one: object) => JSON.stringify(one)).join('\n')).toMatch(named);
}

describe.each(Object.entries(PARTS))('%s', (_, part) => {
  const start = () => openTestService({ share: owner });

  it.each(Object.entries(part.damages))(
    'that is %s is damage to a running service, and to one that is started on it',
    async (_how, damage) => {
      const running = await start();
      await damage(async () => {
        await judge(running, part);
        await running.stop();
        const started = await start().catch((error: unknown) => String(error));
        if (typeof started !== 'string') {
          await judge(started, part);
          await started.stop();
        } else expect(started).toMatch(part.refused ?? /is never refused/);
      });
      const sound = await start();
      for (const ask of part.asks) expect([200, 201]).toContain((await ask(sound)).status);
      await sound.stop();
    },
    2 * MINUTES_MS,
  );
});
