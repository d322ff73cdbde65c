import type { LoginTryStore, TryLimit } from '../passwords.ts';
import { assertKept, type ContractCase } from './contract-case.ts';

const LIMIT: TryLimit = { count: 3, everyMicros: 1_000 };
const AT = 5_000_000;

function keyOf(n: number): Uint8Array {
  return Uint8Array.of(1, 2, n);
}

/** The promises of a store of tries. Each case has keys of its own, so that they may share one. */
export const loginTriesContract: readonly ContractCase<LoginTryStore>[] = [
  {
    guarantee: 'takes as many tries as there are, also at once, and then one per interval',
    async prove(store) {
      const waits = await Promise.all(Array.from({ length: 8 }, () => store.take(keyOf(1), LIMIT, AT)));
      assertKept(waits.filter((wait) => wait === 0).length === 3, 'three of eight must be taken');
      assertKept(
        waits.every((wait) => wait === 0 || wait === 1_000),
        'the others must be told when there is one',
      );
      assertKept((await store.take(keyOf(1), LIMIT, AT + 999)) === 1, 'a try must not come early');
      assertKept((await store.take(keyOf(1), LIMIT, AT + 1_000)) === 0, 'a try must come in time');
      assertKept((await store.take(keyOf(1), LIMIT, AT + 1_000)) > 0, 'it must be one');
      assertKept((await store.take(keyOf(2), LIMIT, AT)) === 0, 'another key must have its own');
    },
  },
  {
    guarantee: 'has a try again that was given back',
    async prove(store) {
      for (let n = 0; n < 3; n++) await store.take(keyOf(3), LIMIT, AT);
      await store.giveBack(keyOf(3), LIMIT);
      assertKept((await store.take(keyOf(3), LIMIT, AT)) === 0, 'what was given back must be there');
      assertKept((await store.take(keyOf(3), LIMIT, AT)) > 0, 'and no more than that');
    },
  },
  {
    guarantee: 'is not locked for longer than the limit says after a clock was far ahead',
    async prove(store) {
      for (let n = 0; n < 3; n++) await store.take(keyOf(4), LIMIT, AT + 1_000_000_000);
      const wait = await store.take(keyOf(4), LIMIT, AT);
      assertKept(wait > 0 && wait <= 1_000, 'the wait must be that of the limit');
      assertKept((await store.take(keyOf(4), LIMIT, AT + 3_000_000_000)) === 0, 'and end');
    },
  },
  {
    guarantee: 'knows a place that was remembered, until it is forgotten',
    async prove(store) {
      assertKept(!(await store.isKnown(keyOf(5))), 'no place is known at first');
      await store.remember(keyOf(5), AT);
      await store.remember(keyOf(5), AT + 10);
      await store.forget(0, AT + 10);
      assertKept(await store.isKnown(keyOf(5)), 'a place must be known while it is remembered');
      await store.forget(0, AT + 11);
      assertKept(!(await store.isKnown(keyOf(5))), 'and then no more');
    },
  },
  {
    guarantee: 'forgets keys whose tries are all there again, and no others',
    async prove(store) {
      for (let n = 0; n < 3; n++) await store.take(keyOf(6), LIMIT, AT);
      await store.forget(AT + 2_999, 0);
      assertKept((await store.take(keyOf(6), LIMIT, AT)) > 0, 'a key that holds back must stay');
      await store.forget(AT + 3_001, 0);
      assertKept((await store.take(keyOf(6), LIMIT, AT)) === 0, 'one that does not must go');
    },
  },
];
