import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
let [recordId, assetId, objectFile] = ['', '', ''];

beforeAll(async () => {
  owner = await openTestService();
  const settings = {
    answer_audit_store_question_text: true,
    answer_audit_accept_caller_hash: true,
    answer_audit_reading_rule: 'open',
  };
  expect((await owner.call('PATCH', '/api/tenant/settings', { body: settings })).status).toBe(200);
  recordId = (await owner.call('POST', '/api/answer-audit-logs', { body: answer('kept') })).body.id;
  const place = { baseUrl: owner.baseUrl, token: owner.managerToken };
  assetId = (await uploadFile(place, ORIGINAL)).body.id;
  const [name = ''] = await (await openKeptObjects(owner)).names();
  objectFile = join(owner.dataDir, 'objects', name);
  await fillTile(owner, 260);
  await owner.stop();
  vandal = await openVandal(owner.databaseUrl);
}, 5 * MINUTES_MS);
afterAll(async () => {
  await vandal.close();
  await owner.close();
});

type Damaging = (action: () => Promise<void>) => Promise<unknown>;
type How = 'flipped' | 'cut' | 'gone';
type Part = {
  /** Asks for what is damaged. */
  readonly ask: (service: TestService) => Promise<Reply>;
  /** What the ledger check calls it. */
  readonly named: RegExp;
  /** How a start is refused that cannot go on with it. */
  readonly refused?: RegExp;
  readonly damages: Readonly<Partial<Record<How, Damaging>>>;
};

function rowOf(table: string, column: string, where: () => string): Readonly<Record<How, Damaging>> {
  const alter =
    (nth: number): Damaging =>
    async (action) => {
      const altered = vandal.columns.find((one) => one.table === table && one.name === column);
      const [victim] = await vandal.victims(table, '1', where());
      const alteration = altered && alterationsOf(altered)[nth];
      if (altered === undefined || victim === undefined || alteration === undefined)
        throw new Error('nothing to alter');
      expect(await vandal.whileAltered(altered, victim, alteration, action)).not.toBe('refused');
    };
  return {
    flipped: alter(0),
    cut: alter(1),
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
      const whole = await readFile(path());
      const changed = how(Buffer.from(whole));
      await (changed === undefined ? rm(path()) : writeFile(path(), changed));
      await action();
      await writeFile(path(), whole);
    };
  return {
    flipped: change((bytes) => bytes.fill((bytes[0] ?? 0) ^ 1, 0, 1)),
    cut: change((bytes) => bytes.subarray(0, -1)),
    gone: change(() => undefined),
  };
}

function without(how: How, damages: Part['damages']): Part['damages'] {
  return Object.fromEntries(Object.entries(damages).filter(([name]) => name !== how));
}

function only(how: How, damages: Part['damages']): Part['damages'] {
  return Object.fromEntries(Object.entries(damages).filter(([name]) => name === how));
}

const readTile = (service: TestService): Promise<Reply> => service.call('GET', '/tlog/demo/tile/0/000');

const PARTS: Readonly<Record<string, Part>> = {
  'the row of the head': {
    ask: readTile,
    named: /head/,
    refused: /^StartError: .*head.*"A refused start"/,
    damages: rowOf('ledger_heads', 'right_edge', () => 'true'),
  },
  'a tile': {
    ask: readTile,
    named: /tile/,
    refused: /^StartError: .*(?:differs from the one signed|a log was altered, cut or lost).*"A refused start"/,
    damages: rowOf('ledger_tiles', 'root', () => 'level = 0 and tile_index = 0'),
  },
  'a leaf that lists by time look at': {
    ask: (service) => service.call('GET', '/api/answer-audit-logs?created_after=2000-01-01T00:00:00Z'),
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
    ask: (service) => service.call('GET', `/api/answer-audit-logs/${recordId}`),
    named: /text|content|sealed|question/,
    // Gone, they are what an expiry leaves; the ledger check alone tells that there was none.
    damages: without(
      'gone',
      rowOf('sealed_contents', 'texts', () => `object_id = '${recordId}'`),
    ),
  },
  'the object of evidence': {
    ask: (service) => service.call('POST', `/api/evidence-assets/${assetId}/download`, { body: {} }),
    named: /original of asset/,
    damages: fileOf(() => objectFile),
  },
};

/** What is damaged is said to be, is counted, and is named by a ledger check. */
async function judge(service: TestService, { ask, named }: Part): Promise<void> {
  const reply = await ask(service);
  expect([reply.status, reply.body?.code, reply.headers.get('retry-after')]).toEqual([500, 'content_damaged', null]);
  const metrics = await (await fetch(`${service.metricsUrlOf('ingest-api')}/metrics`)).text();
  expect(metrics).toMatch(/^damaged_reads_total\{route="[^"]+"\} 1$/m);
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
      expect((await part.ask(sound)).status).toBe(200);
      await sound.stop();
    },
    2 * MINUTES_MS,
  );
});
