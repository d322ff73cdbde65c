import { execFileSync } from 'node:child_process';
import { access, constants, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signRelease, writeRelease } from '../packages/build/write-release.ts';
import { findObstacles } from './find-obstacles.ts';
import { readIdentity } from './identity.ts';
import { makeRelease } from './make.ts';
import { readNotes } from './notes.ts';
import { run } from './run.ts';
import { type Tried, tryRelease } from './try-release.ts';

/** How a release is made. */
type Options = {
  /** Without what needs an account, a key or a tag. */
  readonly isRehearsal: boolean;
  readonly base?: string | undefined;
  readonly sign?: string | undefined;
  /** A folder of files that were made elsewhere. */
  readonly with?: string | undefined;
};

/** Makes everything, tries everything, and prints what was tried. Throws for the first thing that does not hold. */
export async function release(root: string, { isRehearsal, base, sign, with: others }: Options): Promise<void> {
  const out = join(root, 'dist/release');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const identity = readIdentity();
  const { version } = identity;
  const notes = readNotes(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (sign !== undefined) await access(sign);
  const state = {
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    isClean: git('status', '--porcelain') === '',
    unsteady: await readFile(join(root, '.ci/passed-only-again.txt'), 'utf8').catch(() => ''),
  };
  const obstacles = findObstacles({ identity, notes, base, sign, ...state });
  if (!isRehearsal && obstacles.length > 0) throw new Error(`not a release:\n${obstacles.join('\n')}`);

  console.log('building the programs and the console');
  await run('npm', ['run', 'console:build'], { cwd: root });
  await run('npm', ['run', 'build'], { cwd: root });
  console.log('building the documentation');
  await run('npm', ['run', 'docs:site'], { cwd: root });
  // On a disk: the folder for temporary files may be in memory, and this needs some GB.
  const work = await mkdtemp('/var/tmp/answer-evidence-release-');
  try {
    const revision = `${git('rev-parse', 'HEAD')}${state.isClean ? '' : '-changed'}`;
    const time = Number(process.env['SOURCE_DATE_EPOCH'] ?? git('log', '-1', '--format=%ct'));
    const tools = (await run(join(root, 'tools/foreign-tools/install.sh'), [])).trim();
    const making = { root, out, work, tools, version, base, revision, time };
    const made = await makeRelease(making);
    const tried = [...(await tryRelease(making, made))];
    if (others !== undefined) tried.push(...(await takeOthers(others, out)));
    await writeFile(join(out, 'notes.md'), notes.text);
    const names = (await run('ls', [out])).trim().split('\n');
    const forgotten = names.filter((name) => name !== 'notes.md' && !tried.some((one) => one.name === name));
    if (forgotten.length > 0) throw new Error(`nobody has tried ${forgotten.join(', ')}`);
    const { files } = await writeRelease(root, out, names);
    await run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out });
    const signed = await signOrTry(sign, out, work);

    console.log(`\n${version}, of ${revision}:\n`);
    for (const { name, seen } of tried) {
      const size = await stat(join(out, name)).then(
        ({ size: bytes }) => `${(bytes / 1e6).toFixed(2)} MB`,
        () => '',
      );
      console.log(`${name}  ${size}\n    ${seen}`);
    }
    console.log(`SHA256SUMS, release.json\n    the hashes of ${files.length} files hold; ${signed}`);
    for (const reason of made.missing) console.log(`not made: ${reason}`);
    for (const obstacle of obstacles) console.log(`before it is published: ${obstacle}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Takes what was made elsewhere, such as on a machine of another kind. A file that was made here stays as it is. */
async function takeOthers(folder: string, out: string): Promise<readonly Tried[]> {
  const taken: Tried[] = [];
  for (const name of await readdir(folder)) {
    await copyFile(join(folder, name), join(out, name), constants.COPYFILE_EXCL);
    taken.push({ name, seen: `taken from ${folder}, not tried here` });
  }
  return taken;
}

/** Signs the manifest, where no key is given with one of this run alone, and verifies it as auditors do. */
async function signOrTry(sign: string | undefined, out: string, work: string): Promise<string> {
  let key = sign;
  if (key === undefined) {
    key = join(work, 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  }
  await signRelease(out, key);
  const signers = join(work, 'signers');
  await writeFile(signers, `release ${await run('ssh-keygen', ['-y', '-f', key])}`);
  const verify = `ssh-keygen -Y verify -f ${signers} -I release -n answer-evidence-release -s release.json.sig <release.json`;
  await run('sh', ['-c', verify], { cwd: out });
  if (sign !== undefined) return 'the signature of release.json holds';
  await rm(join(out, 'release.json.sig'));
  return 'a signature by a key of this run held, and was removed';
}
