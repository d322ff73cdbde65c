import { contentTypesOf, edgeStatuses, PROBLEM_HEADERS, type Route, type RouteResponse } from '@answer-evidence/ports';
import type { z } from 'zod';
import { createHeaders, problemResponse, RESPONSE_HEADERS, VERSION_PARAMETER } from './components.ts';
import { formatJsonSchema, isObject, type OpenApiObject } from './json-schemas.ts';

/** The operation that a route is; schemas of its bodies are added to `schemas` under names made of its operation id. */
export function createOperation(route: Route, schemas: Record<string, OpenApiObject>): OpenApiObject {
  const name = route.operationId.charAt(0).toUpperCase() + route.operationId.slice(1);
  return {
    operationId: route.operationId,
    summary: route.summary,
    'x-access': route.access,
    ...(route.access === 'public' ? { security: [] } : {}),
    // OpenAPI: an empty requirement makes the token optional.
    ...(route.publicWhen === undefined ? {} : { security: [{ bearer: [] }, {}] }),
    parameters: [
      VERSION_PARAMETER,
      ...createParameters(route.params, 'path'),
      ...createParameters(route.query, 'query'),
    ],
    ...(route.body === undefined ? {} : { requestBody: createRequestBody(route, route.body, name, schemas) }),
    responses: createResponses(route, name, schemas),
  };
}

function createParameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): readonly OpenApiObject[] {
  if (schema === undefined) return [];
  const { properties, required } = formatJsonSchema(schema, 'input', '');
  if (!isObject(properties)) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: property,
  }));
}

function addSchema(
  schemas: Record<string, OpenApiObject>,
  name: string,
  schema: z.ZodType,
  io: 'input' | 'output',
): OpenApiObject {
  const $ref = `#/components/schemas/${name}`;
  schemas[name] = formatJsonSchema(schema, io, $ref);
  return { $ref };
}

function createRequestBody(
  route: Route,
  body: z.ZodType,
  name: string,
  schemas: Record<string, OpenApiObject>,
): OpenApiObject {
  if (route.bodyFormat === 'bytes') return { required: true, content: { '*/*': {} } };
  return {
    required: route.bodyOptional !== true,
    content: { 'application/json': { schema: addSchema(schemas, `${name}Request`, body, 'input') } },
  };
}

function createResponses(route: Route, name: string, schemas: Record<string, OpenApiObject>): OpenApiObject {
  const responses: Record<string, OpenApiObject> = {};
  for (const status of edgeStatuses(route)) responses[status] = problemResponse(status);
  for (const [status, response] of Object.entries(route.responses)) {
    responses[status] = createResponse(response, Number(status), `${name}Response${status}`, schemas);
  }
  return responses;
}

function createResponse(
  response: RouteResponse,
  status: number,
  name: string,
  schemas: Record<string, OpenApiObject>,
): OpenApiObject {
  const { description } = response;
  const headers = { ...RESPONSE_HEADERS, ...createHeaders({ ...PROBLEM_HEADERS.get(status), ...response.headers }) };
  const schema = response.schema === undefined ? undefined : addSchema(schemas, name, response.schema, 'output');
  if (status >= 400 && schema === undefined) {
    const problem = { $ref: '#/components/schemas/Problem' };
    return { description, headers, content: { 'application/problem+json': { schema: problem } } };
  }
  const types = contentTypesOf(response, status);
  if (types.length === 0) return { description, headers };
  const content = Object.fromEntries(types.map((type) => [type, schema === undefined ? {} : { schema }]));
  return { description, headers, content };
}
