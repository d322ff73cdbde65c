import { SERVICE_VERSION } from '@answer-evidence/contracts';
import type { Route } from '@answer-evidence/routes';
import { SECURITY_SCHEMES, SHARED_HEADERS } from './components.ts';
import { createOperation } from './create-operation.ts';
import type { OpenApiObject } from './json-objects.ts';
import { createNamedSchemas } from './named-schemas.ts';
import { shareParameters } from './shared-parameters.ts';
import { createSharedParts } from './shared-parts.ts';
import { sortByTag, tagsOf } from './tags.ts';

/** What the description says of the service as a whole. */
export type OpenApiInfo = {
  readonly title: string;
  readonly description?: string;
  /** Where the API is reached; may hold `{workspace}`. */
  readonly serverUrl?: string;
  /** What is described: the whole host, where this process serves a part of it; left out: the routes that it serves. */
  readonly routes?: readonly Route[];
};

/** The OpenAPI 3.1 description of the routes, made from the very schemas that parse their requests. */
export function createOpenApi(routes: readonly Route[], info: OpenApiInfo): OpenApiObject {
  const shared = createSharedParts(createNamedSchemas(routes));
  const sorted = sortByTag(routes);
  const { operations, parameters } = shareParameters(sorted.map((route) => createOperation(route, shared)));
  const paths: Record<string, Record<string, OpenApiObject | undefined>> = {};
  for (const [n, { path, method }] of sorted.entries()) {
    // OpenAPI has no form for the rest of a path; as a plain parameter it is at least named.
    (paths[path.replace('{+', '{')] ??= {})[method.toLowerCase()] = operations[n];
  }
  const { title, description } = info;
  return {
    openapi: '3.1.0',
    info: { title, version: SERVICE_VERSION, ...(description === undefined ? {} : { description }) },
    ...(info.serverUrl === undefined ? {} : { servers: [createServerObject(info.serverUrl)] }),
    tags: tagsOf(routes),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters,
      headers: SHARED_HEADERS,
      responses: shared.edgeResponses(),
      schemas: shared.schemas.components(),
    },
  };
}

function createServerObject(url: string): OpenApiObject {
  if (!url.includes('{workspace}')) return { url };
  return { url, variables: { workspace: { default: 'demo', description: 'Slug of the workspace.' } } };
}
