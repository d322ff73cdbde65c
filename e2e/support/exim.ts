import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { findFreePort, isInstalled, runOpenssl } from '@answer-evidence/testing';
import { until } from '../../tools/scenery/service-process.ts';
import { type Arrived, parseMail } from './mailbox.ts';

const PROGRAM = 'exim4';
/** Of this machine, and none of the addresses that mails go to without TLS. */
const HOST = '127.0.0.2';
const USER = 'evidence';
const NOBODY = 65534;

/** For tests that need Exim: skipped where it is not installed. With `REQUIRE_SERVICES=1` they run. */
export const describeWithExim =
  process.env['REQUIRE_SERVICES'] === '1' || isInstalled(PROGRAM)
    ? describe
    : (describe.skip as unknown as typeof describe);

/**
 * Exim, which takes a mail for every address from somebody who has logged in over STARTTLS, and from nobody else. It
 * delivers into a folder. Anyone who opened it closes it.
 */
export async function openExim(password: string) {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-exim-'));
  const file = (name: string): string => join(folder, name);
  const port = await findFreePort();
  await runOpenssl(folder, [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key -out cert -subj /CN=x'.split(' '),
    ...['-addext', `subjectAltName=IP:${HOST}`],
  ]);
  // Exim delivers as nobody where it would be root.
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = isRoot ? [NOBODY, NOBODY] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const setPassword = (now: string) => writeFile(file('passwords'), `${USER}: ${now}\n`);
  await setPassword(password);
  await writeFile(file('config'), formatConfig(folder, { port, uid, gid }));
  await mkdir(file('mails'));
  if (isRoot) for (const name of ['', 'mails', 'cert', 'key', 'passwords']) await chown(file(name), uid, gid);

  async function start(): Promise<() => Promise<void>> {
    const user = isRoot ? { uid, gid } : {};
    const child = spawn(PROGRAM, ['-C', file('config'), '-bdf'], { stdio: 'ignore', ...user });
    const ended = once(child, 'exit');
    await Promise.race([
      until('Exim', () => isServed(port)),
      ended.then(() => Promise.reject(new Error('Exim ended'))),
    ]);
    return async () => {
      child.kill('SIGTERM');
      await ended;
    };
  }

  /** Every mail that was delivered, as it lies there. */
  async function readSources(): Promise<readonly string[]> {
    const names = await readdir(file('mails/new')).catch(() => []);
    const sources = await Promise.all(names.map((name) => readFile(join(file('mails/new'), name), 'latin1')));
    return sources.map((source) => source.replaceAll('\n', '\r\n'));
  }

  async function readMails(): Promise<readonly Arrived[]> {
    return (await readSources()).map((source) => parseMail(/^Envelope-to: (.*)\r$/m.exec(source)?.[1] ?? '', source));
  }

  let stop = await start();
  return {
    /** With the password that it was opened with. */
    url: `smtp://${USER}:${encodeURIComponent(password)}@${HOST}:${port}`,
    sender: USER,
    certificate: file('cert'),
    setPassword,
    /** From now on it responds 451 to every address, or no longer. */
    setBusy: (isBusy: boolean) => (isBusy ? writeFile(file('busy'), '') : rm(file('busy'))),
    stop: () => stop(),
    async start() {
      stop = await start();
    },
    readSources,
    readMails,
    /** Resolves with the first mail that fits. */
    async waitFor(what: string, fits: (one: Arrived) => boolean): Promise<Arrived> {
      let found: Arrived | undefined;
      await until(what, async () => (found = (await readMails()).find(fits)) !== undefined);
      return found as Arrived;
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isServed(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  try {
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    return greeting.toString().startsWith('220 ');
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

type Place = { readonly port: number; readonly uid: number; readonly gid: number };

function formatConfig(folder: string, { port, uid, gid }: Place): string {
  return `
primary_hostname = mail.example.com
exim_user = ${uid}
exim_group = ${gid}
never_users =
deliver_drop_privilege = true
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/pid
keep_environment =
local_interfaces = ${HOST}
daemon_smtp_ports = ${port}
host_lookup =
rfc1413_query_timeout = 0s
tls_advertise_hosts = *
tls_certificate = ${folder}/cert
tls_privatekey = ${folder}/key
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_mail = check_sender
acl_smtp_rcpt = check_recipient

begin acl
check_sender:
  deny message = STARTTLS is required
       !encrypted = *
  deny message = a login is required
       !authenticated = *
  accept
check_recipient:
  defer message = not now
        condition = \${if exists{${folder}/busy}}
  accept

begin routers
all:
  driver = accept
  transport = folder

begin transports
folder:
  driver = appendfile
  directory = ${folder}/mails
  maildir_format
  envelope_to_add
  return_path_add

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${lookup{$auth2}lsearch{${folder}/passwords}{\${if eq{$value}{$auth3}}}{false}}
  server_set_id = $auth2
`;
}
