import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import {
  answerRecord,
  createEventRequest,
  createRecordRequest,
  pageQuery,
  patchSettingsRequest,
  problem,
  recordFilters,
  recordList,
  tenantSettings,
  uuid,
} from '@answer-evidence/contracts';
import { defineRoute } from '@answer-evidence/routes';
import { openEdge } from '../../fixtures/open-edge.ts';
import { replyRoute } from '../../fixtures/routes.ts';
import { createOpenApi } from './create-openapi.ts';
import { isObject, type OpenApiObject } from './json-objects.ts';
import { shareParameters } from './shared-parameters.ts';

type Tree = { name: string; children: Tree[] };
const tree: z.ZodType<Tree> = z.strictObject({ name: z.string(), children: z.lazy(() => z.array(tree)) });
const params = z.strictObject({ id: uuid });
const handle = () => Promise.resolve({ status: 200 });

const routes = [
  defineRoute({
    method: 'POST',
    path: '/api/records',
    operationId: 'createRecord',
    summary: 'Record an answer',
    access: 'records.create',
    body: createRecordRequest,
    responses: {
      201: { description: 'The record.', schema: answerRecord, headers: { 'Idempotency-Replayed': 'A replay.' } },
      409: { description: 'Another payload.' },
    },
    handle,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/records',
    operationId: 'listRecords',
    summary: 'List records',
    access: 'records.read',
    query: recordFilters.extend(pageQuery.shape),
    responses: { 200: { description: 'A page.', schema: recordList } },
    handle,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/records/{id}/events',
    operationId: 'appendEvent',
    summary: 'Append an event',
    access: 'events.append',
    params,
    body: createEventRequest,
    responses: { 200: { description: 'The record.', schema: answerRecord } },
    handle,
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/settings',
    operationId: 'patchSettings',
    summary: 'Change settings',
    access: 'settings.manage',
    body: patchSettingsRequest,
    bodyOptional: true,
    responses: { 200: { description: 'The settings.', schema: tenantSettings } },
    handle,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/tree',
    operationId: 'getTree',
    summary: 'A recursive schema',
    access: 'public',
    responses: {
      200: { description: 'A tree.', schema: z.strictObject({ tree, problem }) },
      404: { description: 'No tree.' },
    },
    handle,
  }),
  replyRoute('/api/export', { status: 200 }),
  {
    ...replyRoute('/api/list', { status: 200 }),
    responses: {
      200: {
        description: 'A page, or all of it as a file.',
        schema: recordList,
        contentType: ['application/json', 'application/jsonl', 'text/csv'],
      },
    },
  },
];
const document = createOpenApi(routes, { title: 'Test', serverUrl: 'https://{workspace}.example.com' });

/** The node that a JSON pointer names. */
function resolve(root: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((node, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) return node[Number(name)] as unknown;
    return isObject(node) ? node[name] : undefined;
  }, root);
}

/** Every value of the document under the key. */
function collect(node: unknown, key: string): unknown[] {
  if (Array.isArray(node)) return node.flatMap((item) => collect(item, key));
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...collect(value, key)]);
}

function operations(): readonly (readonly [string, OpenApiObject])[] {
  const { paths } = document;
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).map(
      ([method, operation]) => [`${method} ${path}`, isObject(operation) ? operation : {}] as const,
    ),
  );
}

