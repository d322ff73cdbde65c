import { defineRoute } from '@answer-evidence/routes';

/**
 * `GET /healthz`: that this process answers on the port of the API, as `/livez` says on that of the metrics. For load
 * balancers: without token, rate limit or database, and no part of the described API.
 */
export const HEALTH_ROUTE = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  summary: 'Whether the process answers',
  access: 'public',
  isProbe: true,
  responses: { 200: { description: 'It does', contentType: 'text/plain' } },
  handle: () => Promise.resolve({ status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok\n' }),
});
