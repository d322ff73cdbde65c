import type { z } from 'zod';
import { contentTypesOf, edgeStatuses, headersOf, type Route, type RouteResponse } from '@answer-evidence/routes';
import { createHeaders, describeProblems, problemResponse, RESPONSE_HEADERS, VERSION_PARAMETER } from './components.ts';
import { createExamples, type OperationExamples } from './create-examples.ts';
import { formatJsonSchema, isObject, type OpenApiObject } from './json-schemas.ts';

const NOT_MODIFIED: RouteResponse = {
  description: 'The state is that of a tag in If-None-Match',
  headers: { ETag: 'That tag' },
};

/** The operation that a route is; schemas of its bodies are added to `schemas` under names made of its operation id. */
export function createOperation(route: Route, schemas: Record<string, OpenApiObject>): OpenApiObject {
  const examples = createExamples(route.operationId);
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
      ...createParameters(route.params, 'path', examples),
      ...createParameters(route.query, 'query', examples),
    ],
    ...(route.body === undefined ? {} : { requestBody: createRequestBody(route, route.body, name, schemas, examples) }),
    responses: createResponses(route, name, schemas, examples),
  };
}

function createParameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  examples: OperationExamples,
): readonly OpenApiObject[] {
  if (schema === undefined) return [];
  const { properties, required } = formatJsonSchema(schema, 'input', '');
  if (!isObject(properties)) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: property,
    ...examples.ofParameter(place, name),
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
  examples: OperationExamples,
): OpenApiObject {
  if (route.bodyFormat === 'bytes') {
    const types = route.bodyTypes ?? ['*/*'];
    return {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, type === 'application/json' ? examples.ofBody() : {}])),
    };
  }
  return {
    required: route.bodyOptional !== true,
    content: {
      'application/json': { schema: addSchema(schemas, `${name}Request`, body, 'input'), ...examples.ofBody() },
      ...createFormContent(route, name, schemas),
    },
  };
}

/** OpenAPI 3.1: the bytes of a file have no schema. */
function createFormContent({ upload }: Route, name: string, schemas: Record<string, OpenApiObject>): OpenApiObject {
  if (upload === undefined) return {};
  const metadata = addSchema(schemas, `${name}Metadata`, upload.metadata, 'input');
  const schema = {
    type: 'object',
    properties: { metadata, file: {} },
    required: ['file'],
    additionalProperties: false,
    description: 'Send each part once, in this order.',
  };
  return { 'multipart/form-data': { schema, encoding: { metadata: { contentType: 'application/json' } } } };
}

function createResponses(
  route: Route,
  name: string,
  schemas: Record<string, OpenApiObject>,
  examples: OperationExamples,
): OpenApiObject {
  const responses: Record<string, OpenApiObject> = {};
  for (const status of edgeStatuses(route)) responses[status] = createEdgeResponse(route, status);
  for (const [status, response] of Object.entries(route.responses)) {
    const shown = examples.ofReply(Number(status));
    responses[status] = createResponse(route, response, Number(status), `${name}Response${status}`, schemas, shown);
  }
  return responses;
}

/** What the edge itself answers with: a shared problem, or the form that the route gives errors. */
function createEdgeResponse(route: Route, status: number): OpenApiObject {
  if (status === 304) return createResponse(route, NOT_MODIFIED, status, '', {}, {});
  if (route.problemForm === undefined) return problemResponse(status);
  return createResponse(route, { description: describeProblems(status) }, status, '', {}, {});
}

function createResponse(
  route: Route,
  response: RouteResponse,
  status: number,
  name: string,
  schemas: Record<string, OpenApiObject>,
  examples: OpenApiObject,
): OpenApiObject {
  const { description } = response;
  const headers = { ...RESPONSE_HEADERS, ...createHeaders(headersOf(route, status)) };
  const schema = response.schema === undefined ? undefined : addSchema(schemas, name, response.schema, 'output');
  if (status >= 400 && schema === undefined && route.problemForm === undefined) {
    const problem = { $ref: '#/components/schemas/Problem' };
    return { description, headers, content: { 'application/problem+json': { schema: problem, ...examples } } };
  }
  const types = contentTypesOf(route, response, status);
  if (types.length === 0) return { description, headers };
  const content = Object.fromEntries(
    types.map((type) => [
      type,
      // The schema is that of the JSON, whatever other forms there are. What is recorded is JSON or plain text.
      {
        ...(schema === undefined || !type.endsWith('json') ? {} : { schema }),
        ...(/json$|plain$/.test(type) ? examples : {}),
      },
    ]),
  );
  return { description, headers, content };
}
