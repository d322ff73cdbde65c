import { hold, holdList, holdQuery, holdsOfRecord, ofHold, placeHoldRequest, releaseHoldRequest } from '../holds.ts';
import { pageQuery } from '../pages.ts';
import { recordList } from '../records.ts';
import { get, post } from './operation.ts';
import { created, NO_RECORD, ofRecord } from './parts.ts';

const NO_HOLD = { 404: { description: 'No such hold' } } as const;

export const placeHold = post('/api/holds', 'placeHold', 'holds.manage', {
  summary: 'Put records on hold for a matter',
  body: placeHoldRequest,
  responses: {
    201: created('The hold; nothing that it covers expires or is redacted from now on', hold, 'hold'),
    409: { description: 'There are as many holds in force as there may be' },
  },
});

export const listHolds = get('/api/holds', 'listHolds', 'holds.read', {
  summary: 'List the holds, newest first',
  query: holdQuery,
  responses: { 200: { description: 'One page, each with how many records it covers', schema: holdList } },
});

export const listHoldsOfRecord = get('/api/holds/of-record/{answer_log_id}', 'listHoldsOfRecord', 'holds.read', {
  summary: 'List the holds in force that cover a record',
  params: ofRecord,
  responses: { 200: { description: 'The holds, oldest first', schema: holdsOfRecord }, ...NO_RECORD },
});

export const getHold = get('/api/holds/{hold_id}', 'getHold', 'holds.read', {
  summary: 'Read a hold',
  params: ofHold,
  responses: { 200: { description: 'The hold', schema: hold }, ...NO_HOLD },
});

export const listHeldRecords = get('/api/holds/{hold_id}/records', 'listHeldRecords', 'holds.read', {
  summary: 'List the records that a hold covers, newest first',
  params: ofHold,
  query: pageQuery,
  responses: { 200: { description: 'One page', schema: recordList }, ...NO_HOLD },
});

export const releaseHold = post('/api/holds/{hold_id}/release', 'releaseHold', 'holds.manage', {
  summary: 'Release a hold',
  params: ofHold,
  body: releaseHoldRequest,
  responses: {
    200: { description: 'The released hold', schema: hold },
    ...NO_HOLD,
    409: { description: 'The hold was released before' },
  },
});
