import * as z from 'zod';
import { browsedTexts, browseRequest } from '../browsed-texts.ts';
import { answeredCounts, answeredQuery, markedRecordList, markedRecordsQuery } from '../marked-records.ts';
import { anyUuid } from '../primitives.ts';
import { revealRequest } from '../reveals.ts';
import { createViewRequest, savedView, savedViewList } from '../saved-views.ts';
import { searchRequest, searchResult, searchSession, searchValues, wordIndexState } from '../search.ts';
import { get, post, remove } from './operation.ts';

export const searchRecords = post('/api/search', 'searchRecords', 'records.read', {
  summary: 'Find records by what somebody knows of them',
  body: searchRequest,
  responses: { 200: { description: 'How the text was understood, and the records', schema: searchResult } },
});

export const openSearchSession = post('/api/search/sessions', 'openSearchSession', 'texts.read', {
  summary: 'Give the reason for searching texts for their words, which the log keeps',
  body: revealRequest,
  responses: { 201: { description: 'The session, to be named in searches', schema: searchSession } },
});

export const getWordIndex = get('/api/search/words', 'getWordIndex', 'records.read', {
  summary: 'See whether words of texts are searched for, and how far they are indexed',
  responses: { 200: { description: 'The state of the index', schema: wordIndexState } },
});

export const listSearchValues = get('/api/search/values', 'listSearchValues', 'records.read', {
  summary: 'List the applications, environments and modes that records have',
  responses: { 200: { description: 'The values, each list in order', schema: searchValues } },
});

export const listMarkedRecords = get('/api/search/records', 'listMarkedRecords', 'records.read', {
  summary: 'List records with what became of them, who vouches for them, and when they are claimed to be from',
  query: markedRecordsQuery,
  responses: { 200: { description: 'One page', schema: markedRecordList } },
});

export const countAnswered = get('/api/search/answered', 'countAnswered', 'records.read', {
  summary: 'Count imported answers by the time that is claimed for them',
  query: answeredQuery,
  responses: { 200: { description: 'The counts, in order of time', schema: answeredCounts } },
});

export const browseTexts = post('/api/search/texts', 'browseTexts', 'texts.read', {
  summary: 'Read how the texts of some records begin, for a reason that the log keeps with their list',
  body: browseRequest,
  responses: {
    200: { description: 'The beginnings, in the order of the request', schema: browsedTexts },
    404: { description: 'One of the records does not exist; then no text is read' },
  },
});

const ofView = z.strictObject({ view_id: anyUuid });

export const listViews = get('/api/search/views', 'listViews', 'views.read', {
  summary: 'List the views of records that the workspace shares',
  responses: { 200: { description: 'The views, by name', schema: savedViewList } },
});

export const createView = post('/api/search/views', 'createView', 'views.change', {
  summary: 'Share a view of records with the workspace',
  body: createViewRequest,
  responses: {
    201: { description: 'The view', schema: savedView },
    409: { description: 'The name is taken, or the workspace has as many views as it may have' },
  },
});

export const removeView = remove('/api/search/views/{view_id}', 'removeView', 'views.change', {
  summary: 'Remove a view: by the member who saved it, or a manager',
  params: ofView,
  responses: { 204: { description: 'Removed' }, 404: { description: 'No such view' } },
});
