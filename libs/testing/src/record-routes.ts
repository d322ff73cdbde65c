import type { Caller } from '@answer-evidence/access';
import { type AnswerRecord, answerRecord } from '@answer-evidence/contracts';
import type { CallRoute } from './call-route.ts';
import type { TestWorkspace } from './test-workspace.ts';

/** Where records are created and listed. */
export const RECORDS = '/api/answer-audit-logs';
/** An id that names nothing. */
export const NO_ID = '0199f3c2-0000-7000-8000-000000000001';

/** The routes of a workspace that include those of records, and its manager. */
export type RecordRoutes = Pick<TestWorkspace, 'manager'> & { readonly call: CallRoute };

/** The smallest create that the first settings accept, with more or other fields. */
export function answer(more: object = {}): object {
  return { application_key: 'support-bot', question: { text: 'Why?' }, answer: { text: 'Because.' }, ...more };
}

/** Creates a record and returns it as the response shows it. */
export async function createRecord(
  { call, manager }: RecordRoutes,
  more: object = {},
  as: Caller = manager,
): Promise<AnswerRecord> {
  const reply = await call('POST', RECORDS, { as, body: answer(more) });
  if (reply.status !== 201)
    throw new Error(`a create got ${reply.status} ${reply.code ?? ''} ${JSON.stringify(reply.errors)}`);
  return answerRecord.parse(reply.body);
}

/** Appends an event as the manager and returns the updated record. */
export async function appendEvent({ call, manager }: RecordRoutes, id: string, event: object): Promise<AnswerRecord> {
  const reply = await call('POST', `${RECORDS}/${id}/events`, { as: manager, body: event });
  if (reply.status !== 200) throw new Error(`an event got ${reply.status} ${reply.code ?? ''}`);
  return answerRecord.parse(reply.body);
}
