import type { z } from 'zod';
import { problem } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, type OperationReply, publishedRight } from '@answer-evidence/contracts/operations';
import { contentTypesOf, edgeStatuses, headersOf, type Route } from '@answer-evidence/routes';
import { createHeaders, RESPONSE_HEADERS } from './components.ts';
import { createExamples, type OperationExamples } from './create-examples.ts';
import { isObject, type OpenApiObject } from './json-objects.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { createHeaderParameters } from './request-headers.ts';
import type { SharedParts } from './shared-parts.ts';
import { tagOf } from './tags.ts';

/** OpenAPI 3.1 asks for no schema of bytes; generators of clients do, and know them by this one of OpenAPI 3.0. */
const BYTES: OpenApiObject = { type: 'string', format: 'binary' };

/** The operation that a route is; what it shares with others is in `shared`. */
export function createOperation(route: Route, shared: SharedParts): OpenApiObject {
  const examples = createExamples(route.operationId);
  const { schemas } = shared;
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [tagOf(route.path)],
    'x-access': publishedRight(route.access),
    ...(route.access === 'public' ? {} : { 'x-roles': ACCESS_MATRIX[route.access].people }),
    ...(route.access === 'public' ? { security: [] } : {}),
    // OpenAPI: an empty requirement makes the token optional.
    ...(route.publicWhen === undefined ? {} : { security: [{ bearer: [] }, {}] }),
    parameters: [
      ...createParameters(route.params, 'path', schemas, examples),
      ...createParameters(route.query, 'query', schemas, examples),
      ...createHeaderParameters(route),
    ],
    ...(route.body === undefined ? {} : { requestBody: createRequestBody(route, route.body, schemas, examples) }),
    responses: createResponses(route, shared, examples),
  };
}

function createParameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemas: NamedSchemas,
  examples: OperationExamples,
): readonly OpenApiObject[] {
  if (schema === undefined) return [];
  const { properties, required } = schemas.inline(schema, 'input');
  if (!isObject(properties)) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: property,
    ...examples.ofParameter(place, name, isObject(property) && property['type'] === 'integer'),
  }));
}

function createRequestBody(
  route: Route,
  body: z.ZodType,
  schemas: NamedSchemas,
  examples: OperationExamples,
): OpenApiObject {
  if (route.bodyFormat === 'bytes') {
    const types = route.bodyTypes ?? ['*/*'];
    const schema = route.bodySchema === undefined ? {} : { schema: schemas.reference(route.bodySchema, 'input') };
    const json = { ...schema, ...examples.ofBody() };
    return {
      required: true,
      content: Object.fromEntries(types.map((type) => [type, type === 'application/json' ? json : { schema: BYTES }])),
    };
  }
  return {
    required: route.bodyOptional !== true,
    content: {
      'application/json': { schema: schemas.reference(body, 'input'), ...examples.ofBody() },
      ...createFormContent(route, schemas),
    },
  };
}

function createFormContent({ form }: Route, schemas: NamedSchemas): OpenApiObject {
  if (form === undefined) return {};
  const schema = {
    type: 'object',
    properties: { metadata: schemas.reference(form.metadata, 'input'), file: BYTES },
    required: ['file'],
    additionalProperties: false,
    description: 'Send each part once, in this order.',
  };
  return { 'multipart/form-data': { schema, encoding: { metadata: { contentType: 'application/json' } } } };
}

function createResponses(route: Route, shared: SharedParts, examples: OperationExamples): OpenApiObject {
  const responses: Record<string, OpenApiObject> = {};
  for (const status of edgeStatuses(route)) responses[status] = shared.edgeResponse(status, route.problemForm);
  for (const [key, response] of Object.entries(route.responses)) {
    const status = Number(key);
    const shown = examples.ofReply(status);
    const isOwn = status < 400 || response.schema !== undefined || response.headers !== undefined;
    responses[status] =
      isOwn || Object.keys(shown).length > 0
        ? createResponse(route, response, status, shared, shown)
        : { ...shared.edgeResponse(status, route.problemForm), description: response.description };
  }
  return responses;
}

function createResponse(
  route: Route,
  response: OperationReply,
  status: number,
  { schemas }: SharedParts,
  examples: OpenApiObject,
): OpenApiObject {
  const { description } = response;
  const headers = { ...RESPONSE_HEADERS, ...createHeaders(headersOf(route, status)) };
  const types = contentTypesOf(route, response, status);
  if (types.length === 0) return { description, headers };
  const described = response.schema ?? (status < 400 ? undefined : (route.problemForm?.schema ?? problem));
  const schema = described === undefined ? {} : { schema: schemas.reference(described, 'output') };
  const content = Object.fromEntries(
    types.map((type) => [
      type,
      // The schema is that of the JSON, whatever other forms there are. What is recorded is JSON or plain text.
      { ...(type.endsWith('json') ? schema : {}), ...(/json$|plain$/.test(type) ? examples : {}) },
    ]),
  );
  return { description, headers, content };
}
