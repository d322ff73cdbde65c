import { example } from './operation-example.ts';

/** What needs somebody. */
export const WORK = [
  example('unattachedTraces', 'listUnattachedTraces', 200, 'Every trace has found its record, or still waits for it', {
    query: { application_key: 'nobody' },
  }),
  example('ignoredItems', 'listIgnoredItems', 200, 'Nothing of this application was ignored', {
    query: { application_key: 'nobody' },
  }),
  example('traceFates', 'getTraceFates', 200, 'Nothing of this trace came', {
    params: { trace_id: '0af7651916cd43dd8448eb211c80319d' },
  }),
  example('overview', 'getOverview', 200, 'What needs somebody, and the answers of the last days'),
];
