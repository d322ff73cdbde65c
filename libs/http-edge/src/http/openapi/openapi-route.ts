import { z } from 'zod';
import type { Route } from '@answer-evidence/routes';
import { createOpenApi, type OpenApiInfo } from './create-openapi.ts';

/** `GET /api/openapi.json`: describes the given routes and itself. The document is made at the first request. */
export function createOpenApiRoute(routes: readonly Route[], info: OpenApiInfo): Route {
  let text: string | undefined;
  const route: Route = {
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Describe this API',
    access: 'public',
    responses: { 200: { description: 'The OpenAPI 3.1 document.', schema: z.looseObject({ openapi: z.string() }) } },
    handle() {
      text ??= JSON.stringify(createOpenApi([...routes, route], info));
      return Promise.resolve({ status: 200, body: text });
    },
  };
  return route;
}
