import type { KeptCheckpoint, WitnessedCheckpoint, WitnessedCheckpoints } from '../witnessed-checkpoints.ts';
import { assertKept, assertRefused, type ContractCase } from './contract-case.ts';

/** Storage that the cases work on; each `open` opens the same storage anew, as another process would. */
export type WitnessedCheckpointsFixture = { readonly open: () => Promise<WitnessedCheckpoints> };

const ORIGIN = 'example.com/log "\u00e4"/../\u2028';

function checkpointAt(treeSize: number, changes: Partial<WitnessedCheckpoint> = {}): WitnessedCheckpoint {
  const rootHash = treeSize.toString(16).padStart(64, '0');
  return { origin: ORIGIN, treeSize, rootHash, note: `${ORIGIN}\n${treeSize}\n\n\u2014 line\n`, ...changes };
}

function assertFound(found: KeptCheckpoint | undefined, wanted: WitnessedCheckpoint, revision: number): void {
  const isSame =
    found?.origin === wanted.origin &&
    found.treeSize === wanted.treeSize &&
    found.rootHash === wanted.rootHash &&
    found.note === wanted.note &&
    found.revision === revision;
  assertKept(isSame, 'what was kept must be found, with its revision');
}

/** What every adapter of `WitnessedCheckpoints` keeps. */
export const witnessedCheckpointsContract: readonly ContractCase<WitnessedCheckpointsFixture>[] = [
  {
    guarantee: 'a log of which nothing was kept has nothing',
    async prove({ open }) {
      assertKept((await (await open()).find(ORIGIN)) === undefined, 'an unknown log must have no checkpoint');
    },
  },
  {
    guarantee: 'a kept checkpoint is found whole, also when the storage is opened anew',
    async prove({ open }) {
      const store = await open();
      assertKept(await store.keep(checkpointAt(0), 0), 'the first checkpoint must be kept');
      assertFound(await store.find(ORIGIN), checkpointAt(0), 1);
      assertKept(await store.keep(checkpointAt(2 ** 40), 1), 'the second checkpoint must be kept');
      assertFound(await (await open()).find(ORIGIN), checkpointAt(2 ** 40), 2);
    },
  },
  {
    guarantee: 'a revision that is not the latest keeps nothing',
    async prove({ open }) {
      const store = await open();
      await store.keep(checkpointAt(1), 0);
      await store.keep(checkpointAt(2), 1);
      for (const revision of [0, 1, 3]) {
        assertKept(!(await store.keep(checkpointAt(9), revision)), 'another revision must keep nothing');
      }
      assertFound(await store.find(ORIGIN), checkpointAt(2), 2);
    },
  },
  {
    guarantee: 'of many who keep after one revision, one does',
    async prove({ open }) {
      const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
      for (let revision = 0; revision < 5; revision++) {
        const sizes = stores.map((_, i) => 10 * (revision + 1) + i);
        const outcomes = await Promise.all(
          stores.map((store, i) => store.keep(checkpointAt(sizes[i] ?? 0), revision).catch(() => false)),
        );
        assertKept(outcomes.filter((isKept) => isKept).length === 1, 'exactly one must be told that it kept');
        const winner = sizes[outcomes.indexOf(true)] ?? -1;
        for (const store of stores) assertFound(await store.find(ORIGIN), checkpointAt(winner), revision + 1);
      }
    },
  },
  {
    guarantee: 'the slow never undo what others kept since, however much that was',
    async prove({ open }) {
      const slow = await open();
      const fast = await open();
      for (let size = 1; size <= 50; size++) await fast.keep(checkpointAt(size), size - 1);
      for (const revision of [0, 1, 25, 49]) {
        assertKept(!(await slow.keep(checkpointAt(99), revision)), 'an old revision must keep nothing');
        assertFound(await fast.find(ORIGIN), checkpointAt(50), 50);
        assertFound(await slow.find(ORIGIN), checkpointAt(50), 50);
      }
    },
  },
  {
    guarantee: 'a smaller tree, or another root at the latest size, is refused',
    async prove({ open }) {
      const store = await open();
      await store.keep(checkpointAt(5), 0);
      await assertRefused(() => store.keep(checkpointAt(4), 1), 'a smaller tree must be refused');
      const fork = checkpointAt(5, { rootHash: 'f'.repeat(64) });
      await assertRefused(() => store.keep(fork, 1), 'two roots of one size must be refused');
      assertFound(await store.find(ORIGIN), checkpointAt(5), 1);
      const later = checkpointAt(5, { note: 'a later time' });
      assertKept(await store.keep(later, 1), 'a later cosignature of the same tree must be kept');
      assertFound(await store.find(ORIGIN), later, 2);
    },
  },
  {
    guarantee: 'checkpoints of two logs stand apart',
    async prove({ open }) {
      const store = await open();
      await store.keep(checkpointAt(7), 0);
      for (const origin of [`${ORIGIN}x`, ORIGIN.toUpperCase(), '..']) {
        assertKept((await store.find(origin)) === undefined, 'another log must have nothing');
        assertKept(await store.keep(checkpointAt(1, { origin }), 0), 'another log must begin by itself');
      }
      assertFound(await store.find(ORIGIN), checkpointAt(7), 1);
    },
  },
  {
    guarantee: 'forks are kept once each, up to 16 of a log, and change nothing of its latest checkpoint',
    async prove({ open }) {
      const store = await open();
      assertKept((await store.findForks(ORIGIN)).length === 0, 'a log must have no forks at first');
      await store.keepFork(ORIGIN, 'fork 0');
      await store.keep(checkpointAt(5), 0);
      for (const n of [0, 0, 1, 1]) await store.keepFork(ORIGIN, `fork ${n}`);
      const found = [...(await (await open()).findForks(ORIGIN))].sort();
      assertKept(found.join() === 'fork 0,fork 1', 'each fork must be found once');
      for (let n = 0; n < 30; n++) await store.keepFork(ORIGIN, `fork ${n}`);
      assertKept((await store.findForks(ORIGIN)).length === 16, 'no more than 16 forks may be kept');
      assertKept((await store.findForks('other')).length === 0, 'forks must be of their log');
      assertFound(await store.find(ORIGIN), checkpointAt(5), 1);
    },
  },
  {
    guarantee: 'a checkpoint that could not be read back is refused',
    async prove({ open }) {
      const store = await open();
      for (const changes of [{ rootHash: 'F'.repeat(64) }, { rootHash: '' }, { treeSize: -1 }, { treeSize: 0.5 }]) {
        await assertRefused(() => store.keep(checkpointAt(1, changes), 0), 'a malformed checkpoint must be refused');
      }
      assertKept((await store.find(ORIGIN)) === undefined, 'nothing of a refused checkpoint may be kept');
    },
  },
];
