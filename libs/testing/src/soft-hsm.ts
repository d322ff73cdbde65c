import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isInstalled } from './is-installed.ts';

const run = promisify(execFile);
const PIN = '271828';
const SO_PIN = '314159';
/** One to make tokens, one that looks into them, and what compiles pkcs11js. */
const PROGRAMS = ['softhsm2-util', 'pkcs11-tool', 'g++'];
const MODULES = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/local/lib/softhsm/libsofthsm2.so'];
const MODULE = MODULES.find((path) => existsSync(path)) ?? '/usr/lib/softhsm/libsofthsm2.so';
const INSTALL = fileURLToPath(new URL('../../../tools/pkcs11/install.sh', import.meta.url));
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');

/** A token in SoftHSM, with a folder of its own; anyone who opened it closes it. */
export type SoftHsm = Awaited<ReturnType<typeof openSoftHsm>>;

/** Whether tests that need SoftHSM can run here. With `REQUIRE_SERVICES=1` they must. */
export function hasSoftHsm(): boolean {
  if (process.env.REQUIRE_SERVICES === '1') return true;
  return existsSync(MODULE) && PROGRAMS.every(isInstalled);
}

/**
 * A new token "evidence". Its library finds it by `variables`, which must be in the environment of the process.
 * Compiles pkcs11js at first.
 */
export async function openSoftHsm() {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-hsm-'));
  const tokens = join(folder, 'tokens');
  const config = join(folder, 'softhsm2.conf');
  await mkdir(tokens);
  await writeFile(config, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  const variables = { SOFTHSM2_CONF: config };
  const env = { ...process.env, ...variables };
  const packageFolder = await installPackage();

  async function addToken(label: string): Promise<void> {
    await run('softhsm2-util', ['--init-token', '--free', '--label', label, '--so-pin', SO_PIN, '--pin', PIN], { env });
  }
  await addToken('evidence');
  return {
    module: MODULE,
    token: 'evidence',
    pin: PIN,
    packageFolder,
    variables,
    tokens,
    addToken,
    /** What `pkcs11-tool` prints, logged in. */
    async tool(...args: readonly string[]): Promise<string> {
      const login = ['--module', MODULE, '--token-label', 'evidence', '--login', '--pin', PIN];
      return (await run('pkcs11-tool', [...login, ...args], { env })).stdout;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** pkcs11js, compiled once for all tests. */
async function installPackage(): Promise<string> {
  const version = /^version=(.+)$/m.exec(await readFile(INSTALL, 'utf8'))?.[1] ?? '';
  const folder = join(CACHE, 'answer-evidence', `pkcs11js-${version}-${process.arch}`);
  if (!existsSync(join(folder, 'build/Release/pkcs11.node'))) await run(INSTALL, [folder]);
  return folder;
}
