import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { isInstalled } from './is-installed.ts';
import { startProgram } from './start-program.ts';

const PROGRAM = 'pgbouncer';
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
  const port = await findFreePort();
  const url = new URL(serverUrl);
  url.port = String(port);
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
  const { close } = await startProgram(PROGRAM, {
    async prepare(folder) {
      const users = join(folder, 'users.txt');
      const config = join(folder, 'pgbouncer.ini');
      await writeFile(users, `"${target.username}" "${target.password}"\n`);
      const lines = Object.entries({
        listen_addr: '127.0.0.1',
        listen_port: String(port),
        unix_socket_dir: '',
        auth_type: 'scram-sha-256',
        auth_file: users,
        ...settings,
      }).map(([name, value]) => `${name} = ${value}`);
      const databases = ['[databases]', `* = host=${target.hostname} port=${target.port}`];
      await writeFile(config, [...databases, '[pgbouncer]', ...lines, ''].join('\n'));
      if (user !== undefined) for (const path of [folder, users, config]) await chown(path, NOBODY, NOBODY);
      return [PROGRAM, '--quiet', config];
    },
    ask: () => selectOne(url.href),
    signal: 'SIGKILL',
    user,
  });
  return { url: url.href, close };
}

async function selectOne(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
