import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NO_LIMITS } from '@answer-evidence/contracts';
import { prepareAnswer } from '../../fixtures/answers.ts';
import { prepareChange } from '../../fixtures/changes.ts';
import { openTestLog, type TestLog } from '../../fixtures/open-log.ts';
import { createWordIndexStore } from './word-index-store.ts';

let log: TestLog;
beforeAll(async () => {
  log = await openTestLog();
});
afterAll(() => log.close());

it('has no token of a text that was erased before, between or after reading and adding it', async () => {
  const ledger = log.openLedger();
  const words = createWordIndexStore(log.pool);
  const { id } = log.workspace;
  const ids: string[] = [];
  for (const question of ['one', 'two', 'three', 'kept'])
    await ledger.append(id, prepareAnswer(log, { question, withRefs: true, onId: (of) => void ids.push(of) }));
  const redact = async (at: number) =>
    ledger.append(id, prepareChange(log, { recordId: ids[at] ?? '', type: 'redacted' }));
  const token = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);

  const begun = { salt: log.random.bytes(16), made_under: '', next_leaf: 0, mac: log.random.bytes(32) };
  await words.begin(id, begun);
  expect(await words.find(id)).toMatchObject({ next_leaf: 0, made_under: '' });
  await redact(0);
  const contents = await words.readContents(id, 0, 1_000);
  await redact(1);
  const added = contents.map((one) => ({ ...one, tokens: ids.slice(1).includes(one.sealed.object_id) ? [token] : [] }));
  expect(await words.add(id, begun, { ...begun, next_leaf: 1_000 }, added)).toBe(true);
  await redact(2);
  const left = await words.search(id, [[token]], {}, 10);
  const [kept] = (await words.readContents(id, 0, 1_000)).filter(({ sealed }) => sealed.object_id === ids[3]);
  expect(left.leaves).toEqual([kept?.recordLeaf]);
  expect((await words.readRecords(id, left.leaves)).map(({ sealed }) => sealed.object_id)).toEqual([ids[3]]);
  expect(await words.findKnown(id, [Uint8Array.of(9), token], NO_LIMITS)).toEqual([1]);
  // Anyone who comes with an older state of the index adds nothing.
  expect(await words.add(id, begun, { ...begun, next_leaf: 2_000 }, added)).toBe(false);
  expect(await words.drop(id)).toBe(false);
  expect(await words.search(id, [[token]], {}, 10)).toMatchObject({ leaves: [] });
  expect(await words.find(id)).toBeUndefined();
});
