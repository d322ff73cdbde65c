import { listDeadLetters, replayDeadLetter } from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on background jobs that were given up. */
export type DeadLettersApi = ReturnType<typeof createDeadLettersApi>;

/** The operations on dead letters over a transport. */
export function createDeadLettersApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  return {
    /** Last failed first. */
    list: async (page: PageRequest = {}) => call(listDeadLetters, { query: page }),
    /** Has one tried again; once more starts nothing. */
    async replay(id: string) {
      const replayed = await call(replayDeadLetter, { params: { dead_letter_id: id } }, { repeat: 'safe' });
      await assertSame(differencesOf({ '/id': [id.toLowerCase(), replayed.id] }));
      return replayed;
    },
  };
}
