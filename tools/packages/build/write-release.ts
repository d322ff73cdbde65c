import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';

const run = promisify(execFile);

/** What a release consists of, as it is signed. */
export type Release = {
  readonly format: 'answer-evidence-release/v1';
  readonly version: string;
  /** The commit that the files were built from; null outside of a repository. */
  readonly commit: string | null;
  readonly files: readonly { readonly name: string; readonly size_bytes: number; readonly sha256: string }[];
};

/** Writes `release.json` and `SHA256SUMS` beside the files that they name. */
export async function writeRelease(root: string, out: string, names: readonly string[]): Promise<Release> {
  const files = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(out, name));
      return { name, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  const release: Release = {
    format: 'answer-evidence-release/v1',
    version: PRODUCT_VERSION,
    commit: await findCommit(root),
    files,
  };
  await writeFile(join(out, 'release.json'), `${JSON.stringify(release, undefined, 2)}\n`);
  await writeFile(join(out, 'SHA256SUMS'), files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  return release;
}

async function findCommit(root: string): Promise<string | null> {
  try {
    return (await run('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
  } catch {
    return null;
  }
}

/** The namespace of the signature: one of another purpose does not count (`man ssh-keygen`, -Y sign). */
export const NAMESPACE = 'answer-evidence-release';

/** Signs `release.json` with an SSH key, into `release.json.sig`. Throws what `ssh-keygen` has to say. */
export async function signRelease(out: string, keyFile: string): Promise<void> {
  await run('ssh-keygen', ['-Y', 'sign', '-q', '-f', keyFile, '-n', NAMESPACE, join(out, 'release.json')]);
}
