import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { PAGE, PAGE_POLICY, START_SCRIPT } from './page.ts';
import { findAsset } from './read-asset.ts';

const CACHE_CONTROL = 'public, max-age=3600';

/** Every file that the page loads, with its media type. */
const ASSETS = {
  'start.js': 'text/javascript',
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
} as const;
const asset = z.enum(Object.keys(ASSETS) as (keyof typeof ASSETS)[]);

/** `GET /api/docs` and what it loads: the description of the interface, to read and to try. */
export function createApiDocsRoutes(): readonly Route[] {
  return [pageRoute, assetRoute];
}

const pageRoute = defineRoute({
  method: 'GET',
  path: '/api/docs',
  operationId: 'getApiDocs',
  summary: 'Show the API documentation as a page',
  access: 'public',
  responses: {
    200: {
      description: 'The page; it loads nothing from other hosts',
      contentType: 'text/html',
      headers: { 'Content-Security-Policy': 'This host only', 'Referrer-Policy': '`no-referrer`' },
    },
  },
  handle: () =>
    Promise.resolve({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: {
        'Content-Security-Policy': PAGE_POLICY,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': CACHE_CONTROL,
      },
      body: PAGE,
    }),
});

const assetRoute = defineRoute({
  method: 'GET',
  path: '/api/docs/{asset}',
  operationId: 'getApiDocsAsset',
  summary: 'Get a file of the documentation page',
  access: 'public',
  params: z.strictObject({ asset }),
  responses: {
    200: { description: 'The file', contentType: [...new Set(Object.values(ASSETS))] },
    404: { description: 'No such file' },
  },
  async handle({ params }) {
    const body = params.asset === 'start.js' ? START_SCRIPT : await findAsset(params.asset);
    if (body === undefined)
      throw new ServiceError('not_found', 'this installation does not include the page; read GET /api/openapi.json');
    const type = ASSETS[params.asset];
    return {
      status: 200,
      contentType: type === 'image/png' ? type : `${type}; charset=utf-8`,
      headers: { 'Cache-Control': CACHE_CONTROL },
      body,
    };
  },
});
