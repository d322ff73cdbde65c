import { describe, expect, it } from '@jest/globals';
import type { JsonNode } from './changes.ts';
import { compareDocuments } from './compare-documents.ts';

const text = { schema: { type: 'string' } };
const operation: JsonNode = {
  operationId: 'getThing',
  'x-access': 'things.read',
  parameters: [{ name: 'id', in: 'path', required: true, ...text }, { $ref: '#/components/parameters/Size' }],
  requestBody: { required: false, content: { 'application/json': text } },
  responses: {
    200: { description: 'A thing', headers: { ETag: {} }, content: { 'application/json': text } },
    404: { $ref: '#/components/responses/Missing' },
  },
};

function documentOf(changes: JsonNode = {}, path = '/things/{id}', size: JsonNode = text): JsonNode {
  return {
    paths: { [path]: { get: { ...operation, ...changes } } },
    components: {
      parameters: { Size: { name: 'size', in: 'query', required: false, ...size } },
      responses: { Missing: { content: { 'application/problem+json': text } } },
    },
  };
}

/** The same with the schema of its reply among the components. */
function documentWithReference(schema: JsonNode): JsonNode {
  const reply = {
    headers: { ETag: {} },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
  };
  const document = documentOf({ responses: { ...(operation['responses'] as JsonNode), 200: reply } });
  return { ...document, components: { ...(document['components'] as JsonNode), schemas: { A: schema } } };
}

const before = documentOf();
const responses = operation['responses'] as JsonNode;
const parameters = operation['parameters'] as readonly JsonNode[];
const found = (after: JsonNode): readonly string[] =>
  compareDocuments(before, after).map(({ kind, at, text: words }) => `${kind}: ${at}: ${words}`);

describe('comparing OpenAPI documents', () => {
  it.each<[string, JsonNode]>([
    ['nothing', before],
    ['another name of a parameter of the path', documentOf({}, '/things/{thing_id}')],
    ['other words', documentOf({ summary: 'Read' })],
    ['a schema that is among the components now', documentWithReference({ type: 'string' })],
  ])('finds nothing in %s', (_, after) => {
    expect(found(after)).toEqual([]);
  });

  it.each<[string, JsonNode, string]>([
    ['a path that is gone', { paths: {} }, 'GET /things/{}: is gone'],
    ['another operation id', documentOf({ operationId: 'x' }), 'GET /things/{}: operationId was getThing and is x'],
    ['another access', documentOf({ 'x-access': 'whoami' }), 'GET /things/{}: x-access was things.read and is whoami'],
    ['a parameter less', documentOf({ parameters: parameters.slice(0, 1) }), 'GET /things/{} query size: is gone'],
    [
      'a required parameter more',
      documentOf({ parameters: [...parameters, { name: 'q', in: 'query', required: true, ...text }] }),
      'GET /things/{} query q: is new and required',
    ],
    [
      'another type of a shared parameter',
      documentOf({}, '/things/{id}', { schema: { type: 'integer' } }),
      'GET /things/{} query size: was "string" and is "integer"',
    ],
    [
      'a body that is needed now',
      documentOf({ requestBody: { required: true, content: { 'application/json': text } } }),
      'GET /things/{} request: needs a body now',
    ],
    [
      'another schema among the components',
      documentWithReference({ type: 'integer' }),
      'GET /things/{} 200: was "string" and is "integer"',
    ],
    ['a status less', documentOf({ responses: { 404: responses['404'] } }), 'GET /things/{} 200: is gone'],
    [
      'a header less',
      documentOf({ responses: { ...responses, 200: { content: { 'application/json': text } } } }),
      'GET /things/{} 200: the header ETag is gone',
    ],
    [
      'another media type',
      documentOf({ responses: { ...responses, 200: { headers: { ETag: {} }, content: { 'text/plain': text } } } }),
      'GET /things/{} 200: the media type application/json is gone',
    ],
  ])('refuses %s', (_, after, change) => {
    expect(found(after)).toContain(`breaking: ${change}`);
  });

  it.each<[string, JsonNode, string]>([
    [
      'a path',
      { ...before, paths: { ...(before['paths'] as JsonNode), '/a': { post: operation } } },
      'POST /a: is new',
    ],
    [
      'an optional parameter',
      documentOf({ parameters: [...parameters, { name: 'q', in: 'query', required: false, ...text }] }),
      'GET /things/{} query q: is new',
    ],
    ['a status', documentOf({ responses: { ...responses, 409: {} } }), 'GET /things/{} 409: is new'],
  ])('reports, and does not refuse, %s more', (_, after, change) => {
    expect(found(after)).toEqual([`addition: ${change}`]);
  });
});
