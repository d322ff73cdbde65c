import { expect, it } from '@jest/globals';
import type { HeadStore, KeptHead, Workspace } from '@answer-evidence/ports';
import { planStartChecks } from './plan-start-checks.ts';

/** More than are checked in full whatever their heads say. */
const FIRST = 20;
const SERVER = { systemIdentifier: '7', timeline: 2, synchronousStandbys: '' };
const HEAD = { ...SERVER, origin: 'log', treeSize: 5, rootHash: '', place: '', twins: [], claims: [] };
const CLAIM = { party: 'a witness', treeSize: 9, rootHash: undefined, seenAt: undefined, heldSize: 5, place: '' };

/** Plans with one log after many that are as their heads say; returns whether that one waits, and how many do. */
async function plan(size: number | undefined, head: Partial<KeptHead> | undefined) {
  const workspaces = Array.from({ length: FIRST + 1 }, (_, n) => ({ id: `w${n}`, origin: 'log' }) as Workspace);
  const last = `w${FIRST}`;
  const sizeOf = ({ id }: Workspace) => (id === last ? size : 5);
  const find: HeadStore['find'] = (id) => {
    const changes = id === last ? head : {};
    return Promise.resolve(changes && { ...HEAD, workspaceId: id, ...changes });
  };
  const { now, later } = await planStartChecks(
    {
      directory: { list: () => Promise.resolve(workspaces) },
      headStore: { find },
      work: {
        grownLogs: () =>
          Promise.resolve(
            workspaces.flatMap((workspace) => {
              const treeSize = sizeOf(workspace);
              return treeSize === undefined ? [] : [{ workspace, treeSize }];
            }),
          ),
      },
    },
    SERVER,
  );
  expect([...now.map(({ id }) => id), ...later.keys()].toSorted()).toEqual(workspaces.map(({ id }) => id).toSorted());
  return [later.has(last), later.get(`w${FIRST - 1}`)];
}

it.each([
  ['is as its head says', true, 5, {}],
  ['has grown since', true, 6, {}],
  ['has gone back', false, 4, {}],
  ['has no row', false, undefined, {}],
  ['has no head', false, 5, undefined],
  ['has the head of another name', false, 5, { origin: 'another' }],
  ['has two heads of one size', false, 5, { twins: [{ treeSize: 5, places: [] }] }],
  ['has something held against it', false, 5, { claims: [CLAIM] }],
  ['has a head of another server', false, 5, { systemIdentifier: '8' }],
  ['has a head of another timeline', false, 5, { timeline: 1 }],
  ['has a head that names no server', false, 5, { timeline: undefined }],
] as const)('a log that %s waits: %s', async (_, waits, size, head) => {
  expect(await plan(size, head)).toEqual([waits, 5]);
});
