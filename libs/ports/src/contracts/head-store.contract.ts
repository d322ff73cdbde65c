import type { HeadStore, PinnedHead } from '../heads.ts';
import { assertKept, assertRefused, type ContractCase } from './contract-case.ts';

/** Storage that the cases work on; each `open` opens the same storage anew, as another process would. */
export type HeadStoreFixture = { open(): Promise<HeadStore> };

const ONE = '0199f3c2-0000-7000-8000-000000000001';
const OTHER = '0199f3c2-0000-7000-8000-000000000002';

function headAt(treeSize: number, changes: Partial<PinnedHead> = {}): PinnedHead {
  return {
    workspaceId: ONE,
    origin: 'example.com/log "ä"\u2028',
    treeSize,
    rootHash: treeSize.toString(16).padStart(64, '0'),
    systemIdentifier: '7400000000000000001',
    ...changes,
  };
}

function assertHead(found: PinnedHead | undefined, wanted: PinnedHead, promise: string): void {
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
    guarantee: 'another root at the stored size is refused, and both stay as evidence for everyone, also later',
    async prove(fixture) {
      const heads = await fixture.open();
      for (const size of [4, 5]) await heads.keep(headAt(size));
      assertKept((await heads.find(ONE))?.twins.length === 0, 'one history has no twins');
      const fork = headAt(5, { rootHash: 'f'.repeat(64) });
      await assertRefused(() => heads.keep(fork), 'two roots at one size must be refused');
      const found = await (await fixture.open()).find(ONE);
      assertKept(found?.treeSize === 5 && found.twins.length === 1, 'the twins must be named');
      for (const root of [fork.rootHash, headAt(5).rootHash])
        assertKept(found?.twins[0]?.places.some((place) => place.includes(root)) === true, 'each place must be named');
      for (let size = 6; size < 60; size++) await heads.keep(headAt(size)).catch(() => undefined);
      assertKept((await heads.find(ONE))?.twins.length === 1, 'evidence must never be removed');
      await heads.moveOn(headAt(4, { origin: 'example.com/log/2' }), headAt(9).origin);
      assertKept((await heads.find(ONE))?.twins.length === 0, 'they are not of the log that goes on');
    },
  },
  {
    guarantee: 'two that keep a head of one size at the same moment are both seen',
    async prove(fixture) {
      const [one, other] = [await fixture.open(), await fixture.open()];
      await one.keep(headAt(5));
      const outcomes = await Promise.allSettled([
        one.keep(headAt(6)),
        other.keep(headAt(6, { rootHash: 'f'.repeat(64) })),
      ]);
      assertKept(
        outcomes.some(({ status }) => status === 'rejected'),
        'the last of them must be refused',
      );
      assertKept((await one.find(ONE))?.twins.length === 1, 'both roots must be there');
    },
  },
  {
    guarantee: 'old heads go, the newest stays',
    async prove(fixture) {
      const heads = await fixture.open();
      for (let size = 0; size < 40; size++) await heads.keep(headAt(size));
      assertHead(await (await fixture.open()).find(ONE), headAt(39), 'the newest head must stay');
    },
  },
  {
    guarantee: 'what an outside party holds against a log is found, once, until the log moves on',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.keep(headAt(5));
      assertKept((await heads.find(ONE))?.claims.length === 0, 'nothing is held against it');
      const told = { party: 'witness w1', treeSize: 9, rootHash: undefined, seenAt: undefined, heldSize: 5 };
      const shown = { party: 'anchor a1', treeSize: 8, rootHash: 'e'.repeat(64), seenAt: 'a place', heldSize: 5 };
      for (const claim of [told, shown, told, shown])
        await heads.dispute({ workspaceId: ONE, origin: headAt(5).origin, ...claim });
      const claims = (await (await fixture.open()).find(ONE))?.claims ?? [];
      assertKept(claims.length === 2, 'each claim must be kept once');
      for (const made of [told, shown]) {
        const { place = '', ...kept } = claims.find(({ party }) => party === made.party) ?? {};
        const isSame = Object.entries(made).every(([name, value]) => Reflect.get(kept, name) === value);
        assertKept(isSame && place !== '', 'a claim must be kept as it was made');
      }
      await heads.keep(headAt(6));
      assertKept((await heads.find(ONE))?.claims.length === 2, 'a claim must stay');
      await heads.moveOn(headAt(4, { origin: 'example.com/log/2' }), headAt(5).origin);
      assertKept((await heads.find(ONE))?.claims.length === 0, 'it is not of the log that goes on');
    },
  },
  {
    guarantee: 'a log without a head can be adopted, and one with a head cannot',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.adopt(headAt(7), 1_795_000_000_000_000);
      assertHead(await (await fixture.open()).find(ONE), headAt(7), 'the adopted head must be kept');
      await assertRefused(() => heads.adopt(headAt(7), 0), 'what is kept cannot be adopted');
      await heads.keep(headAt(8));
      assertHead(await heads.find(ONE), headAt(8), 'the log must go on from it');
    },
  },
  {
    guarantee: 'the head of a log that was not made can be taken back, and no other',
    async prove(fixture) {
      const heads = await fixture.open();
      await heads.takeBack(headAt(0));
      await heads.keep(headAt(0));
      await heads.takeBack(headAt(0, { rootHash: 'ab'.repeat(32) }));
      assertHead(await heads.find(ONE), headAt(0), 'a head of another tree must stay');
      await heads.takeBack(headAt(0));
      assertKept((await heads.find(ONE)) === undefined, 'nothing must be left');
      assertKept((await (await fixture.open()).workspaceIds()).length === 0, 'nothing must be listed');
      await heads.keep(headAt(0));
      await heads.keep(headAt(3));
      for (const size of [0, 3]) await heads.takeBack(headAt(size));
      assertHead(await heads.find(ONE), headAt(3), 'the head of a log with entries must stay');
    },
  },
  {
    guarantee: 'a workspace that is said to be forgotten keeps its heads',
    async prove(fixture) {
      const heads = await fixture.open();
      await assertRefused(() => heads.forget(ONE, 0), 'of an unknown workspace nothing can be forgotten');
      await heads.keep(headAt(2));
      assertKept(!(await heads.isForgotten(ONE)), 'nothing was said');
      for (const at of [1_795_000_000_000_000, 1_796_000_000_000_000]) await heads.forget(ONE, at);
      assertKept(await (await fixture.open()).isForgotten(ONE), 'it must be remembered');
      assertHead(await heads.find(ONE), headAt(2), 'the head must stay');
    },
  },
  {
    guarantee: 'every workspace of which anything is kept is listed',
    async prove(fixture) {
      const heads = await fixture.open();
      assertKept((await heads.workspaceIds()).length === 0, 'nothing is kept');
      await heads.keep(headAt(1, { workspaceId: OTHER }));
      await heads.keep(headAt(1));
      assertKept((await heads.workspaceIds()).join() === [ONE, OTHER].join(), 'both must be listed');
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
      await heads.keepRedactions(ONE, 0, []);
      assertKept(await heads.hasRedactions(ONE), 'that there are none must be known');
      assertKept(!(await heads.hasRedactions(OTHER)), 'it is known of one workspace');
      assertKept((await heads.findRedactions(ONE))?.length === 0, 'that there are none must be known');
      const first = { recordId: ONE, eventId: OTHER, payload: { reason_code: 'privacy "ä"\n' } };
      const second = { recordId: OTHER, eventId: ONE, payload: {} };
      await heads.keepRedactions(ONE, 3, [first]);
      await heads.keepRedactions(ONE, 20, [second, first]);
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
