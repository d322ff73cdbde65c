import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import {
  postgresPidsOf,
  readToken,
  runApp,
  runOperatorCommand,
  type ServiceProcess,
  startProcess,
} from '../tools/scenery/service-process.ts';
import { listRecords } from './support/assert-nothing-lost.ts';
import { sendCreate } from './support/creating-client.ts';
import { openReadyData } from './support/ready-data.ts';

let dataDir: string;
let service: ServiceProcess;
let baseUrl: string;
beforeAll(async () => {
  dataDir = await openReadyData('operator');
  service = startProcess({ dataDir });
  baseUrl = await service.ready;
  expect((await sendCreate(new Agent(), baseUrl, await readToken(dataDir), 'first')).status).toBe(201);
});
afterAll(async () => {
  service.kill('SIGTERM');
  await service.exited;
  await rm(dataDir, { recursive: true, force: true });
});

/** In this process. Each command is run once as the process that it is: `operateAlone`. */
function operate(...args: readonly string[]) {
  return runOperatorCommand(args, { dataDir });
}

function operateAlone(...args: readonly string[]) {
  return runApp('operator', args, { dataDir });
}

async function alter(...sql: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim() });
  await client.connect();
  // As anyone who has the whole database in hands: without the triggers that refuse changes.
  for (const statement of ['set session_replication_role = replica', ...sql]) await client.query(statement);
  await client.end();
}

describe('npm run operator -- ledger-check', () => {
  it('finds a sound ledger sound while the service runs, and names what was changed', async () => {
    expect(await operateAlone('ledger-check')).toEqual({
      code: 0,
      stdout: 'demo: PASS, 5 of 5 entries re-derived',
      stderr: 'answer-evidence: checking the ledger of "demo"',
    });
    await alter(`update answer_evidence.answer_records set environment = 'elsewhere'`);
    const found = await operateAlone('ledger-check', '--workspace', 'demo');
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/^demo: FAIL, .*\n {2}FAIL record: record /);
    await alter(`update answer_evidence.answer_records set environment = 'production'`);
    const json = await operate('ledger-check', '--json');
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      expect.objectContaining({ workspace: 'demo', outcome: 'PASS', findings: [] }),
    ]);
    // The PostgreSQL that it joined is the service's and goes on.
    expect(await listRecords({ baseUrl, token: await readToken(dataDir), databaseUrl: '' })).toHaveLength(1);
  });

  it('checks by as many threads as it is told, and keeps what it has done until it ends', async () => {
    const progress = join(dataDir, 'progress');
    const checked = await operateAlone('ledger-check', '--threads', '2', '--progress', progress);
    expect([checked.code, checked.stdout]).toEqual([0, 'demo: PASS, 5 of 5 entries re-derived']);
    expect(await readdir(progress)).toEqual([]);
    for (const threads of ['0', '65', '1e0', ''])
      expect(await operate('ledger-check', '--threads', threads)).toEqual({
        code: 2,
        stdout: '',
        stderr: 'answer-evidence: --threads must be a number from 1 to 64',
      });
  });

  it('works while the service is stopped, and leaves nothing running', async () => {
    await service.stop();
    expect(postgresPidsOf(dataDir)).toEqual([]);
    const checked = await operateAlone('ledger-check');
    expect([checked.code, checked.stdout]).toEqual([0, 'demo: PASS, 5 of 5 entries re-derived']);
    expect(postgresPidsOf(dataDir)).toEqual([]);
    service = startProcess({ dataDir });
    baseUrl = await service.ready;
  });

  it('names the workspaces there are when asked for another one', async () => {
    expect(await operate('ledger-check', '--workspace', 'nobody')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'answer-evidence: there is no workspace "nobody"; use --workspace with one of: demo',
    });
  });
});

