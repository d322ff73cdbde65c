import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { chown, lchown, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

type Owner = { readonly uid: number; readonly gid: number };

/** How programs of PostgreSQL are started, and who owns the files they write (as seen by this process). */
export type RunAs = { readonly prefix: readonly string[]; readonly user?: Owner; readonly owner: Owner };

/** What a finished program left. */
type RunResult = { readonly ok: boolean; readonly output: string };

const nobody = 65534;

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
 * Finds a way to run PostgreSQL, which refuses root, and whose initdb refuses a user without a name.
 *
 * As this user; for root as the owner of the data directory, or as nobody where that is root too. Else (a container
 * with one mapped uid, or a uid without an entry in /etc/passwd) a user namespace gives this user the name of nobody.
 * It comes last: container runtimes forbid namespaces more often than they take CAP_SETUID away.
 */
export async function findRunAs(dataDir: string): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const above = await stat(dataDir);
  const users = [
    { uid: above.uid, gid: above.gid },
    { uid: nobody, gid: nobody },
  ].filter(({ uid }) => uid !== 0);
  const renamed: RunAs = {
    prefix: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--'],
    owner: self,
  };
  const candidates: readonly RunAs[] =
    self.uid === 0
      ? [...users.map((user): RunAs => ({ prefix: [], user, owner: user })), renamed]
      : [{ prefix: [], owner: self }, renamed];
  for (const candidate of candidates) {
    if (candidate.user !== undefined && !(await canOwnFiles(dataDir, candidate.user))) continue;
    if ((await runAsToEnd(candidate, ['id', '-un'], '/')).ok) return candidate;
  }
  throw self.uid === 0
    ? new EmbeddedPostgresError('no_unprivileged_user', 'root cannot become another user here')
    : new EmbeddedPostgresError('user_without_name', `the user ${self.uid} has no entry in /etc/passwd`);
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

/** Gives a directory and its contents to the user that the server runs as; the top comes last, so a crash redoes it. */
export async function chownTree(dir: string, owner: Owner): Promise<void> {
  const top = await stat(dir);
  if (top.uid === owner.uid) return;
  for (const entry of await readdir(dir, { recursive: true })) await lchown(join(dir, entry), owner.uid, owner.gid);
  await chown(dir, owner.uid, owner.gid);
}
