import type { Route } from '@answer-evidence/routes';
import { createApiDocsRoutes } from '../api-docs/api-docs-routes.ts';
import { createOpenApi, type OpenApiInfo } from './create-openapi.ts';
import { createOpenApiRoute } from './openapi-route.ts';

/** The description that a service gives of all its routes, itself included: OpenAPI as JSON. Nothing is served. */
export function describeApi(info: OpenApiInfo & { readonly routes: readonly Route[] }): string {
  const routes = [...info.routes, ...createApiDocsRoutes()];
  return JSON.stringify(createOpenApi([...routes, createOpenApiRoute(routes, info)], info));
}
