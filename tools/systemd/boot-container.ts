import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '@answer-evidence/testing';

/** Why no container with systemd can be booted here, in words; undefined where it can. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  return isInstalled('systemd-nspawn') ? undefined : 'needs systemd-nspawn (Debian: systemd-container)';
}

/** What a script in a container left: what it printed, and the values that it wrote as `name=value` lines. */
export type BootedRun = { readonly log: string; readonly values: Readonly<Record<string, string>> };

const UNIT = `[Unit]
Wants=basic.target
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/sh /results/script
StandardOutput=file:/results/log
StandardError=inherit
ExecStopPost=systemctl poweroff --force
`;

/**
 * Boots this very system in a container, with all that is written kept in memory and a network of its own, and runs a
 * shell script as root in it, to its end. It finds `given` at the place `at`, and writes its values to /results/values.
 */
export async function runBooted(
  given: string,
  script: string,
  timeoutMs: number,
  at = '/opt/answer-evidence',
): Promise<BootedRun> {
  const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-booted-'));
  const results = join(folder, 'results');
  const memory = join(folder, 'memory');
  const root = join(memory, 'root');
  const mounted: string[] = [];
  try {
    await mkdir(results);
    await mkdir(memory);
    mount(mounted, ['-t', 'tmpfs', '-o', 'size=4g', 'tmpfs', memory]);
    for (const name of ['upper', 'work', 'root']) await mkdir(join(memory, name));
    const layers = `lowerdir=/,upperdir=${join(memory, 'upper')},workdir=${join(memory, 'work')}`;
    mount(mounted, ['-t', 'overlay', '-o', layers, 'overlay', root]);
    await writeFile(join(root, 'etc/machine-id'), '');
    await mkdir(join(root, at), { recursive: true });
    await writeFile(join(root, 'etc/systemd/system/try.service'), UNIT);
    await writeFile(join(results, 'script'), script);
    await writeFile(join(results, 'log'), '');
    await writeFile(join(results, 'values'), '');
    const binds = [`--bind-ro=${given}:${at}`, `--bind=${results}:/results`];
    const isolation = ['--register=no', '--keep-unit', '--private-network', '--quiet', '--console=pipe'];
    const args = [...isolation, `--directory=${root}`, ...binds, '--boot', 'systemd.unit=try.service'];
    const said = await runToEnd('systemd-nspawn', args, timeoutMs);
    const values = (await readFile(join(results, 'values'), 'utf8')).split('\n').filter((line) => line !== '');
    return {
      log: `${said}${await readFile(join(results, 'log'), 'utf8')}`,
      values: Object.fromEntries(values.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])),
    };
  } finally {
    for (const path of mounted.toReversed()) spawnSync('umount', ['--lazy', path]);
    await rm(folder, { recursive: true, force: true });
  }
}

function mount(mounted: string[], args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`mount ${args.join(' ')}: ${stderr}`);
  mounted.push(args.at(-1) ?? '');
}

async function runToEnd(program: string, args: readonly string[], timeoutMs: number): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => said.push(bytes.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return said.join('');
}
