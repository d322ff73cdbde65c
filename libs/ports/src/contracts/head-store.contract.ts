import type { HeadStore, OutsideHead } from '../heads.ts';
import { assertKept, assertRefused, type ContractCase } from './contract-case.ts';

/** Storage that the cases work on; each `open` opens the same storage anew, as another process would. */
export type HeadStoreFixture = { open(): Promise<HeadStore> };

const ONE = '0199f3c2-0000-7000-8000-000000000001';
const OTHER = '0199f3c2-0000-7000-8000-000000000002';

function headAt(treeSize: number, changes: Partial<OutsideHead> = {}): OutsideHead {
  return {
    workspaceId: ONE,
    origin: 'example.com/log "ä"\u2028',
    treeSize,
    rootHash: treeSize.toString(16).padStart(64, '0'),
    systemIdentifier: '7400000000000000001',
    ...changes,
  };
}

function assertHead(found: OutsideHead | undefined, wanted: OutsideHead, promise: string): void {
  const isSame =
    found?.workspaceId === wanted.workspaceId &&
    found.origin === wanted.origin &&
    found.treeSize === wanted.treeSize &&
    found.rootHash === wanted.rootHash &&
    found.systemIdentifier === wanted.systemIdentifier;
  assertKept(isSame, promise);
}

/** What every adapter of `HeadStore` keeps. */
export const headStoreContract: readonly ContractCase<HeadStoreFixture>[] = [
  {
    guarantee: 'a workspace without a head has none',
    async prove(fixture) {
      const heads = await fixture.open();
      assertKept((await heads.find(ONE)) === undefined, 'an unknown workspace must have no head');
    },
  },
  {
    guarantee: 'a kept head is found whole, also when the storage is opened anew',
    async prove(fixture) {
      const head = headAt(0);
      const heads = await fixture.open();
      await heads.keep(head);
      assertHead(await heads.find(ONE), head, 'the head must be found where it was kept');
      assertHead(await (await fixture.open()).find(ONE), head, 'the head must be found by the next to open');
    },
  },
  {
    guarantee: 'a larger head takes the place of a smaller one',
    async prove(fixture) {
      const heads = await fixture.open();
      for (const size of [1, 2, 2 ** 40]) await heads.keep(headAt(size));
      assertHead(await heads.find(ONE), headAt(2 ** 40), 'the largest head must stay');
    },
  },
  {
    guarantee: 'a stored head never gets smaller, anyone who writes',
    async prove(fixture) {
      await (await fixture.open()).keep(headAt(9));
      const heads = await fixture.open();
      await heads.keep(headAt(8));
      await heads.keep(headAt(0));
      assertHead(await heads.find(ONE), headAt(9), 'a smaller head must change nothing');
    },
  },
  {
    guarantee: 'the same head may be kept again, and changes nothing',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(5));
      await heads.keep(headAt(5, { systemIdentifier: '1' }));
      assertHead(await heads.find(ONE), headAt(5), 'a head of the same size must change nothing');
    },
  },
  {
    guarantee: 'another root at the stored size is refused, and the stored one stays',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(5));
      const fork = headAt(5, { rootHash: 'f'.repeat(64) });
      await assertRefused(() => heads.keep(fork), 'two roots at one size must be refused');
      assertHead(await heads.find(ONE), headAt(5), 'the first root must stay');
    },
  },
  {
    guarantee: 'a head of another origin is refused, however large, until the log is said to have moved on',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(5));
      await assertRefused(() => heads.keep(headAt(9, { origin: 'example.com/log/2' })), 'another log must be refused');
      assertHead(await heads.find(ONE), headAt(5), 'the head of the log must stay');
    },
  },
  {
    guarantee: 'a log that moves on may have a smaller head, and what ended stays known',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(9));
      const next = headAt(4, { origin: 'example.com/log/2' });
      await assertRefused(() => heads.moveOn(next, 'example.com/other'), 'a log that was not kept cannot end');
      await assertRefused(() => heads.moveOn(headAt(4), headAt(9).origin), 'a log cannot move on to itself');
      await heads.moveOn(next, headAt(9).origin);
      assertHead(await heads.find(ONE), next, 'the head must be the one of the log that goes on');
      await heads.keep(headAt(6, { origin: next.origin }));
      const ended = await (await fixture.open()).findEnded(ONE);
      assertKept(ended.join() === headAt(9).origin, 'the log that ended must stay known');
      await assertRefused(() => heads.keep(headAt(99)), 'the log that ended must not come back');
    },
  },
  {
    guarantee: 'redactions are found in their order, each once, also when the storage is opened anew',
    async prove(fixture) {
      const heads = await fixture.open();
      assertKept((await heads.findRedactions(ONE)) === undefined, 'none were ever kept');
      assertKept(!(await heads.hasRedactions(ONE)), 'none were ever kept');
      await heads.keepRedactions(ONE, []);
      assertKept(await heads.hasRedactions(ONE), 'that there are none must be known');
      assertKept(!(await heads.hasRedactions(OTHER)), 'it is known of one workspace');
      assertKept((await heads.findRedactions(ONE))?.length === 0, 'that there are none must be known');
      const first = { recordId: ONE, eventId: OTHER, payload: { reason_code: 'privacy "ä"\n' } };
      const second = { recordId: OTHER, eventId: ONE, payload: {} };
      await heads.keepRedactions(ONE, [first]);
      await heads.keepRedactions(ONE, [second, first]);
      const found = await (await fixture.open()).findRedactions(ONE);
      assertKept(JSON.stringify(found) === JSON.stringify([first, second]), 'both must be found, the first one once');
      assertKept((await heads.findRedactions(OTHER)) === undefined, 'they are of one workspace');
    },
  },
  {
    guarantee: 'heads of two workspaces stand apart',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(7));
      assertKept((await heads.find(OTHER)) === undefined, "another workspace must not see the first one's head");
      await heads.keep(headAt(3, { workspaceId: OTHER }));
      assertHead(await heads.find(ONE), headAt(7), "the first workspace's head must stay");
      assertHead(await heads.find(OTHER), headAt(3, { workspaceId: OTHER }), 'the second must have its own');
    },
  },
  {
    guarantee: 'an id that is no UUID, such as a path, is refused',
    async prove(fixture) {
      const heads = await fixture.open();
      for (const workspaceId of ['', '../heads', `${ONE}/../${OTHER}`, ONE.toUpperCase(), `${ONE}\0`]) {
        await assertRefused(() => heads.find(workspaceId), 'finding by a malformed id must be refused');
        await assertRefused(() => heads.keep(headAt(1, { workspaceId })), 'keeping by a malformed id must be refused');
      }
    },
  },
  {
    guarantee: 'a head that could not be read back is refused',
    async prove(fixture) {
      const heads = await fixture.open();
      for (const changes of [{ rootHash: 'F'.repeat(64) }, { rootHash: '' }, { treeSize: -1 }, { treeSize: 0.5 }]) {
        await assertRefused(() => heads.keep(headAt(1, changes)), 'a malformed head must be refused');
      }
      assertKept((await heads.find(ONE)) === undefined, 'nothing of a refused head may be kept');
    },
  },
];
