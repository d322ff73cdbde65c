import type { OperationReply } from '@answer-evidence/contracts/operations';
import type { Route } from './route.ts';

/** The statuses that the edge itself may answer a request of this route with, besides those that the route names. */
export function edgeStatuses(route: Route): readonly number[] {
  return [
    ...(route.method === 'GET' && route.responses[200]?.headers?.ETag !== undefined ? [304] : []),
    400,
    ...(route.body === undefined ? [] : [413, 415]),
    ...(route.access === 'public' ? [] : [401, 403]),
    ...(route.params === undefined ? [] : [404]),
    422,
    429,
    500,
    503,
  ];
}

/** The media types of a documented reply; none where it has no content. */
export function contentTypesOf(route: Route, response: OperationReply, status: number): readonly string[] {
  const { contentType, schema } = response;
  if (contentType !== undefined) return typeof contentType === 'string' ? [contentType] : contentType;
  if (schema !== undefined) return ['application/json'];
  return status >= 400 ? (route.problemForm?.contentTypes ?? ['application/problem+json']) : [];
}

/** Headers that every reply carries, and what they say. */
export const REPLY_HEADERS = {
  'Service-Version': 'The API version of the response.',
  'X-Request-Id': 'Identifies this request in the logs.',
  'RateLimit-Policy': 'The rate limit that applies to the request, when limits are on.',
  RateLimit: 'The remainder of that limit.',
} as const;

/** What the headers of a problem say, by status. */
export const PROBLEM_HEADERS = new Map<number, Readonly<Record<string, string>>>([
  [401, { 'WWW-Authenticate': 'RFC 6750 challenge' }],
  [403, { 'WWW-Authenticate': 'RFC 6750 challenge, where the token lacks a scope' }],
  [405, { Allow: 'The methods that the path supports' }],
  [415, { 'Accept-Encoding': 'The codings that the body may have, where it has another one' }],
  [429, { 'Retry-After': 'Seconds to wait' }],
  [503, { 'Retry-After': 'Seconds to wait' }],
]);

const TEXTS_REPLY_HEADERS = { 'Service-Texts': '`withheld` where texts are there that the reply leaves out' };

/** Whether a route is a list in pages, which is told by the page that its query may ask for. */
export function isPaged(route: Route): boolean {
  return route.query?.shape.page !== undefined;
}

/** What the headers of one reply of a route say, besides those that every reply carries. */
export function headersOf(route: Route, status: number): Readonly<Record<string, string>> {
  return {
    ...PROBLEM_HEADERS.get(status),
    ...(status === 200 && isPaged(route) ? { Link: 'The next page, as `rel="next"`, when there is one' } : {}),
    ...(route.givesTexts === 'record' && status < 300 ? TEXTS_REPLY_HEADERS : {}),
    ...route.responses[status]?.headers,
  };
}
