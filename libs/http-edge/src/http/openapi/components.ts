import { PROBLEM_TABLE, SUPPORTED_VERSIONS } from '@answer-evidence/contracts';
import { REPLY_HEADERS } from '@answer-evidence/routes';
import type { OpenApiObject } from './json-objects.ts';

const version = { type: 'string', enum: SUPPORTED_VERSIONS };

/** Headers that every response carries, as references. */
export const RESPONSE_HEADERS: Readonly<Record<keyof typeof REPLY_HEADERS, OpenApiObject>> = {
  'Service-Version': { $ref: '#/components/headers/ServiceVersion' },
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

/** What those references lead to. */
export const SHARED_HEADERS: OpenApiObject = {
  ServiceVersion: { description: REPLY_HEADERS['Service-Version'], schema: version },
  RequestId: { description: REPLY_HEADERS['X-Request-Id'], schema: { type: 'string', format: 'uuid' } },
  RateLimitPolicy: { description: REPLY_HEADERS['RateLimit-Policy'], schema: { type: 'string' } },
  RateLimit: { description: REPLY_HEADERS.RateLimit, schema: { type: 'string' } },
};

/** How requests say who sends them. */
export const SECURITY_SCHEMES: OpenApiObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A user API token or an application JWT.' },
};

/** The codes of a status and what they mean. */
export function describeProblems(status: number): string {
  return Object.entries(PROBLEM_TABLE)
    .filter(([, row]) => row.status === status)
    .map(([code, { title }]) => `\`${code}\`: ${title}`)
    .join('; ');
}

/** Headers of a reply by their names and what they say. */
export function createHeaders(headers: Readonly<Record<string, string>> = {}): OpenApiObject {
  return Object.fromEntries(
    Object.entries(headers).map(([header, description]) => [header, { description, schema: { type: 'string' } }]),
  );
}
