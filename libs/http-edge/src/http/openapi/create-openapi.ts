import { SERVICE_VERSION } from '@answer-evidence/contracts';
import type { Route } from '@answer-evidence/routes';
import { createComponents } from './components.ts';
import { createOperation } from './create-operation.ts';
import type { OpenApiObject } from './json-schemas.ts';

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
  const schemas: Record<string, OpenApiObject> = {};
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const route of routes) {
    // OpenAPI has no form for the rest of a path; as a plain parameter it is at least named.
    (paths[route.path.replace('{+', '{')] ??= {})[route.method.toLowerCase()] = createOperation(route, schemas);
  }
  const { title, description } = info;
  return {
    openapi: '3.1.0',
    info: { title, version: SERVICE_VERSION, ...(description === undefined ? {} : { description }) },
    ...(info.serverUrl === undefined ? {} : { servers: [createServerObject(info.serverUrl)] }),
    security: [{ bearer: [] }],
    paths,
    components: createComponents(schemas),
  };
}

function createServerObject(url: string): OpenApiObject {
  if (!url.includes('{workspace}')) return { url };
  return { url, variables: { workspace: { default: 'demo', description: 'Slug of the workspace.' } } };
}
