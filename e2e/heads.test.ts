import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StageName } from '@answer-evidence/runtime';
import { ROLES } from '@answer-evidence/runtime/roles';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { copyDatabase } from './support/copy-database.ts';

const DEADLINE_MS = 300_000;
const RECORDS = '/api/answer-audit-logs';

let folder: string;
let dataDir: string;
let database: TestDatabase;
/** The database as it was before the last entries were signed. */
let olderUrl: string;
let signed: number;

async function record({ call }: TestService, question: string): Promise<number> {
  const reply = await call('POST', RECORDS, { body: answer(question) });
  expect(reply.status).toBe(201);
  return reply.body.ledger.leaf_index + 1;
}

async function emptyFolder(): Promise<string> {
  return mkdtemp(join(folder, 'heads-'));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-heads-'));
  dataDir = join(folder, 'data');
  database = await openTestDatabase();
  const first = await openTestService({ share: { databaseUrl: database.url, dataDir } });
  await record(first, 'before the backup');
  await first.close();
  olderUrl = await copyDatabase(database.url);
  const second = await openTestService({ share: { databaseUrl: database.url, dataDir } });
  signed = await record(second, 'after the backup');
  await second.close();
}, DEADLINE_MS);

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

describe.each(Object.entries(ROLES))('%s on an older database', (_, stages) => {
  const start = (environment: Readonly<Record<string, string>>) =>
    openTestService({ share: { databaseUrl: olderUrl, dataDir }, stages, environment });

  it('does not start where the heads are those of the installation', async () => {
    await expect(start({ SERVICE_HEADS: `folder:${join(dataDir, 'heads')}` })).rejects.toThrow(
      new RegExp(`"demo" holds ${signed - 1} entries, but ${signed} were signed.*npm run operator -- ledger-recover`),
    );
  });

  it('does not start where the folder of heads is a new one, and puts nothing into it', async () => {
    const heads = await emptyFolder();
    await expect(start({ SERVICE_HEADS: `folder:${heads}` })).rejects.toThrow(
      new RegExp(
        `"demo" holds ${signed - 1} entries, but no head of it is kept in ${heads}\\. .*npm run operator -- heads-adopt`,
      ),
    );
    expect(await readdir(heads)).toEqual([]);
  });
});

describe('processes with data folders of their own and one folder of heads', () => {
  it(
    'move the heads of what they append, whichever stages they run, and start on it',
    async () => {
      const heads = join(folder, 'shared');
      const environment = {
        SERVICE_HEADS: `folder:${heads}`,
        SERVICE_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      };
      const own = await openTestDatabase();
      const open = (name: string, stages: readonly StageName[]) =>
        openTestService({ share: { databaseUrl: own.url, dataDir: join(folder, name) }, stages, environment });
      const ingest = await open('ingest', ['workspace', 'ingest']);
      const [workspaceId = ''] = await readdir(heads);
      const keptSize = async () =>
        Math.max(
          ...(await readdir(join(heads, workspaceId))).map((name) => Number(/^head-\d+-(\d+)-/.exec(name)?.[1] ?? 0)),
        );
      const size = await record(ingest, 'what nobody publishes');
      await until('the head of ingest', async () => (await keptSize()) === size);
      const evidence = await openTestService({
        share: { databaseUrl: own.url, dataDir: join(folder, 'ingest') },
        stages: ['evidence'],
        environment,
      });
      const { status } = await evidence.call('POST', '/api/evidence-assets', {
        body: { application_key: 'support-bot', external_uri: 'https://example.com/a' },
      });
      expect(status).toBe(201);
      await until('the head of evidence', async () => (await keptSize()) === size + 1);
      await evidence.close();
      await ingest.close();
      const names = await readdir(join(heads, workspaceId));
      const newest = expect.stringMatching(new RegExp(`^newest-0000-0*${size + 1}-`));
      expect(names.filter((name) => !name.startsWith('head-'))).toEqual([newest, 'redactions']);
      await own.close();
    },
    DEADLINE_MS,
  );
});

describe('the operator', () => {
  const command = (args: readonly string[], heads: string) =>
    runOperatorCommand(args, {
      dataDir,
      environment: { DATABASE_URL: olderUrl, SERVICE_HEADS: `folder:${heads}` },
    });

  it(
    'signs nothing on a log of which no head is kept, adopts it by its name, and the service starts',
    async () => {
      const heads = await emptyFolder();
      const link = await command(['member-password-link', '--workspace', 'demo', '--username', 'manager'], heads);
      expect([link.code, link.stderr]).toEqual([2, expect.stringContaining('no head of it is kept')]);
      const recovered = await command(['ledger-recover'], heads);
      expect([recovered.code, recovered.stderr]).toEqual([
        2,
        expect.stringContaining('npm run operator -- heads-adopt'),
      ]);
      const checked = await command(['ledger-check'], heads);
      expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('FAIL outside_head')]);
      expect(await readdir(heads)).toEqual([]);

      expect((await command(['heads-adopt'], heads)).code).toBe(2);
      expect((await command(['heads-adopt', '--workspace', 'nobody'], heads)).code).toBe(2);
      const adopted = await command(['heads-adopt', '--workspace', 'demo'], heads);
      expect([adopted.code, adopted.stdout]).toEqual([0, expect.stringContaining(`demo: adopted with ${signed - 1}`)]);
      const again = await command(['heads-adopt', '--all'], heads);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('a head is kept already')]);
      const [workspaceId = ''] = await readdir(heads);
      const [name = ''] = (await readdir(join(heads, workspaceId))).filter((file) => file.startsWith('adopted-'));
      expect(JSON.parse(await readFile(join(heads, workspaceId, name), 'utf8'))).toMatchObject({
        tree_size: signed - 1,
        adopted_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });

      const created = await command(
        [
          'workspace-create',
          '--slug',
          'acme',
          '--name',
          'Acme',
          '--manager',
          'mia',
          '--config',
          join(folder, 'acme.yaml'),
        ],
        heads,
      );
      expect([created.code, (await readdir(heads)).length]).toEqual([0, 2]);
      const service = await openTestService({
        share: { databaseUrl: olderUrl, dataDir },
        environment: { SERVICE_HEADS: `folder:${heads}` },
      });
      await record(service, 'after the adoption');
      await service.close();
    },
    DEADLINE_MS,
  );

  it(
    'gives a workspace that was lost, and is made again at once, a log of another name',
    async () => {
      const own = join(folder, 'lost');
      const heads = join(own, 'heads');
      const live = await openTestDatabase();
      const service = await openTestService({ share: { databaseUrl: live.url, dataDir: own } });
      await service.close();
      const before = await copyDatabase(live.url);
      const there = await readdir(heads);
      for (const [n, databaseUrl] of [live.url, before].entries()) {
        const { code, stderr } = await runOperatorCommand(
          ['workspace-create', '--slug=acme', '--name=Acme', '--manager=mia', `--config=${join(own, `${n}.yaml`)}`],
          { dataDir: own, environment: { DATABASE_URL: databaseUrl } },
        );
        expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
      }
      const origins = new Set<string>();
      for (const id of (await readdir(heads)).filter((name) => !there.includes(name)))
        for (const name of (await readdir(join(heads, id))).filter((file) => file.startsWith('head-')))
          origins.add(JSON.parse(await readFile(join(heads, id, name), 'utf8')).origin);
      expect([...origins]).toEqual([expect.stringMatching(/\/acme\//), expect.stringMatching(/\/acme\//)]);
      await live.close();
    },
    DEADLINE_MS,
  );
});
