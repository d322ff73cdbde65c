import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chown, lchown, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

type Owner = { readonly uid: number; readonly gid: number };

/** How programs of PostgreSQL are started, and who owns the files they write (as seen by this process). */
export type RunAs = { readonly prefix: readonly string[]; readonly user?: Owner; readonly owner: Owner };

/** What a finished program left. */
type RunResult = { readonly ok: boolean; readonly output: string };

const nobody = { uid: 65534, gid: 65534 };

/** Above the ids of people, below those of systemd, and within the 65,536 that a container maps as a rule. */
const OWN_IDS = { from: 50_000, to: 60_000, tries: 2 };

const asNobodyOfNamespace = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'];

/**
 * The directory as PostgreSQL's programs are told it, for a program started inside of it.
 *
 * Node enters the working directory before it drops root, and on Linux this link leads there without passing the
 * directories above. So they may be 0700 and belong to root, and no capability or namespace is needed for it.
 */
export function dataDirArgument(dir: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : dir;
}

/** Starts a program of PostgreSQL in `cwd`, with nothing of this process's environment and in a session of its own. */
export function spawnAs(
  runAs: RunAs,
  command: readonly [string, ...string[]],
  cwd: string,
  stdio: StdioOptions,
): ChildProcess {
  const [program, ...args] = runAs.prefix.length > 0 ? [...runAs.prefix, ...command] : command;
  return spawn(program ?? command[0], args, {
    cwd,
    stdio,
    uid: runAs.user?.uid,
    gid: runAs.user?.gid,
    env: { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' },
    // A Ctrl-C in the terminal reaches the whole foreground group: the server must outlive the drain of its parent.
    detached: true,
  });
}

/** Runs a program of PostgreSQL to its end; a program that cannot be started is a failed one. */
export async function runAsToEnd(
  runAs: RunAs,
  command: readonly [string, ...string[]],
  cwd: string,
  stdinFd?: number,
): Promise<RunResult> {
  let child: ChildProcess;
  try {
    child = spawnAs(runAs, command, cwd, [stdinFd ?? 'ignore', 'pipe', 'pipe']);
  } catch (error) {
    return { ok: false, output: String(error) };
  }
  const ended = new Promise<RunResult>((resolve) => {
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('exit', (code) => resolve({ ok: code === 0, output: '' }));
  });
  const [result, stdout, stderr] = await Promise.all([
    ended,
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
  ]);
  return { ok: result.ok, output: [stdout, stderr, result.output].join('').trim() };
}

/**
 * Finds a way to run PostgreSQL, which refuses root. As this user; for root as the owner of the data directory, or,
 * where that is root too, as a user id of the cluster's own: files of a shared user such as nobody belong to every
 * program that runs as it. Root with one mapped uid gets another name in a user namespace.
 */
export async function findRunAs(dataDir: string, cluster: string): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  if (self.uid !== 0) return { prefix: [], owner: self };
  for (const find of [() => findOwners(dataDir, cluster), findFreeIds])
    for (const user of await find())
      if ((await canOwnFiles(dataDir, user)) && (await canRun({ prefix: [], user, owner: user }, 'true')))
        return { prefix: [], user, owner: user };
  const renamed: RunAs = { prefix: asNobodyOfNamespace, owner: self };
  if (await canRun(renamed, 'id', '-un')) return renamed;
  throw new EmbeddedPostgresError('no_unprivileged_user', 'root cannot become another user here');
}

/**
 * How to run initdb, which refuses a user without an entry in /etc/passwd: as the user of the server, else under the
 * name of nobody in a user namespace, which keeps the owner of the files. Where namespaces are forbidden, it runs as
 * nobody for the second that it takes, and the caller gives the files to the server's user afterwards.
 */
export async function findRunAsNamed(runAs: RunAs): Promise<RunAs> {
  const candidates: RunAs[] = [runAs, { ...runAs, prefix: asNobodyOfNamespace }];
  if (runAs.user !== undefined) candidates.push({ prefix: [], user: nobody, owner: nobody });
  for (const candidate of candidates) if (await canRun(candidate, 'id', '-un')) return candidate;
  throw new EmbeddedPostgresError('user_without_name', `the user ${runAs.owner.uid} has no entry in /etc/passwd`);
}

async function canRun(runAs: RunAs, ...command: readonly [string, ...string[]]): Promise<boolean> {
  return (await runAsToEnd(runAs, command, '/')).ok;
}

/** Who has the data directory, and who has had the cluster; never a user whom others share. */
async function findOwners(dataDir: string, cluster: string): Promise<readonly Owner[]> {
  const found = await Promise.all([dataDir, cluster].map((path) => stat(path).catch(() => undefined)));
  return found.flatMap((one) =>
    one === undefined || one.uid === 0 || one.uid === nobody.uid ? [] : [{ uid: one.uid, gid: one.gid }],
  );
}

/** Some ids that no user of this system has, in no order. */
async function findFreeIds(): Promise<readonly Owner[]> {
  const free: Owner[] = [];
  while (free.length < OWN_IDS.tries) {
    const uid = randomInt(OWN_IDS.from, OWN_IDS.to);
    const user = { uid, gid: uid };
    if (!(await canRun({ prefix: [], user, owner: user }, 'id', '-un'))) free.push(user);
  }
  return free;
}

async function canOwnFiles(dir: string, owner: Owner): Promise<boolean> {
  const probe = join(dir, `owner-probe-${process.pid}`);
  await writeFile(probe, '');
  try {
    await chown(probe, owner.uid, owner.gid);
    return true;
  } catch {
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}

/** Gives a file to a user. Where it is theirs already nothing is asked for: a sandbox may forbid the call itself. */
export async function chownTo(path: string, owner: Owner): Promise<void> {
  const { uid, gid } = await stat(path);
  if (uid !== owner.uid || gid !== owner.gid) await chown(path, owner.uid, owner.gid);
}

/** Gives a directory and its contents to the user that the server runs as; the top comes last, so a crash redoes it. */
export async function chownTree(dir: string, owner: Owner): Promise<void> {
  const top = await stat(dir);
  if (top.uid === owner.uid) return;
  for (const entry of await readdir(dir, { recursive: true })) await lchown(join(dir, entry), owner.uid, owner.gid);
  await chown(dir, owner.uid, owner.gid);
}
