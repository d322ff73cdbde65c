import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { formatObjectName, ObjectMissingError, type ObjectName, type ObjectStore } from '@answer-evidence/ports';
import { objectStoreContract } from '@answer-evidence/ports/contracts';
import { openFileObjects } from './objects.ts';

const WORKSPACE_ID = '0199f3c2-0000-7000-8000-000000000001';
const NAME = formatObjectName(WORKSPACE_ID, '0199f3c2-1111-7000-8000-0000000000ab');
const nowMicros = () => Date.now() * 1_000;

let directory: string;
let store: ObjectStore;
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'objects-')), 'made', 'objects');
  store = await openFileObjects(directory);
});
afterEach(() => rm(join(directory, '..', '..'), { recursive: true, force: true }));

async function* bytesOf(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
}

async function namesIn(objects: ObjectStore): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of objects.list()) names.push(name);
  return names;
}

describe('objects as files', () => {
  it.each(objectStoreContract.map((promise) => [promise.guarantee, promise] as const))(
    'keep the contract: %s',
    (_, promise) => promise.prove({ store, nowMicros, largeBytes: 300_001 }),
  );

  it('lie at their names, for the service alone', async () => {
    await store.put(NAME, bytesOf('all ', 'of it'));
    const path = join(directory, WORKSPACE_ID, 'ab', '0199f3c2-1111-7000-8000-0000000000ab');
    expect(await readFile(path, 'utf8')).toBe('all of it');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, WORKSPACE_ID))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(directory, '.drafts'))).toEqual([]);
  });

  it.each(['../outside', '/etc/passwd', `${WORKSPACE_ID}/cd/0199f3c2-1111-7000-8000-0000000000ab`, ''])(
    'have no other names: %s',
    async (name) => {
      const other = name as ObjectName;
      await expect(store.put(other, bytesOf('x'))).rejects.toThrow(RangeError);
      await expect(store.read(other)[Symbol.asyncIterator]().next()).rejects.toThrow(RangeError);
      await expect((async () => store.find(other))()).rejects.toThrow(RangeError);
      await expect((async () => store.delete(other))()).rejects.toThrow(RangeError);
    },
  );

  it('are written as fast as they are stored: no piece is asked for before the last one is in the file', async () => {
    const sizes: number[] = [];
    async function* watched(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 5; n++) {
        const [draft = ''] = await readdir(join(directory, '.drafts'));
        sizes.push((await stat(join(directory, '.drafts', draft))).size);
        yield new Uint8Array(10);
      }
    }
    await store.put(NAME, watched());
    expect(sizes).toEqual([0, 10, 20, 30, 40]);
  });

  it('are stored again after their folder was taken away, at the second try at the latest', async () => {
    await store.put(NAME, bytesOf('kept'));
    await rm(join(directory, WORKSPACE_ID), { recursive: true });
    const put = () => store.put(NAME, bytesOf('again'));
    await put().catch(put);
    expect((await store.find(NAME))?.sizeBytes).toBe(5);
  });

  it('leave a draft when the process is killed, which is removed when it is old', async () => {
    const draft = join(directory, '.drafts', '0199f3c2-2222-7000-8000-000000000000');
    await writeFile(draft, 'the beginning of someth');
    expect(await namesIn(store)).toEqual([]);
    expect(await store.deleteRemains(nowMicros() - 60_000_000)).toBe(0);
    expect(await store.deleteRemains(nowMicros() + 60_000_000)).toBe(1);
    expect(await readdir(join(directory, '.drafts'))).toEqual([]);
  });

  it('are no links, wherever they lead: nothing is read through one, and a new object takes its place', async () => {
    const outside = join(directory, '..', 'outside');
    await writeFile(outside, 'of somebody else');
    await store.put(NAME, bytesOf('own'));
    const path = join(directory, ...NAME.split('/'));
    await rm(path);
    await symlink(outside, path);
    expect([await store.find(NAME), await namesIn(store)]).toEqual([undefined, []]);
    await expect(store.read(NAME)[Symbol.asyncIterator]().next()).rejects.toThrow(ObjectMissingError);
    await store.put(NAME, bytesOf('own'));
    expect([(await store.find(NAME))?.sizeBytes, await readFile(outside, 'utf8')]).toEqual([3, 'of somebody else']);
  });

  it('share a place with what is not theirs', async () => {
    await store.put(NAME, bytesOf('own'));
    await writeFile(join(directory, WORKSPACE_ID, 'ab', 'notes.txt'), 'x');
    await writeFile(join(directory, 'README'), 'x');
    expect(await namesIn(store)).toEqual([NAME]);
  });

  it.each<readonly [string, () => Promise<unknown>]>([
    ['is gone, as a disk that is not mounted,', () => rename(directory, `${directory}.away`)],
    ['is not one', () => rename(directory, `${directory}.away`).then(() => writeFile(directory, ''))],
  ])('are unavailable while the folder %s, and nothing is said of any', async (_, takeAway) => {
    await store.put(NAME, bytesOf('kept'));
    await takeAway();
    const refusal = { code: 'object_store_unavailable', message: expect.not.stringContaining(directory) };
    await expect(store.put(NAME, bytesOf('x'))).rejects.toMatchObject(refusal);
    await expect(store.read(NAME)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refusal);
    await expect(store.find(NAME)).rejects.toMatchObject(refusal);
    await expect(store.delete(NAME)).rejects.toMatchObject(refusal);
    await expect(namesIn(store)).rejects.toMatchObject(refusal);
    await expect(store.deleteRemains(nowMicros())).rejects.toMatchObject(refusal);
    await rm(directory, { force: true, recursive: true });
    await rename(`${directory}.away`, directory);
    expect((await store.find(NAME))?.sizeBytes).toBe(4);
  });
});
