import { createEventRequest } from '../events.ts';
import { pageQuery } from '../pages.ts';
import {
  answerRecord,
  CREATE_BODY_BYTES_MAX,
  CREATE_MANY_BODY_BYTES_MAX,
  createdResults,
  createRecordRequest,
  createRecordsRequest,
  exportQuery,
  recordFilters,
  recordList,
} from '../records.ts';
import { revealRequest } from '../reveals.ts';
import { get, post } from './operation.ts';
import { NO_RECORD, ofRecord } from './parts.ts';

export const appendLifecycleEvent = post(
  '/api/answer-audit-logs/{answer_log_id}/events',
  'appendLifecycleEvent',
  'events.append',
  {
    summary: 'Append a lifecycle event to a record',
    givesTexts: 'record',
    params: ofRecord,
    body: createEventRequest,
    bodyBytesMax: CREATE_BODY_BYTES_MAX,
    responses: {
      200: {
        description: 'The updated record with the appended event',
        schema: answerRecord,
        headers: { 'Idempotency-Replayed': '`true` when an earlier request with this key appended the event' },
      },
      ...NO_RECORD,
      409: { description: "The record's status does not permit the event, or the key was used with another payload" },
    },
  },
);

export const createAnswerRecord = post('/api/answer-audit-logs', 'createAnswerRecord', 'records.create', {
  summary: 'Record an answer',
  givesTexts: 'record',
  rateLimit: 'create',
  body: createRecordRequest,
  bodyBytesMax: CREATE_BODY_BYTES_MAX,
  responses: {
    201: {
      description: 'The new record, or with Idempotency-Replayed the one created earlier with this key',
      schema: answerRecord,
      headers: {
        Location: 'Path of the record',
        'Idempotency-Replayed': '`true` when an earlier request with this key created the record',
      },
    },
    409: { description: 'The idempotency key was used with another payload' },
  },
});

export const createAnswerRecords = post('/api/answer-audit-logs/batch', 'createAnswerRecords', 'records.create', {
  summary: 'Record many answers',
  rateLimit: 'create',
  body: createRecordsRequest,
  bodyBytesMax: CREATE_MANY_BODY_BYTES_MAX,
  responses: {
    200: {
      description:
        'One result per record, in the order of the request. A refused record does not affect the others. ' +
        'After 503 send the whole request again: the keys prevent second records.',
      schema: createdResults,
    },
  },
});

export const exportAnswerRecords = get('/api/answer-audit-logs/export', 'exportAnswerRecords', 'records.export', {
  summary: 'Export a bounded window of records',
  givesTexts: 'file',
  query: exportQuery,
  responses: {
    200: {
      description:
        'The first matching records, oldest first: at most 200, fewer when they are large. Whole records as JSON lines, or CSV (RFC 4180)',
      contentType: ['application/jsonl', 'text/csv'],
      headers: {
        'Content-Disposition': 'An attachment, with a file name',
        'Export-Truncated': '`true` when records of the window were left out',
        'Export-Matching': 'Number of records in the window',
        'Export-Next-Created-After': '`created_after` of the next request, when records were left out',
      },
    },
    404: { description: 'No such request for approval' },
    409: { description: 'A second person must approve it, or what was approved is another export, or was used' },
  },
});

export const getAnswerRecord = get('/api/answer-audit-logs/{answer_log_id}', 'getAnswerRecord', 'records.read', {
  summary: 'Read a record with its event history',
  givesTexts: 'record',
  params: ofRecord,
  responses: {
    200: {
      description: 'The record',
      schema: answerRecord,
      headers: { ETag: 'State of the record; a newer receipt alone leaves it as it is' },
    },
    ...NO_RECORD,
  },
});

export const listAnswerRecords = get('/api/answer-audit-logs', 'listAnswerRecords', 'records.read', {
  summary: 'List records, newest first',
  query: recordFilters.extend(pageQuery.shape),
  responses: { 200: { description: 'One page', schema: recordList } },
});

export const revealTexts = post('/api/answer-audit-logs/{answer_log_id}/reveal', 'revealTexts', 'texts.read', {
  summary: 'Read the texts of a record for a reason that the log keeps',
  params: ofRecord,
  body: revealRequest,
  responses: {
    200: { description: 'The record with its texts', schema: answerRecord },
    ...NO_RECORD,
  },
});
