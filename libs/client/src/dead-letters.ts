import {
  type DeadLetter,
  deadLetter,
  type DeadLetterReplay,
  deadLetterReplay,
  type Page,
  pageOf,
} from '@answer-evidence/contracts';
import { formatQuery, request } from './request.ts';
import type { Send } from './transport.ts';

/** Which piece of the list. */
export type DeadLetterPage = { readonly page?: number; readonly size?: number; readonly cursor?: string };

/** Operations on background jobs that were given up. */
export type DeadLettersApi = {
  /** Last failed first. */
  list(page?: DeadLetterPage): Promise<Page<DeadLetter>>;
  /** Has one tried again; once more starts nothing. */
  replay(id: string): Promise<DeadLetterReplay>;
};

const PATH = '/api/dead-letters';
const page = pageOf(deadLetter);

/** The operations on dead letters over a transport. */
export function createDeadLettersApi(send: Send): DeadLettersApi {
  return {
    async list(query = {}) {
      return (await request(send, { method: 'GET', path: formatQuery(PATH, query), repeat: 'safe' }, page)).value;
    },
    async replay(id) {
      const path = `${PATH}/${encodeURIComponent(id)}/replay`;
      return (await request(send, { method: 'POST', path, body: {}, repeat: 'safe' }, deadLetterReplay)).value;
    },
  };
}
