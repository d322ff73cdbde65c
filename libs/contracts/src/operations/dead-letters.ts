import * as z from 'zod';
import { deadLetterList, deadLetterReplay } from '../jobs.ts';
import { pageQuery } from '../pages.ts';
import { anyUuid } from '../primitives.ts';
import { get, post } from './operation.ts';
import { WITHOUT_BODY } from './parts.ts';

export const listDeadLetters = get('/api/dead-letters', 'listDeadLetters', 'deadletters', {
  summary: 'List jobs that failed permanently, last failed first',
  query: pageQuery,
  responses: { 200: { description: 'One page', schema: deadLetterList } },
});

export const replayDeadLetter = post('/api/dead-letters/{dead_letter_id}/replay', 'replayDeadLetter', 'deadletters', {
  summary: 'Retry a job that failed permanently',
  params: z.strictObject({ dead_letter_id: anyUuid }),
  ...WITHOUT_BODY,
  responses: {
    202: { description: 'The job will be retried', schema: deadLetterReplay },
    404: { description: 'No such dead letter' },
  },
});
