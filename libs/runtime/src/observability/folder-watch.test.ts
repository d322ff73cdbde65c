import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import type { Space } from '@answer-evidence/filesystem';
import { FolderWatch } from './folder-watch.ts';

const GIB = 1 << 30;
const folder = (name: string) => ({ name, path: `/at/${name}`, setting: `${name.toUpperCase()}_DIR` });
const FOLDERS = ['data', 'temporary', 'evidence', 'heads'].map(folder);

/** A watch of folders whose rooms the test sets, by their names. */
function watchOf(rooms: Record<string, Space | 'hangs' | 'fails'>) {
  const asked: string[] = [];
  const watch = new FolderWatch(FOLDERS, (path) => {
    const name = path.slice('/at/'.length);
    asked.push(name);
    const room = rooms[name];
    if (room === 'hangs') return new Promise(() => undefined);
    return room === 'fails' || room === undefined ? Promise.reject(new Error('EACCES')) : Promise.resolve(room);
  });
  return { watch, asked };
}

function onDisk(fileSystem: number, freeBytes: number, sizeBytes = 100 * GIB): Space {
  return { fileSystem, freeBytes, sizeBytes };
}

describe('the room of folders', () => {
  it('counts folders on one file system once, under the first', async () => {
    const { watch } = watchOf({
      data: onDisk(1, 5),
      temporary: onDisk(2, 50 * GIB),
      evidence: onDisk(1, 5),
      heads: 'fails',
    });
    const [sentence = '', ...more] = await watch.look();
    expect(more).toEqual([]);
    expect(sentence).toBe(
      '/at/data (data, evidence) has 0.0 MiB free of 102400 MiB, less than 1024 MiB: ' +
        'free space there, enlarge the file system, or set DATA_DIR to another place',
    );
    expect(watch.spaces.map(({ folders }) => folders)).toEqual([['data', 'evidence'], ['temporary']]);
    const registry = new Registry();
    watch.register(registry);
    const text = await registry.metrics();
    expect(text.split('\n').filter((line) => /^folder_/.test(line))).toEqual([
      'folder_free_bytes{folder="data"} 5',
      `folder_free_bytes{folder="temporary"} ${50 * GIB}`,
      `folder_low_bytes{folder="data"} ${GIB}`,
      `folder_low_bytes{folder="temporary"} ${GIB}`,
    ]);
  });

  it.each([
    ['a byte below 1 GiB', GIB - 1, 100 * GIB, true],
    ['1 GiB', GIB, 100 * GIB, false],
    ['a tenth of a small one', 1_000, 10_000, false],
    ['less than a tenth of a small one', 999, 10_000, true],
    ['nothing', 0, 10_000, true],
    ['nothing where the file system does not tell its size', 0, 0, false],
  ])('with %s', async (_, free, size, isShort) => {
    const { watch } = watchOf({ data: onDisk(1, free, size) });
    await watch.look();
    expect(watch.short.map(({ folders }) => folders)).toEqual(isShort ? [['data']] : []);
  });

  it('says once that a folder has become short, and again after it was not', async () => {
    const rooms = { data: onDisk(1, 5), evidence: onDisk(2, 5 * GIB) };
    const { watch } = watchOf(rooms);
    expect(await watch.look()).toHaveLength(1);
    expect(await watch.look()).toEqual([]);
    rooms.evidence = onDisk(2, 5);
    expect(await watch.look()).toEqual([expect.stringMatching(/^\/at\/evidence /)]);
    rooms.evidence = onDisk(2, 5 * GIB);
    await watch.look();
    rooms.evidence = onDisk(2, 5);
    expect(await watch.look()).toHaveLength(1);
  });

  it('waits for a folder that hangs once and not for long, and looks at the others', async () => {
    const { watch, asked } = watchOf({
      data: onDisk(1, 5),
      temporary: 'hangs',
      evidence: onDisk(2, 5),
      heads: onDisk(3, 5),
    });
    const begun = performance.now();
    await watch.look();
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(watch.silent).toEqual(['temporary']);
    expect(watch.short.map(({ folders }) => folders[0])).toEqual(['data', 'evidence', 'heads']);
    await watch.look();
    expect(asked.filter((name) => name === 'temporary')).toHaveLength(1);
    expect(asked.filter((name) => name === 'heads')).toHaveLength(2);
  });

  it('never waits for more than two: each holds a thread that the whole process needs', async () => {
    const { watch, asked } = watchOf({ data: 'hangs', temporary: 'hangs', evidence: 'hangs', heads: 'hangs' });
    for (let n = 0; n < 3; n++) await watch.look();
    expect(asked).toEqual(['data', 'temporary']);
  });
});

it('takes up a folder that answers again', async () => {
  let answer: (space: Space) => void = () => undefined;
  const watch = new FolderWatch([folder('data')], () => new Promise((resolve) => (answer = resolve)));
  await watch.look();
  expect([watch.silent, watch.spaces]).toEqual([['data'], []]);
  answer(onDisk(1, 5));
  await new Promise((resolve) => setImmediate(resolve));
  expect(watch.silent).toEqual([]);
  expect(watch.short).toHaveLength(1);
});
