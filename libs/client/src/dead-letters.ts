import { listDeadLetters, replayDeadLetter } from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { type AssertSame, createAgree, sameId } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Operations on background jobs that were given up. */
export type DeadLettersApi = ReturnType<typeof createDeadLettersApi>;

/** The operations on dead letters over a transport. */
export function createDeadLettersApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** Last failed first. */
    list: async (page: PageRequest = {}) => call(listDeadLetters, { query: page }),
    /** Has one tried again; once more starts nothing. */
    replay: async (id: string) =>
      agree(call(replayDeadLetter, { params: { dead_letter_id: id } }, { repeat: 'safe' }), sameId(id)),
  };
}