describe('npm run operator -- database-migrate', () => {
  it('gives an empty database the schema, and changes nothing in one that has it', async () => {
    const owner = new URL((await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim());
    await alter('create database fresh');
    owner.pathname = '/fresh';
    const environment = { DATABASE_URL: owner.href };
    const home = join(dataDir, 'migrating');
    const migrations = async () => {
      const client = new Client({ connectionString: owner.href });
      await client.connect();
      const { rows } = await client.query('select name, applied_at from answer_evidence_migrations order by name');
      await client.end();
      return rows;
    };
    const done = { code: 0, stdout: 'the database has the schema of this release', stderr: '' };
    expect(await runOperatorCommand(['database-migrate'], { dataDir: home, environment })).toEqual({
      ...done,
      stderr: expect.stringContaining('migrated the database to 00'),
    });
    const made = await migrations();
    expect(made.length).toBeGreaterThan(20);
    expect(await runOperatorCommand(['database-migrate'], { dataDir: home, environment })).toEqual(done);
    expect(await migrations()).toEqual(made);
  });
});

describe('npm run operator -- workspace-create', () => {
  const create = (slug: string, file: string, run = operate) =>
    run(
      'workspace-create',
      '--slug',
      slug,
      '--name',
      'Other, Inc.',
      '--manager',
      'anna',
      '--config',
      join(dataDir, file),
    );

  it('makes a workspace beside the running service, whose manager enters that one and no other', async () => {
    const made = await create('other', 'other.yaml', operateAlone);
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('created the workspace "other" and its manager "anna"');
    expect((await stat(join(dataDir, 'other.yaml'))).mode & 0o777).toBe(0o600);
    const token = await readToken(dataDir, 'other.yaml');
    expect(made.stdout).not.toContain(token);
    expect(await listRecords({ baseUrl, token, databaseUrl: '' })).toEqual([]);
    expect((await sendCreate(new Agent(), baseUrl, token, 'first')).status).toBe(201);
    const checked = await operate('ledger-check');
    expect([checked.code, checked.stdout.split('\n')]).toEqual([
      0,
      ['demo: PASS, 5 of 5 entries re-derived', 'other: PASS, 5 of 5 entries re-derived'],
    ]);
  });

  it('refuses a slug that is taken with one line, and makes no file', async () => {
    const again = await create('demo', 'again.yaml');
    expect(again).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^answer-evidence: .*"demo" is taken.*$/),
    });
    await expect(stat(join(dataDir, 'again.yaml'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('makes no workspace whose token it could not hand over, and overwrites no other one', async () => {
    await writeFile(join(dataDir, 'taken.yaml'), 'precious');
    const refused = [await create('lost', 'taken.yaml'), await create('lost', 'nowhere/lost.yaml')];
    for (const { code, stdout, stderr } of refused) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^answer-evidence: [^\n]*(already exists|cannot create a file)[^\n]*$/);
    }
    expect(await readFile(join(dataDir, 'taken.yaml'), 'utf8')).toBe('precious');
    expect((await create('lost', 'lost.yaml')).code).toBe(0);
  });

  it('says what there is and how its manager gets in, where the file cannot be written in the end', async () => {
    // No check before the commit sees it: the folder is there, and may be written to.
    const half = await create('half', 'x'.repeat(300));
    expect([half.code, half.stdout]).toEqual([2, '']);
    expect(half.stderr).toMatch(
      /^answer-evidence: created the workspace "half" and its manager "anna", but [^\n]*\(ENAMETOOLONG\)[^\n]*$/,
    );
    const [, way = ''] =
      /run npm run operator -- (member-password-link --workspace half --username anna),/.exec(half.stderr) ?? [];
    const link = await operate(...way.split(' '));
    expect(link.code).toBe(0);
    expect(link.stdout).toContain('/auth/password#');
    expect((await create('half', 'half.yaml')).stderr).toContain('"half" is taken');
    expect(half.stderr).toContain('(ENAMETOOLONG) and is revoked. Do not create it again');
    expect((await operate('ledger-check', '--workspace', 'half')).stdout).toContain('PASS, 6 of 6 entries');
    expect((await operate('ledger-check', '--workspace', 'half')).code).toBe(0);
  });
});

describe('npm run operator -- member-password-link', () => {
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    return (await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };

  it('lets the manager set a password, once, while the service runs, and a new link ends it', async () => {
    const link = (run = operate) => run('member-password-link', '--workspace', 'demo', '--username', 'manager');
    const made = await link(operateAlone);
    expect(made.code).toBe(0);
    const secret = /^http\S+\/auth\/password#(aep_\S+)$/.exec(made.stdout)?.[1] ?? '';
    expect(made.stderr).toContain('works once');
    expect(made.stderr).not.toContain(secret);
    const password = 'a password of the tests';
    expect(await post('/api/auth/password', { secret, password })).toBe(200);
    expect(await post('/api/auth/password', { secret, password })).toBe(401);
    const login = { username: 'manager', password, workspace: 'demo' };
    expect(await post('/api/auth/login', login)).toBe(200);
    expect((await link()).code).toBe(0);
    expect(await post('/api/auth/login', login)).toBe(401);
    expect((await operate('ledger-check', '--workspace', 'demo')).stdout).toMatch(/^demo: PASS/);
  });

  it('makes none for nobody', async () => {
    for (const [workspace, username] of [
      ['demo', 'nobody'],
      ['nowhere', 'manager'],
    ] as const) {
      const refused = await operate('member-password-link', '--workspace', workspace, '--username', username);
      expect([refused.code, refused.stdout]).toEqual([2, '']);
      expect(refused.stderr).toMatch(/^answer-evidence: .*(not an active member|no workspace)/);
    }
    expect((await operate('member-password-link', '--workspace', 'demo')).stderr).toContain('--username USERNAME');
  });
});

describe('a command that is not one', () => {
  it.each([
    [[]],
    [['ledger-chek']],
    [['ledger-check', '--colour']],
    [['ledger-check', 'demo']],
    [['workspace-create', '--slug', 'other']],
    [['workspace-create', '--slug', 'x', '--name', ' ', '--manager', 'm', '--config', 'c']],
  ])('shows the usage, exits with 2 and makes nothing: %j', async (args) => {
    const empty = join(dataDir, 'empty');
    const { code, stdout, stderr } = await (args.length === 0
      ? runApp('operator', args, { dataDir: empty })
      : runOperatorCommand(args, { dataDir: empty }));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm run operator -- ledger-check [--workspace SLUG] [--json]');
    expect(stderr).not.toContain('    at ');
    await expect(stat(empty)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['slug', { slug: 'X_' }, 'a slug must be 1 to 63 characters of a-z, 0-9 and "-", without "-" at either end'],
    ['display name', { name: 'Two\nlines' }, 'a display name must be 1 to 200 characters in one line'],
    ...['a\u202eb', 'a\u200bb', '\u200b\u3164'].map(
      (name) =>
        [
          'display name',
          { name },
          'a display name must show something, and have no invisible or bidirectional characters',
        ] as const,
    ),
    [
      'user name',
      { manager: 'Anna Example' },
      '--manager must be 1 to 100 characters of a-z, 0-9 and ._@+-, starting with a letter or digit',
    ],
  ])('names a %s that is not one, and makes nothing', async (_what, wrong, said) => {
    const empty = join(dataDir, 'empty');
    const given = Object.entries({ slug: 'x', name: 'X', manager: 'm', config: 'c', ...wrong });
    const args = ['workspace-create', ...given.flatMap(([name, value]) => [`--${name}`, value])];
    const { code, stderr } = await runOperatorCommand(args, { dataDir: empty });
    expect([code, stderr]).toEqual([2, `answer-evidence: ${said}`]);
    await expect(stat(empty)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
