import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64 } from '@answer-evidence/encoding';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { ConsoleDeps } from '../../console/deps.ts';

/** Files below it have a digest of their content in their names. */
const ASSETS = 'assets/';
const FOR_EVER = 'public, max-age=31536000, immutable';
/** Where a file of the site names another: the site is built for `/docs/`. */
const NAMED = /(?<=["'`(=])\/docs\//g;

type DocsDeps = Pick<ConsoleDeps, 'docsFiles' | 'basePath'>;

const responses = {
  404: { description: 'No such page, or the documentation was not built' },
  200: {
    description: 'A page of the documentation, or a file of it',
    contentType: '*/*',
    headers: {
      'Content-Security-Policy': 'What the page may do',
      'Cross-Origin-Opener-Policy': 'No page of another host holds this one',
      'Cross-Origin-Resource-Policy': 'No page of another host loads it',
      'Referrer-Policy': 'No referrer is sent',
    },
  },
} as const;

/** `GET /docs/` and `GET /docs/{+path}`: the documentation, as it was built; `GET /docs`: leads there. */
export function showDocsRoutes(deps: DocsDeps): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'leadToDocs',
      summary: 'Lead a browser to the documentation',
      access: 'public',
      crossOrigin: false,
      responses: { 303: { description: 'The documentation', headers: { Location: 'Where it is' } } },
      handle: () => Promise.resolve({ status: 303, headers: { Location: '/docs/' } }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/',
      operationId: 'showDocsStart',
      summary: 'Show the documentation',
      access: 'public',
      crossOrigin: false,
      query: z.looseObject({}),
      responses,
      handle: () => show(deps, ''),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/{+path}',
      operationId: 'showDocsPage',
      summary: 'Show a page of the documentation, or a file of it',
      access: 'public',
      crossOrigin: false,
      params: z.strictObject({ path: z.string() }),
      query: z.looseObject({}),
      responses,
      handle: ({ params }) => show(deps, params.path),
    }),
  ];
}

async function show({ docsFiles, basePath = '' }: DocsDeps, path: string): Promise<RouteReply> {
  const name = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  const file = (await docsFiles.find(name)) ?? (await docsFiles.find(`${name}.html`));
  if (file === undefined)
    throw new ServiceError(
      'not_found',
      docsFiles.isBuilt
        ? 'the documentation has no such page; see /docs/'
        : 'this service has no documentation to show; run npm run docs:site to build it',
    );
  const { contentType } = file;
  const body = basePath === '' || !isText(contentType) ? file.bytes : placeBelow(basePath, file.bytes);
  return {
    status: 200,
    contentType,
    headers: {
      'Cache-Control': path.startsWith(ASSETS) ? FOR_EVER : 'no-cache',
      'Content-Security-Policy': policyOf(contentType, body),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
    },
    body,
  };
}

function isText(contentType: string): boolean {
  return /^(?:text\/|application\/json)/.test(contentType);
}

/** The file with the paths as browsers reach them through the proxy before the service. */
function placeBelow(basePath: string, bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(NAMED, `${basePath}/docs/`);
}

/** What a page may do: its own scripts alone, those within it by their digests. Code in colours has inline styles. */
function policyOf(contentType: string, body: Uint8Array | string): string {
  const page = !contentType.startsWith('text/html')
    ? ''
    : typeof body === 'string'
      ? body
      : new TextDecoder().decode(body);
  const scripts = inlineScripts(page).map((text) => `'sha256-${formatBase64(sha256(text))}'`);
  return [
    `default-src 'none'`,
    [`script-src 'self'`, ...new Set(scripts)].join(' '),
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** The texts of the scripts that stand in a page, in its order. */
function inlineScripts(page: string): readonly string[] {
  return page
    .split('<script')
    .slice(1)
    .flatMap((element) => {
      const begin = element.indexOf('>');
      const end = element.indexOf('</script>');
      return begin < 0 || end < begin || element.slice(0, begin).includes(' src=')
        ? []
        : [element.slice(begin + 1, end)];
    });
}
