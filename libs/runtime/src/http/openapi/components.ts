import { problem, SUPPORTED_VERSIONS } from '@answer-evidence/contracts';
import { PROBLEM_TABLE } from '../problem-table.ts';
import { formatJsonSchema, type OpenApiObject } from './json-schemas.ts';

/** Headers that every response carries. */
export const RESPONSE_HEADERS: OpenApiObject = {
  'Service-Version': { $ref: '#/components/headers/ServiceVersion' },
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
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
      ServiceVersion: { description: 'The version of the interface that answered.', schema: version },
      RequestId: { description: 'Names this request in logs.', schema: { type: 'string', format: 'uuid' } },
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

function problemStatuses(): readonly number[] {
  return [...new Set(Object.values(PROBLEM_TABLE).map(({ status }) => status))].sort((a, b) => a - b);
}

function createProblemResponse(status: number): OpenApiObject {
  const codes = Object.entries(PROBLEM_TABLE).filter(([, row]) => row.status === status);
  return {
    description: codes.map(([code, { title }]) => `\`${code}\`: ${title}`).join('; '),
    headers: { ...RESPONSE_HEADERS, ...PROBLEM_HEADERS.get(status) },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const TEXT = { type: 'string' };
const PROBLEM_HEADERS: ReadonlyMap<number, OpenApiObject> = new Map([
  [401, { 'WWW-Authenticate': { description: 'RFC 6750 challenge.', schema: TEXT } }],
  [405, { Allow: { description: 'The methods that the path takes.', schema: TEXT } }],
  [503, { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } }],
]);
