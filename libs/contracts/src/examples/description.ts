import { example } from './operation-example.ts';

/** Jobs that were given up, the description itself, and the end. */
export const DESCRIPTION = [
  example('deadLetters', 'listDeadLetters', 200, 'No job has been given up'),
  example('noDeadLetter', 'replayDeadLetter', 404, 'A job that has not been given up', {
    params: { dead_letter_id: '0199f3c2-0000-7000-8000-000000000001' },
  }),
  example('description', 'getOpenApi', 200, 'This description', { isReplyShown: false }),
  example('page', 'getApiDocs', 200, 'This description as a page', { isReplyShown: false }),
  example('pageScript', 'getApiDocsAsset', 200, 'The script that starts the page', {
    params: { asset: 'start.js' },
    isReplyShown: false,
  }),
  // Ends the token that all examples are asked with, so nothing comes after it.
  example('signedOut', 'logout', 204, 'The token of the request ends'),
];
