import {
  KEY_LENGTH_MAX,
  REASON_CODE_HEADER,
  REASON_HEADER,
  REVEAL_REASON_CODES,
  SUPPORTED_VERSIONS,
  TEXTS_HEADER,
  TEXTS_WITHHELD,
} from '@answer-evidence/contracts';
import { edgeStatuses, type Route } from '@answer-evidence/routes';
import type { OpenApiObject } from './json-objects.ts';

const tags = { type: 'string' };

/** The headers that a request of the route may have, as parameters: what a route does with them its responses tell. */
export function createHeaderParameters(route: Route): readonly OpenApiObject[] {
  const { responses } = route;
  const replays = Object.values(responses).some(({ headers }) => headers?.['Idempotency-Replayed'] !== undefined);
  return [
    ...(replays ? [IDEMPOTENCY_KEY] : []),
    ...(responses[412] === undefined ? [] : [IF_MATCH]),
    ...(edgeStatuses(route).includes(304) ? [IF_NONE_MATCH] : []),
    ...(route.givesTexts === undefined ? [] : REASON),
    ...(route.givesTexts === 'record' ? [TEXTS] : []),
    SERVICE_VERSION,
  ];
}

const SERVICE_VERSION = header('Service-Version', 'The version of the API that the request was written for.', {
  type: 'string',
  enum: SUPPORTED_VERSIONS,
});
const IDEMPOTENCY_KEY = header('Idempotency-Key', 'The same in each retry of one request.', {
  type: 'string',
  minLength: 1,
  maxLength: KEY_LENGTH_MAX,
});
const IF_MATCH = header('If-Match', 'The `ETag` of the state that is to be changed; another state is 412.', tags);
const IF_NONE_MATCH = header('If-None-Match', 'The `ETag` of a state that is known; the same state is 304.', tags);
const REASON = [
  header(REASON_CODE_HEADER, 'Why the texts in the reply are read; `other` where only words are given.', {
    type: 'string',
    enum: [...REVEAL_REASON_CODES],
  }),
  header(
    REASON_HEADER,
    'The same in words, percent-encoded. The log keeps both for ever, so they must have no personal data. ' +
      'Needed for texts where the rule of the workspace is `reasoned`.',
    { type: 'string', minLength: 1 },
  ),
];
const TEXTS = header(TEXTS_HEADER, 'No texts of question, answer and corrections are wanted.', {
  type: 'string',
  enum: [TEXTS_WITHHELD],
});

function header(name: string, description: string, schema: OpenApiObject): OpenApiObject {
  return { name, in: 'header', required: false, description, schema };
}
