import { overview, overviewQuery } from '../overview.ts';
import { get } from './operation.ts';

export const getOverview = get('/api/overview', 'getOverview', 'overview', {
  summary: 'Say what needs somebody, and how many answers there were',
  query: overviewQuery,
  responses: { 200: { description: 'What the caller may see of it, as of now', schema: overview } },
});
