import { readingList, readingQuery } from '../readings.ts';
import { get } from './operation.ts';

export const listReadings = get('/api/readings', 'listReadings', 'entries.read', {
  summary: 'List who read the texts of which records and why, newest first',
  query: readingQuery,
  responses: { 200: { description: 'One page of entries of the log, each a reading', schema: readingList } },
});