describe('the OpenAPI document', () => {
  it('is plain JSON of version 3.1 with the fields that OAS asks for', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Test', version: '2026-07-31' },
      servers: [{ url: 'https://{workspace}.example.com', variables: { workspace: { default: 'demo' } } }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    const known = ['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'components'];
    expect(Object.keys(document).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('holds no reference that leads nowhere', () => {
    const references = collect(document, '$ref');
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\//);
      expect(resolve(document, String(reference))).toBeDefined();
    }
  });

  it('names schemas as the contracts do, and any other after its operation', () => {
    const content = (path: string) => resolve(document, `/paths/${path}/content/application~1json/schema`);
    const record = { $ref: '#/components/schemas/AnswerRecord' };
    expect(content('~1api~1records/post/responses/201')).toEqual(record);
    expect(content('~1api~1records~1{id}~1events/post/responses/200')).toEqual(record);
    expect(content('~1api~1tree/get/responses/200')).toEqual({ $ref: '#/components/schemas/GetTreeResponse200' });
    expect(resolve(document, '/components/schemas/RecordList/properties/items/items')).toEqual({
      $ref: '#/components/schemas/RecordSummary',
    });
    expect(Object.keys(resolve(document, '/components/schemas') as object)).not.toContain('TrustFile');
  });

  it('lets a schema without a name hold itself', () => {
    const { properties } = resolve(document, '/components/schemas/GetTreeResponse200') as { properties: any };
    const { $ref } = properties.tree as { $ref: string };
    expect(resolve(document, `${$ref}/properties/children/items`)).toEqual({ $ref });
  });

  it('refuses a schema that is sent in another form than it is returned', () => {
    const both = z.strictObject({ size: z.int().default(1) });
    const echo = {
      ...replyRoute('/api/both', { status: 200 }),
      body: both,
      responses: { 200: { description: 'The same.', schema: both } },
    };
    expect(() => createOpenApi([echo], { title: 'Test' })).toThrow(
      'GetapibothRequest is sent in another form than it is returned',
    );
  });

  it('has each parameter that operations share once: in a path with the examples of all', () => {
    const id = { name: 'thing_id', in: 'path', schema: { type: 'string' } };
    const size = { name: 'size', in: 'query', schema: { type: 'integer' } };
    const examples = (value: string) => ({ examples: { [value]: { value } } });
    const found = shareParameters([
      { parameters: [{ ...id, ...examples('a') }, size] },
      { parameters: [{ ...id, ...examples('b') }, size] },
      { parameters: [id, { ...size, ...examples('c') }] },
      { parameters: [{ ...id, name: 'once' }] },
    ]);
    expect(found.parameters).toEqual({
      Size: size,
      ThingId: { ...id, examples: { a: { value: 'a' }, b: { value: 'b' } } },
    });
    const [sharedId, sharedSize] = ['ThingId', 'Size'].map((name) => ({ $ref: `#/components/parameters/${name}` }));
    expect(found.operations.map(({ parameters }) => parameters)).toEqual([
      [sharedId, sharedSize],
      [sharedId, sharedSize],
      [sharedId, { ...size, ...examples('c') }],
      [{ ...id, name: 'once' }],
    ]);
  });

  it('spells patterns as every engine reads them', () => {
    const patterns = collect(document, 'pattern').filter((pattern) => typeof pattern === 'string');
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[bBdDkpPsSwW]|\\u\{|\(\?/.test(pattern.replaceAll('(?:', '(')))).toEqual([]);
  });

  it('gives the schema of a reply to its JSON, and to none of its other forms', () => {
    expect(resolve(document, '/paths/~1api~1list/get/responses/200/content')).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/RecordList' } },
      'application/jsonl': {},
      'text/csv': {},
    });
  });

  it('has an operation for each route, each id once', () => {
    const ids = collect(document, 'operationId');
    expect(ids).toHaveLength(routes.length);
    expect(new Set(ids)).toEqual(new Set(routes.map(({ operationId }) => operationId)));
  });

  it.each(operations())('%s has what OAS asks of an operation', (name, operation) => {
    const { parameters, responses } = operation;
    if (!Array.isArray(parameters) || !isObject(responses)) throw new Error('an operation without its parts');
    const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    const named = parameters.filter((parameter) => isObject(parameter) && parameter['in'] === 'path');
    expect(named).toEqual(inPath.map((parameter) => expect.objectContaining({ name: parameter, required: true })));
    expect(Object.keys(responses).every((status) => /^[1-5]\d\d$/.test(status))).toBe(true);
    for (const response of Object.values(responses)) {
      const target =
        isObject(response) && typeof response['$ref'] === 'string' ? resolve(document, response['$ref']) : response;
      expect(target).toMatchObject({ description: expect.any(String), headers: { 'Service-Version': {} } });
    }
  });

  it('says who may, and which problems the edge answers with', () => {
    const byName = new Map(operations());
    expect(byName.get('post /api/records')).toMatchObject({ 'x-access': 'records.create' });
    expect(byName.get('post /api/records')).not.toHaveProperty('security');
    const statuses = Object.keys(byName.get('post /api/records')?.['responses'] ?? {});
    expect(statuses).toEqual(['201', '400', '401', '403', '409', '413', '415', '422', '429', '500', '503']);
    expect(byName.get('get /api/tree')).toMatchObject({ 'x-access': 'public', security: [] });
    const open = Object.keys(byName.get('get /api/tree')?.['responses'] ?? {});
    expect(open).toEqual(['200', '400', '404', '422', '429', '500', '503']);
    expect(byName.get('patch /api/settings')).toMatchObject({ requestBody: { required: false } });
  });

  it('describes requests as they are sent: strict outside, open where keys are the caller’s', () => {
    const schema = resolve(document, '/components/schemas/CreateRecordRequest');
    expect(schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['application_key', 'question', 'answer'],
      properties: { semantic_refs: { type: 'array', items: { type: 'object', additionalProperties: true } } },
    });
    const byName = new Map(operations());
    expect(byName.get('get /api/records')?.['parameters']).toContainEqual(
      expect.objectContaining({
        name: 'size',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 200 },
      }),
    );
  });

  it('is served to everybody, and describes its own route', async () => {
    const edge = await openEdge(routes);
    const response = await edge.send('/api/openapi.json', { headers: { authorization: '' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({ paths: { '/api/openapi.json': { get: { security: [] } } } });
    await edge.close();
  });
});
