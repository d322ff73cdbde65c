import {
  formatObjectName,
  ObjectMissingError,
  type ObjectName,
  type ObjectStore,
  type StoredObject,
} from '../object-store.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

/** An empty store; pages of its lists are of few objects, where the adapter reads lists by the page. */
export type ObjectStoreFixture = {
  readonly store: ObjectStore;
  /** The time by the store's clock. */
  readonly nowMicros: () => number;
  /** More than the adapter sends or writes in one piece. */
  readonly largeBytes: number;
};

const WORKSPACES = ['0199f3c2-0000-7000-8000-000000000001', '0199f3c2-0000-7000-8000-000000000002'] as const;
const HOUR_MICROS = 3_600_000_000;

/** The n-th object; the last digits differ, and with them the folders. */
function nameOf(n: number, workspaceId: string = WORKSPACES[0]): ObjectName {
  return formatObjectName(workspaceId, `0199f3c2-1111-7000-8000-${(n * 0x35).toString(16).padStart(12, '0')}`);
}

/** Bytes that differ from place to place. */
function makeBytes(sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, n) => (n * 31 + (n >> 8)) & 0xff);
}

async function* inPieces(bytes: Uint8Array, pieceBytes = 100_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield await Promise.resolve(bytes.slice(at, at + pieceBytes));
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: number[][] = [];
  for await (const piece of pieces) parts.push([...piece]);
  return Uint8Array.from(parts.flat());
}

async function namesOf(objects: AsyncIterable<StoredObject>): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of objects) names.push(name);
  return names;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, n) => byte === b[n]);
}

