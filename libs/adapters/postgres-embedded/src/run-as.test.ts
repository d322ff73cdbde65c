import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestScope, holdPostgres, query } from './fixtures/test-scope.ts';

const scope = createTestScope();
afterEach(() => scope.close());

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
const daemon = 1;
const nameless = 61_234;
const asRootOfNamespace = ['unshare', '--user', '--map-root-user', '--'];
const canRun = (command: readonly string[], uid?: number): boolean =>
  spawnSync(command[0] ?? '', command.slice(1), { uid, gid: uid }).status === 0;

const createRow = 'create table kept as select 42 as answer';

describe('PostgreSQL and the user who starts it', () => {
  it('runs below directories that are closed to others, never as root nor as a user whom programs share', async () => {
    const closed = join(await scope.openDir(), 'home');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'repository', 'data', 'postgres');
    const first = await scope.open({ dataDir });
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
    const owner = (await stat(`/proc/${first.pid}`)).uid;
    expect((await stat(join(dataDir, 'cluster'))).uid).toBe(owner);
    if (!isRoot) expect(owner).toBe(process.getuid?.());
    else {
      expect(owner).toBeGreaterThanOrEqual(50_000);
      expect(owner).toBeLessThan(60_000);
      expect(canRun(['id', '-un'], owner)).toBe(false);
    }
    await first.close();
    const second = await scope.open({ dataDir });
    expect((await stat(`/proc/${second.pid}`)).uid).toBe(owner);
  });

  if (isRoot)
    it('takes over a cluster that ran as nobody, with all of its files', async () => {
      const dataDir = await scope.openDir();
      const before = await scope.open({ dataDir });
      await query(before.url, createRow);
      await before.close();
      for (const name of ['cluster', 'password', 'port'])
        expect(spawnSync('chown', ['-R', `${nobody}:${nobody}`, join(dataDir, name)]).status).toBe(0);

      const { url, pid, firstStart } = await scope.open({ dataDir });
      expect(firstStart).toBe(false);
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      const owner = (await stat(`/proc/${pid}`)).uid;
      expect(owner).toBeLessThan(60_000);
      for (const entry of await readdir(join(dataDir, 'cluster'), { recursive: true }))
        expect((await lstat(join(dataDir, 'cluster', entry))).uid).toBe(owner);
    });

  // Where this process is root and the repository is open to others, the other side is tested as well.
  if (isRoot && canRun(['id', '-un'], daemon) && canRun([process.execPath, holdPostgres], daemon)) {
    it('runs for an ordinary user, whose directory stays theirs when root opens it later', async () => {
      const dataDir = await scope.openDir();
      await chown(dataDir, daemon, daemon);
      const held = await scope.hold(dataDir, createRow, { uid: daemon });
      expect(await query(held.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await scope.end(held);

      const asRoot = await scope.open({ dataDir });
      expect(await query(asRoot.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await asRoot.close();

      const again = await scope.hold(dataDir, 'insert into kept values (43)', { uid: daemon });
      expect(again.firstStart).toBe(false);
      expect(await query(again.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: 2 }]);
    });

    it('tells an ordinary user that the directory of another is not writable', async () => {
      const dataDir = await scope.openDir();
      await chmod(dataDir, 0o755);
      const result = spawnSync(process.execPath, [holdPostgres, dataDir], {
        uid: nobody,
        gid: nobody,
        encoding: 'utf8',
      });
      expect(result.status).not.toBe(0);
      expect(result.stderr).toContain("code: 'data_dir_unwritable'");
    });
  }

  if (isRoot && canRun(['unshare', '--user', process.execPath, holdPostgres], nameless)) {
    it('runs for a user without a name, as containers give them', async () => {
      const dataDir = await scope.openDir();
      await chown(dataDir, nameless, nameless);
      const held = await scope.hold(dataDir, createRow, { uid: nameless });
      expect(await query(held.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
  }

  if (canRun([...asRootOfNamespace, 'true'])) {
    it('runs for a root that has no other user to become', async () => {
      const dataDir = await scope.openDir();
      const held = await scope.hold(dataDir, createRow, { prefix: asRootOfNamespace });
      expect(await query(held.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
  }
});
