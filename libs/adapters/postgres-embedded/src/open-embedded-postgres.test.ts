import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createTestScope, query } from './fixtures/test-scope.ts';
import { findRunningPostgres } from './index.ts';
import { listProcesses } from './process-table.ts';

const scope = createTestScope();
afterEach(() => scope.close());
afterAll(() => scope.closeAll());

describe('openEmbeddedPostgres', () => {
  it('makes a database on the first start and keeps its rows, port and password over the next', async () => {
    const dataDir = join(await scope.openDir(), 'a', 'postgres');
    const first = await scope.open({ dataDir });
    expect(first.firstStart).toBe(true);
    await query(first.url, 'create table kept as select 41 + 1 as answer');
    await first.close();
    await expect(query(first.url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const second = await scope.open({ dataDir });
    expect(second).toMatchObject({ firstStart: false, url: first.url });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('keeps durability on, asks for the password, and keeps both password and data from other users', async () => {
    const dataDir = await scope.openReadyDir();
    const { url } = await scope.open({ dataDir });
    const rows = await query(
      url,
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding', 'listen_addresses') order by name`,
    );
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'cluster'))).mode & 0o777).toBe(0o700);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('redoes an initdb that a crash cut short', async () => {
    const finished = await scope.openReadyDir();
    const dataDir = await scope.openDir();
    const draft = join(dataDir, 'cluster-draft-abcdef');
    await mkdir(draft);
    await cp(join(finished, 'cluster', 'base'), join(draft, 'base'), { recursive: true });
    await writeFile(join(draft, 'PG_VERSION'), '18\n');

    const postgres = await scope.open({ dataDir });
    expect(postgres.firstStart).toBe(true);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('cluster'))).toEqual(['cluster']);
  });

  it('refuses a second parent while the first lives, and lets it in afterwards', async () => {
    const dataDir = await scope.openReadyDir();
    const first = await scope.open({ dataDir });
    await expect(scope.open({ dataDir })).rejects.toMatchObject({
      code: 'already_running',
      message: expect.stringContaining(`process ${process.pid}`),
      remedy: expect.stringContaining('Stop the other process'),
    });
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.close();
    await scope.open({ dataDir });
  });

  it('is not confused by a pid file whose pid belongs to another program of the same user', async () => {
    const dataDir = await scope.openReadyDir();
    const { uid } = await stat(join(dataDir, 'cluster'));
    const other = spawn('/bin/sleep', ['600'], { uid, stdio: 'ignore' });
    try {
      const text = `${other.pid}\n/proc/self/cwd\n1\n5432\n\n127.0.0.1\n\nready\n`;
      await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), text);
      expect(await findRunningPostgres(dataDir)).toBeUndefined();
      const second = await scope.open({ dataDir });
      expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(other.exitCode ?? other.signalCode).toBeNull();
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('reports a data directory that cannot be written', async () => {
    const root = await scope.openDir();
    await writeFile(join(root, 'file'), '');
    await expect(scope.open({ dataDir: join(root, 'file', 'postgres') })).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      code: 'data_dir_unwritable',
      remedy: expect.stringContaining('SERVICE_DATA_DIR'),
    });
  });

  it('takes the port it is given, and says so when another program has it', async () => {
    const dataDir = await scope.openReadyDir();
    const port = Number(await readFile(join(dataDir, 'port'), 'utf8'));
    const other = createServer();
    await new Promise<void>((resolve) => other.listen({ port, host: '127.0.0.1' }, resolve));
    try {
      await expect(scope.open({ dataDir, port })).rejects.toMatchObject({ code: 'port_in_use' });
      const elsewhere = await scope.open({ dataDir });
      expect(new URL(elsewhere.url).port).not.toBe(String(port));
      await elsewhere.close();
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
    const back = await scope.open({ dataDir, port });
    expect(new URL(back.url).port).toBe(String(port));
  });

  it('is never that of another folder, even if both are copies of one that start at the same moment', async () => {
    const dirs = await Promise.all(Array.from({ length: 4 }, () => scope.openReadyDir()));
    const opened = await Promise.all(dirs.map((dataDir) => scope.open({ dataDir })));
    expect(new Set(opened.map(({ url }) => url)).size).toBe(dirs.length);
    const [first] = opened.map(({ url }) => url);
    expect(opened.map(({ url }) => new URL(url).password)).toEqual(dirs.map(() => new URL(first ?? '').password));
  });

  it('leaves no process and no lock behind a start that fails', async () => {
    const dataDir = await scope.openReadyDir();
    const failing = scope.open({ dataDir, settings: { shared_buffers: 'much' } });
    await expect(failing).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining('invalid value for parameter "shared_buffers"'),
    });
    expect(listProcesses().filter(({ command }) => command.includes('shared_buffers=much'))).toEqual([]);
    await scope.open({ dataDir });
  });

  it('says when the password of existing data is gone, and leaves the data alone', async () => {
    const dataDir = await scope.openReadyDir();
    await writeFile(join(dataDir, 'password'), '');
    await expect(scope.open({ dataDir })).rejects.toMatchObject({ code: 'password_missing' });
    expect(await readdir(join(dataDir, 'cluster'))).toContain('PG_VERSION');
  });

  it('says when the password is that of another folder, and opens with the right one', async () => {
    const dataDir = await scope.openReadyDir();
    const file = join(dataDir, 'password');
    const own = await readFile(file, 'utf8');
    await writeFile(file, `${'0'.repeat(48)}\n`);
    await expect(scope.open({ dataDir })).rejects.toMatchObject({
      code: 'password_missing',
      message: 'the file `password` belongs to another database',
      remedy: expect.stringContaining('Restore the file `password`'),
    });
    await writeFile(file, own);
    await (await scope.open({ dataDir })).close();
  });
});

describe('findRunningPostgres', () => {
  it('finds the server while it runs, and nothing before and after', async () => {
    expect(await findRunningPostgres(join(await scope.openDir(), 'postgres'))).toBeUndefined();
    const dataDir = await scope.openReadyDir();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    const postgres = await scope.open({ dataDir });
    expect(await findRunningPostgres(dataDir)).toMatchObject({ url: postgres.url });
    await postgres.close();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });
});
