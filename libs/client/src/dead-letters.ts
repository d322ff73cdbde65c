import { deadLetterList, deadLetterReplay } from '@answer-evidence/contracts';
import { differencesOf } from './compare/differences.ts';
import type { AssertSame } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Operations on background jobs that were given up. */
export type DeadLettersApi = ReturnType<typeof createDeadLettersApi>;

const PATH = '/api/dead-letters';

/** The operations on dead letters over a transport. */
export function createDeadLettersApi(send: Send, assertSame: AssertSame) {
  const { get, change } = createRequests(send);
  return {
    /** Last failed first. */
    list: async (page: PageRequest = {}) => get(formatQuery(PATH, page), deadLetterList),
    /** Has one tried again; once more starts nothing. */
    async replay(id: string) {
      const path = `${PATH}/${encodeURIComponent(id)}/replay`;
      const replayed = await change('POST', path, {}, deadLetterReplay, { repeat: 'safe' });
      await assertSame(differencesOf({ '/id': [id.toLowerCase(), replayed.id] }));
      return replayed;
    },
  };
}
