import { problem, PROBLEM_TABLE, SUPPORTED_VERSIONS } from '@answer-evidence/contracts';
import { PROBLEM_HEADERS, REPLY_HEADERS } from '@answer-evidence/routes';
import { formatJsonSchema, type OpenApiObject } from './json-schemas.ts';

/** Headers that every response carries, as references. */
export const RESPONSE_HEADERS: Readonly<Record<keyof typeof REPLY_HEADERS, OpenApiObject>> = {
  'Service-Version': { $ref: '#/components/headers/ServiceVersion' },
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

/** The optional request header that names the version. */
export const VERSION_PARAMETER: OpenApiObject = { $ref: '#/components/parameters/ServiceVersion' };

/** The parts that operations share; `schemas` are those that the routes added. */
export function createComponents(schemas: OpenApiObject): OpenApiObject {
  const version = { type: 'string', enum: SUPPORTED_VERSIONS };
  return {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'A user API token or an application JWT.' },
    },
    parameters: {
      ServiceVersion: { name: 'Service-Version', in: 'header', required: false, schema: version },
    },
    headers: {
      ServiceVersion: { description: REPLY_HEADERS['Service-Version'], schema: version },
      RequestId: { description: REPLY_HEADERS['X-Request-Id'], schema: { type: 'string', format: 'uuid' } },
      RateLimitPolicy: { description: REPLY_HEADERS['RateLimit-Policy'], schema: { type: 'string' } },
      RateLimit: { description: REPLY_HEADERS.RateLimit, schema: { type: 'string' } },
    },
    responses: Object.fromEntries(
      problemStatuses().map((status) => [`Problem${status}`, createProblemResponse(status)]),
    ),
    schemas: { Problem: formatJsonSchema(problem, 'output', '#/components/schemas/Problem'), ...schemas },
  };
}

/** The shared problem response of a status. */
export function problemResponse(status: number): OpenApiObject {
  return { $ref: `#/components/responses/Problem${status}` };
}

/** The codes of a status and what they mean. */
export function describeProblems(status: number): string {
  return Object.entries(PROBLEM_TABLE)
    .filter(([, row]) => row.status === status)
    .map(([code, { title }]) => `\`${code}\`: ${title}`)
    .join('; ');
}

function problemStatuses(): readonly number[] {
  return [...new Set(Object.values(PROBLEM_TABLE).map(({ status }) => status))].sort((a, b) => a - b);
}

function createProblemResponse(status: number): OpenApiObject {
  return {
    description: describeProblems(status),
    headers: { ...RESPONSE_HEADERS, ...createHeaders(PROBLEM_HEADERS.get(status)) },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** Headers of a reply by their names and what they say. */
export function createHeaders(headers: Readonly<Record<string, string>> = {}): OpenApiObject {
  return Object.fromEntries(
    Object.entries(headers).map(([header, description]) => [header, { description, schema: { type: 'string' } }]),
  );
}
