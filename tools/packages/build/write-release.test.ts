import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PRODUCT_VERSION } from '@answer-evidence/contracts';
import { NAMESPACE, signRelease, writeRelease } from './write-release.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const SIGNER = 'release@evidence.example';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ae-release-'));
  writeFileSync(join(folder, 'verify.html'), '<p>');
  await writeRelease(ROOT, folder, ['verify.html']);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Verifies the manifest as docs/auditor.md says; whether the signature holds. */
async function verifySignature(): Promise<boolean> {
  const signers = ['-f', join(folder, 'signers'), '-I', SIGNER, '-n', NAMESPACE];
  const verifying = run('ssh-keygen', ['-Y', 'verify', ...signers, '-s', join(folder, 'release.json.sig')]);
  const verdict = verifying.then(
    () => true,
    () => false,
  );
  const { stdin } = verifying.child;
  // One that refuses may end before it has read all; what it says then counts.
  if (stdin !== null) await pipeline(createReadStream(join(folder, 'release.json')), stdin).catch(() => undefined);
  return verdict;
}

describe('a release', () => {
  it('names the version, the commit and the hash of every file', async () => {
    const release: unknown = JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'));
    const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: ROOT });
    const sha256 = createHash('sha256').update('<p>').digest('hex');
    expect(release).toEqual({
      format: 'answer-evidence-release/v1',
      version: PRODUCT_VERSION,
      commit: stdout.trim(),
      files: [{ name: 'verify.html', size_bytes: 3, sha256 }],
    });
    await expect(run('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })).resolves.toBeDefined();
  });

  it('is signed so that ssh-keygen verifies it, and not once a byte has changed', async () => {
    const key = join(folder, 'key');
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    writeFileSync(join(folder, 'signers'), `${SIGNER} ${readFileSync(`${key}.pub`, 'utf8')}`);
    await signRelease(folder, key);
    expect(await verifySignature()).toBe(true);
    const manifest = readFileSync(join(folder, 'release.json'), 'utf8');
    writeFileSync(join(folder, 'release.json'), manifest.replace('"size_bytes": 3', '"size_bytes": 4'));
    expect(await verifySignature()).toBe(false);
  });

  it('is not signed by a key that is not there', async () => {
    await expect(signRelease(folder, join(folder, 'nothing'))).rejects.toThrow();
  });
});
