import { searchRequest, searchResult, searchValues } from '../search.ts';
import { get, post } from './operation.ts';

export const searchRecords = post('/api/search', 'searchRecords', 'records.read', {
  summary: 'Find records by what somebody knows of them',
  body: searchRequest,
  responses: { 200: { description: 'How the text was understood, and the records', schema: searchResult } },
});

export const listSearchValues = get('/api/search/values', 'listSearchValues', 'records.read', {
  summary: 'List the applications, environments and modes that records have',
  responses: { 200: { description: 'The values, each list in order', schema: searchValues } },
});
