import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nodeFiles } from './process-io.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-cli-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe('files of the machine', () => {
  it('replaces a file whole and leaves nothing beside it', async () => {
    const path = join(folder, 'whole');
    await nodeFiles.write(path, 'one');
    await nodeFiles.write(path, bytes('two'));
    expect(new TextDecoder().decode(await nodeFiles.read(path))).toBe('two');
    expect((await readdir(folder)).filter((name) => name.startsWith('whole'))).toEqual(['whole']);
  });

  it('shows a long file only when it is whole', async () => {
    const path = join(folder, 'long');
    await writeFile(path, 'before');
    const abandoned = await nodeFiles.openReplacement(path);
    await abandoned.append(bytes('half'));
    expect(await readFile(path, 'utf8')).toBe('before');
    await abandoned.abandon();
    const committed = await nodeFiles.openReplacement(path);
    await committed.append(bytes('a'));
    await committed.append(bytes('b'));
    await committed.commit();
    expect(await readFile(path, 'utf8')).toBe('ab');
    expect((await readdir(folder)).filter((name) => name.startsWith('long'))).toEqual(['long']);
  });

  it('writes to a device as it is', async () => {
    await nodeFiles.write('/dev/null', 'gone');
    const device = await nodeFiles.openReplacement('/dev/null');
    await device.append(bytes('gone'));
    await device.commit();
  });

  it('reads permission bits alone', async () => {
    const path = join(folder, 'mode');
    await writeFile(path, '');
    await chmod(path, 0o640);
    expect(await nodeFiles.mode(path)).toBe(0o640);
  });

  it('names what is wrong with a path by its code', async () => {
    await expect(nodeFiles.read(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(nodeFiles.write(join(folder, 'gone', 'file'), '')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
