import * as z from 'zod';
import { sha256 } from '@answer-evidence/digest';
import { utf8 } from '@answer-evidence/encoding';
import { formatWeakTag, type Route, type RouteReply } from '@answer-evidence/routes';
import { createOpenApi, type OpenApiInfo } from './create-openapi.ts';

/** `GET /api/openapi.json`: describes the given routes and itself. The document is made at the first request. */
export function createOpenApiRoute(routes: readonly Route[], info: OpenApiInfo): Route {
  let reply: RouteReply | undefined;
  const route: Route = {
    method: 'GET',
    path: '/api/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Describe this API',
    access: 'public',
    responses: {
      200: {
        description: 'The OpenAPI 3.1 document.',
        schema: z.looseObject({ openapi: z.string() }),
        headers: { ETag: 'State of the document' },
      },
    },
    handle() {
      reply ??= createReply(JSON.stringify(createOpenApi([...routes, route], info)));
      return Promise.resolve(reply);
    },
  };
  return route;
}

/** Kept by caches, which ask each time whether it has changed. */
function createReply(body: string): RouteReply {
  const ETag = formatWeakTag(sha256(utf8(body)));
  return { status: 200, headers: { ETag, 'Cache-Control': 'no-cache' }, body };
}
