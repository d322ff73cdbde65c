import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBaseImages } from '../oci/base-image.ts';
import type { Made } from './make.ts';
import { type Installed, proveAnswer } from './prove-answer.ts';
import { run } from './run.ts';

const SETTINGS = { SERVICE_HTTP_HOST: '127.0.0.1', SERVICE_HTTP_PORT: '0', SERVICE_METRICS_PORT: '0' };
const USER = 10_001;
const IMAGE_DATA = 'var/lib/answer-evidence';

/** Unpacks the tarball for Linux, starts the service that is in it and proves an answer of it. */
export async function tryLinux(tarball: string, work: string, installed: Installed): Promise<void> {
  const root = join(work, 'linux');
  await mkdir(root, { recursive: true });
  await run('tar', ['--extract', `--file=${tarball}`, `--directory=${root}`]);
  // Its commands name the place where it is installed.
  const command = join(root, 'usr/bin/answer-evidence-server');
  const text = (await readFile(command, 'utf8')).replaceAll('/opt/answer-evidence', join(root, 'opt/answer-evidence'));
  await writeFile(command, text);
  const dataDir = await mkdtemp(join(work, 'data-'));
  const environment = { PATH: '/usr/bin:/bin', HOME: dataDir, SERVICE_DATA_DIR: dataDir, SERVICE_DATA_DIR_LASTS: 'on' };
  const child = start([command], { ...environment, ...SETTINGS });
  await proveAnswer(child, { dataDir, work: join(work, 'answer-of-linux'), installed });
}

/** Whether the Debian package has the files of the tarball, which was tried. Throws if not. */
export async function compareDebian(tarball: string, deb: string): Promise<void> {
  const of = async (command: string) => (await run('sh', ['-c', `set -e; ${command}`])).trim().split('\n').sort();
  const inTarball = await of(`tar --list --file='${tarball}'`);
  const inPackage = await of(`dpkg-deb --fsys-tarfile '${deb}' | tar --list | sed 's,^./,,'`);
  const missing = inTarball.filter((path) => !inPackage.includes(path));
  if (missing.length > 0) throw new Error(`${deb} lacks ${missing.length} files, such as ${missing[0]}`);
}

/**
 * Reads the archive of images as a registry would, comparing every digest; and as root, starts the one for this machine
 * as an engine would, without rights and as a user of its own, and proves an answer of it. Why it was not started.
 */
export async function tryImage(
  { file, platforms }: Made['image'],
  work: string,
  installed: Installed,
): Promise<string | undefined> {
  const layout = join(work, 'image');
  await mkdir(layout, { recursive: true });
  await run('tar', ['--extract', `--file=${file}`, `--directory=${layout}`]);
  const images = await readBaseImages(layout, platforms);
  const own = images.find(({ platform: { architecture } }) => architecture === { x64: 'amd64' }[process.arch as 'x64']);
  if (own === undefined) return 'there is none for this machine';
  if (process.getuid?.() !== 0) return 'only root can start it without an engine';
  const root = join(work, 'image-root');
  await mkdir(root);
  for (const { file: layer } of own.layers) await run('tar', ['--extract', `--file=${layer}`, `--directory=${root}`]);
  // What an engine mounts there.
  await mkdir(join(root, 'dev/shm'), { recursive: true });
  await chmod(join(root, 'dev/shm'), 0o1777);
  await run('sh', ['-c', `[ -e '${root}/dev/null' ] || mknod --mode=666 '${root}/dev/null' c 1 3`]);
  await symlink('/proc/self/fd/0', join(root, 'dev/stdin')).catch(() => undefined);
  await mkdir(join(root, 'proc'), { recursive: true });
  const { Env: lines = [], Entrypoint: entry = [] } = own.config.config as {
    readonly Env?: readonly string[];
    readonly Entrypoint?: readonly string[];
  };
  const environment: Record<string, string> = {};
  for (const line of lines) environment[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
  const ids = ['-G', String(USER), '-S', String(USER)];
  const inside = ['unshare', '--mount-proc', '--root', root, '--wd', `/${IMAGE_DATA}`, ...ids, ...entry];
  await proveAnswer(start(inside, { ...environment, ...SETTINGS }), {
    dataDir: join(root, IMAGE_DATA),
    work: join(work, 'answer-of-image'),
    installed,
  });
  return undefined;
}

function start([command = '', ...args]: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  return spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}
