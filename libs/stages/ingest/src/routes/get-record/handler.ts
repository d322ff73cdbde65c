import { z } from 'zod';
import { answerRecord, anyUuid } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { findOwnRecord, toRecordWithReceipt } from '../../resources/load-record.ts';

/** `GET /api/answer-audit-logs/{answer_log_id}`: a record with its history and a fresh receipt. */
export function getRecordRoute(deps: IngestDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/answer-audit-logs/{answer_log_id}',
    operationId: 'getAnswerRecord',
    summary: 'Read a record with its event history',
    access: 'records.read',
    params: z.strictObject({ answer_log_id: anyUuid }),
    responses: { 200: { description: 'The record', schema: answerRecord }, 404: { description: 'No such record' } },
    async handle({ params, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await findOwnRecord(deps, caller, params.answer_log_id);
      return { status: 200, body: await toRecordWithReceipt(deps, workspace, stored) };
    },
  });
}
