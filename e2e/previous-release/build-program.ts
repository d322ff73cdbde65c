import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../../tools/scenery/service-process.ts';

/** The commit of the last release, whose program the test builds. */
export const COMMIT_FILE = new URL('program.json', import.meta.url);

/** Why the program of a commit cannot be built here, in words; undefined where it can. */
export function findObstacle(commit: string): string | undefined {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: REPOSITORY });
  return status === 0 ? undefined : `needs the history of the repository, with ${commit.slice(0, 10)}`;
}

/**
 * Bundles the server of a commit into an empty folder, from its own sources with the packages that are installed here;
 * the file that Node runs.
 */
export async function buildProgram(commit: string, folder: string): Promise<string> {
  const archive = execFileSync('git', ['archive', commit], { cwd: REPOSITORY, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const packages = join(folder, 'node_modules');
  await mkdir(join(packages, '@answer-evidence'), { recursive: true });
  for (const name of await readdir(join(REPOSITORY, 'node_modules')))
    if (name !== '@answer-evidence') await symlink(join(REPOSITORY, 'node_modules', name), join(packages, name));
  // The workspace's own packages are those of the commit.
  for (const file of globSync('{libs,apps,packages}/**/package.json', { cwd: folder })) {
    const { name } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { readonly name?: string };
    if (name?.startsWith('@answer-evidence/') === true)
      await symlink(join(folder, dirname(file)), join(packages, name));
  }
  const main = join(folder, 'bundle/main.js');
  const tool = join(folder, 'tools/build/bundle.mjs');
  execFileSync(process.execPath, [tool, 'src/main.ts', main], { cwd: join(folder, 'apps/server') });
  return main;
}
