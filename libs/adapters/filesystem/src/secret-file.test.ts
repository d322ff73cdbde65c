import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withDirectory } from './fixtures/with-directory.ts';
import { readOrCreateSecretFile } from './secret-file.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
const never = () => {
  throw new Error('must not be called');
};

describe('readOrCreateSecretFile', () => {
  it('makes the secret once and reads the same one ever after', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      expect(await readOrCreateSecretFile(path, () => SECRET)).toEqual({ secret: SECRET, created: true });
      expect(await readOrCreateSecretFile(path, never)).toEqual({ secret: SECRET, created: false });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readFile(path, 'utf8')).toBe(`${Buffer.from(SECRET).toString('base64')}\n`);
      expect(await readdir(directory)).toEqual(['master.key']);
    }));

  it('gives all of many starters the same secret, and says to one that it made it', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      const starters = Array.from({ length: 20 }, (_, i) =>
        readOrCreateSecretFile(path, () => new Uint8Array(32).fill(i + 1)),
      );
      const results = await Promise.all(starters);
      const kept = await readOrCreateSecretFile(path, never);
      expect(results.filter(({ created }) => created)).toHaveLength(1);
      for (const { secret } of results) expect(secret).toEqual(kept.secret);
      expect(await readdir(directory)).toEqual(['master.key']);
    }));

  it('refuses a file that group or others can read, and says what to run', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      await readOrCreateSecretFile(path, () => SECRET);
      for (const mode of [0o640, 0o604, 0o620, 0o610]) {
        await chmod(path, mode);
        await expect(readOrCreateSecretFile(path, never)).rejects.toThrow(`chmod 600 ${path}`);
      }
      await chmod(path, 0o400);
      expect((await readOrCreateSecretFile(path, never)).secret).toEqual(SECRET);
    }));

  it('refuses what is not base64, without replacing or quoting it', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      for (const text of ['', '\n', 'hunter2!', 'AAA', 'AB==', 'AAAA AAAA']) {
        await writeFile(path, text, { mode: 0o600 });
        const error: unknown = await readOrCreateSecretFile(path, never).catch((thrown: unknown) => thrown);
        expect(String(error)).toBe(`Error: ${path} does not hold a base64 secret; restore it from a backup`);
        expect(await readFile(path, 'utf8')).toBe(text);
      }
    }));

  it('makes no file when no secret could be made, or an empty one', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      await expect(readOrCreateSecretFile(path, never)).rejects.toThrow('must not be called');
      await expect(readOrCreateSecretFile(path, () => new Uint8Array())).rejects.toThrow('is empty');
      expect(await readdir(directory)).toEqual([]);
    }));

  it('takes neither a link nor a pipe for the file, wherever it leads, and makes none in its place', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      await readOrCreateSecretFile(join(directory, 'other.key'), () => SECRET);
      for (const target of ['other.key', 'nowhere', path]) {
        await symlink(target, path);
        await expect(readOrCreateSecretFile(path, never)).rejects.toThrow(
          `${path} is a link; put the file itself in its place`,
        );
        await rm(path);
      }
      execFileSync('mkfifo', ['-m', '600', path]);
      await expect(readOrCreateSecretFile(path, never)).rejects.toThrow(`${path} is not a file`);
      expect(await readdir(directory)).toEqual(['master.key', 'other.key']);
    }));

  it('takes no unreadable file for a missing one', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'master.key');
      await mkdir(path, { mode: 0o700 });
      await expect(readOrCreateSecretFile(path, never)).rejects.toMatchObject({ code: 'EISDIR' });
    }));
});
