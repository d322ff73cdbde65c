import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildVerifierPage } from '../../../libs/adapters/pack-page/src/build-page.ts';
import { buildPackage } from './build-package.ts';

const PROGRAM = 'answer-evidence-verify.mjs';
const PAGE = 'verify.html';

/** What is published for Node: the folders of the packages, built in `work`, and the files of a release in `out`. */
export async function buildAll(root: string, work: string, out: string): Promise<readonly string[]> {
  await mkdir(out, { recursive: true });
  const tarballs: string[] = [];
  for (const folder of globSync('packages/*/package.json', { cwd: root })
    .map((file) => dirname(file))
    .sort()) {
    console.log(`building ${folder}`);
    const built = join(work, basename(folder));
    await rm(built, { recursive: true, force: true });
    await buildPackage(root, folder, built);
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', out], {
      cwd: built,
    });
    tarballs.push(stdout.trim());
  }
  await copyFile(join(work, 'cli/dist/answer-evidence-verify.js'), join(out, PROGRAM));
  await writeFile(join(out, PAGE), await buildVerifierPage());
  return [...tarballs, PROGRAM, PAGE];
}
