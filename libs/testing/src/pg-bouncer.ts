import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';

const PROGRAM = 'pgbouncer';
const START_MS = 10_000;
const NOBODY = 65534;

/** A PgBouncer before one server; anyone who opened it closes it. */
export type TestPgBouncer = {
  /** The URL of the server, through it. */
  readonly url: string;
  close(): Promise<void>;
};

/** Whether tests that need PgBouncer can run here. With `REQUIRE_SERVICES=1` they must. */
export function hasPgBouncer(): boolean {
  return process.env.REQUIRE_SERVICES === '1' || isInstalled(PROGRAM);
}

/** Starts a PgBouncer that knows the user of the URL, on a free port. Throws when there is no `pgbouncer`. */
export async function startTestPgBouncer(
  serverUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<TestPgBouncer> {
  const target = new URL(serverUrl);
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-pgbouncer-'));
  const port = await findFreePort();
  const users = join(dir, 'users.txt');
  const config = join(dir, 'pgbouncer.ini');
  await writeFile(users, `"${target.username}" "${target.password}"\n`);
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  await writeFile(
    config,
    ['[databases]', `* = host=${target.hostname} port=${target.port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  );
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) for (const path of [dir, users, config]) await chown(path, NOBODY, NOBODY);
  const child = spawn(PROGRAM, ['--quiet', config], { stdio: 'ignore', ...user });
  const ended = once(child, 'exit');
  const url = new URL(serverUrl);
  url.port = String(port);
  async function close(): Promise<void> {
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  }
  try {
    await untilAnswered(url.href, Date.now() + START_MS);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: url.href, close };
}

async function untilAnswered(url: string, deadline: number): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