async function errorOf(action: () => Promise<unknown>): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** What every adapter of `ObjectStore` keeps. */
export const objectStoreContract: readonly ContractCase<ObjectStoreFixture>[] = [
  {
    guarantee: 'what was stored is read back byte by byte, whatever its size and pieces',
    async prove({ store, nowMicros, largeBytes }) {
      for (const [n, sizeBytes] of [0, 1, 65_552, largeBytes].entries()) {
        const bytes = makeBytes(sizeBytes);
        const size = await store.put(nameOf(n), inPieces(bytes, n === 2 ? 7_919 : 100_000));
        assertKept(size === sizeBytes, 'the size must be told');
        assertKept(isSame(await collect(store.read(nameOf(n))), bytes), 'the bytes must be the same');
        const found = await store.find(nameOf(n));
        assertKept(found?.name === nameOf(n) && found.sizeBytes === sizeBytes, 'the object must be found');
        const age = nowMicros() - (found?.storedAtMicros ?? 0);
        assertKept(Math.abs(age) < HOUR_MICROS, 'it must have the time of its storing');
      }
    },
  },
  {
    guarantee: 'nothing is visible before all of it came',
    async prove({ store, nowMicros, largeBytes }) {
      const bytes = makeBytes(largeBytes);
      async function* watched(): AsyncGenerator<Uint8Array> {
        for await (const piece of inPieces(bytes, Math.ceil(largeBytes / 5))) {
          assertKept((await store.find(nameOf(1))) === undefined, 'it must not be found yet');
          assertKept((await namesOf(store.list())).length === 0, 'it must not be listed yet');
          yield piece;
        }
        assertKept((await store.find(nameOf(1))) === undefined, 'it must not be found before the end');
      }
      await store.put(nameOf(1), watched());
      assertKept(isSame(await collect(store.read(nameOf(1))), bytes), 'it must be there afterwards');
      await store.deleteRemains(nowMicros() + HOUR_MICROS);
      assertKept((await store.find(nameOf(1))) !== undefined, 'what was stored is no remains');
    },
  },
  {
    guarantee: 'a source that fails leaves nothing, and its error comes back as it is',
    async prove({ store, nowMicros, largeBytes }) {
      for (const sizeBytes of [0, 10, largeBytes]) {
        const failure = new Error('the caller left');
        async function* failing(): AsyncGenerator<Uint8Array> {
          yield* inPieces(makeBytes(sizeBytes));
          throw failure;
        }
        assertKept((await errorOf(() => store.put(nameOf(1), failing()))) === failure, 'the error must be passed on');
        assertKept((await store.find(nameOf(1))) === undefined, 'nothing must be found');
        assertKept((await namesOf(store.list())).length === 0, 'nothing must be listed');
      }
      assertKept((await store.deleteRemains(nowMicros() + HOUR_MICROS)) === 0, 'nothing must remain');
      await store.put(nameOf(1), inPieces(makeBytes(10)));
      assertKept((await collect(store.read(nameOf(1)))).length === 10, 'the name must be free for another try');
    },
  },
  {
    guarantee: 'a range is read as it is, and what lies past the end is left out',
    async prove({ store, largeBytes }) {
      const bytes = makeBytes(largeBytes);
      await store.put(nameOf(1), inPieces(bytes));
      const ranges = [
        [0, 1],
        [0, largeBytes],
        [largeBytes - 1, 1],
        [largeBytes >> 1, 70_000],
        [largeBytes - 5, 100],
        [largeBytes, 10],
        [largeBytes + 5, 10],
        [3, 0],
      ] as const;
      for (const [offset, length] of ranges) {
        const read = await collect(store.read(nameOf(1), { offset, length }));
        assertKept(isSame(read, bytes.subarray(offset, offset + length)), `the range ${offset}+${length} must be read`);
      }
      await store.put(nameOf(2), inPieces(new Uint8Array()));
      assertKept((await collect(store.read(nameOf(2), { offset: 0, length: 1 }))).length === 0, 'nothing has no bytes');
    },
  },
  {
    guarantee: 'what is not there is missing to a reader and to a search, and deleting it is done',
    async prove({ store }) {
      await store.put(nameOf(2), inPieces(makeBytes(5)));
      for (const range of [undefined, { offset: 0, length: 5 }, { offset: 0, length: 0 }]) {
        const error = await errorOf(() => collect(store.read(nameOf(1), range)));
        assertKept(error instanceof ObjectMissingError, 'a reader must be told that it is missing');
      }
      assertKept((await store.find(nameOf(1))) === undefined, 'it must not be found');
      await store.delete(nameOf(1));
      assertKept((await store.find(nameOf(2))) !== undefined, 'another object must stay');
    },
  },
  {
    guarantee: 'what was deleted is gone, and deleting it again is done',
    async prove({ store }) {
      for (const n of [1, 2]) await store.put(nameOf(n), inPieces(makeBytes(n)));
      for (let times = 0; times < 2; times++) {
        await store.delete(nameOf(1));
        assertKept((await store.find(nameOf(1))) === undefined, 'it must not be found any more');
        const error = await errorOf(() => collect(store.read(nameOf(1))));
        assertKept(error instanceof ObjectMissingError, 'it must not be read any more');
        assertKept((await namesOf(store.list())).join() === nameOf(2), 'it must not be listed any more');
      }
    },
  },
  {
    guarantee: 'a reader that stops early, or never begins, holds nothing up',
    async prove({ store, largeBytes }) {
      const bytes = makeBytes(largeBytes);
      await store.put(nameOf(1), inPieces(bytes));
      for (let times = 0; times < 40; times++) {
        store.read(nameOf(1));
        for await (const piece of store.read(nameOf(1))) {
          assertKept(piece.length > 0, 'a piece must have bytes');
          break;
        }
      }
      assertKept(isSame(await collect(store.read(nameOf(1))), bytes), 'another reader must get everything');
    },
  },
  {
    guarantee: 'lists are in order, of all or of one workspace, and go on behind any name',
    async prove({ store }) {
      const own = [5, 1, 4, 2, 3, 9, 7].map((n) => nameOf(n));
      const others = [nameOf(1, WORKSPACES[1]), nameOf(8, WORKSPACES[1])];
      for (const name of [...own, ...others]) await store.put(name, inPieces(makeBytes(3)));
      const all = [...own, ...others].sort();
      assertKept((await namesOf(store.list())).join() === all.join(), 'all must be listed in order');
      const [first, second] = WORKSPACES;
      const ofFirst = await namesOf(store.list({ workspaceId: first }));
      assertKept(ofFirst.join() === [...own].sort().join(), 'those of a workspace must be listed');
      const ofSecond = await namesOf(store.list({ workspaceId: second }));
      assertKept(ofSecond.join() === others.sort().join(), 'and those of the other one');
      for (const [n, after] of all.entries()) {
        const rest = await namesOf(store.list({ after: after }));
        assertKept(rest.join() === all.slice(n + 1).join(), 'a list must go on behind a name');
      }
      const between = await namesOf(store.list({ workspaceId: first, after: nameOf(6) }));
      assertKept(
        between.every((name) => name > nameOf(6) && name.startsWith(first)),
        'a name need not be there',
      );
    },
  },
  {
    guarantee: 'many are stored, read and deleted at once',
    async prove({ store }) {
      const numbers = Array.from({ length: 24 }, (_, n) => n + 1);
      await Promise.all(numbers.map((n) => store.put(nameOf(n), inPieces(makeBytes(n * 1_000)))));
      const sizes = await Promise.all(numbers.map(async (n) => (await collect(store.read(nameOf(n)))).length));
      assertKept(sizes.join() === numbers.map((n) => n * 1_000).join(), 'each must have its own bytes');
      await Promise.all(numbers.map((n) => store.delete(nameOf(n))));
      assertKept((await namesOf(store.list())).length === 0, 'all must be gone');
    },
  },
];
