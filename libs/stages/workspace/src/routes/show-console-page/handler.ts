import * as z from 'zod';
import { ServiceError } from '@answer-evidence/contracts';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { ConsoleDeps, ConsoleFiles } from '../../console/deps.ts';
import { UNBUILT_PAGE } from './unbuilt-page.ts';

const PAGE = 'index.html';
/** Its policy is in the file: it is opened from disk, and a browser never runs it as a page of this host. */
const VERIFIER = 'verify.html';
const ASSETS = 'assets/';
/** Files below it have a digest of their content in their names. */
const FOR_EVER = 'public, max-age=31536000, immutable';

type PageDeps = Pick<ConsoleDeps, 'consoleFiles' | 'basePath'>;

const responses = {
  200: {
    description: 'A page of the console, or a file of it',
    contentType: '*/*',
    headers: { 'Content-Disposition': 'Of a file to save, which is not a page' },
  },
} as const;

/** `GET /console/`: the page that every address of the console begins with. */
export function showConsoleStartRoute(deps: PageDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/',
    operationId: 'showConsoleStart',
    summary: 'Show the console',
    access: 'public',
    crossOrigin: false,
    query: z.looseObject({}),
    responses,
    handle: () => Promise.resolve(show(deps, PAGE)),
  });
}

/** `GET /console/{+path}`: a file of the console, or the page, whose script knows what the address means. */
export function showConsolePageRoute(deps: PageDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/console/{+path}',
    operationId: 'showConsolePage',
    summary: 'Show a page of the console, or a file of it',
    access: 'public',
    crossOrigin: false,
    params: z.strictObject({ path: z.string() }),
    query: z.looseObject({}),
    responses,
    handle: ({ params }) => Promise.resolve(show(deps, params.path)),
  });
}

/** `GET /` and `GET /console`: lead a browser to the console. */
export function leadToConsoleRoutes(): readonly Route[] {
  return (['/', '/console'] as const).map((path) =>
    defineRoute({
      method: 'GET',
      path,
      operationId: path === '/' ? 'leadToConsole' : 'leadIntoConsole',
      summary: 'Lead a browser to the console',
      access: 'public',
      crossOrigin: false,
      responses: {
        303: { description: 'The console', headers: { Location: 'Where the console is' } },
        404: { description: 'Anyone who does not ask for a page finds nothing here' },
      },
      handle(request) {
        // Clients of the API that lack a path are told so, and not sent to a page.
        if (request.header('accept')?.includes('text/html') !== true)
          throw new ServiceError(
            'not_found',
            'nothing is at this path; see GET /api/openapi.json for every path, or the console at /console/',
          );
        return Promise.resolve({ status: 303, headers: { Location: '/console/', Vary: 'Accept' } });
      },
    }),
  );
}

function show({ consoleFiles: files, basePath = '' }: PageDeps, path: string): RouteReply {
  const file = files.find(path);
  if (file !== undefined && path !== PAGE)
    return {
      status: 200,
      contentType: file.contentType,
      headers: {
        'Cache-Control': path.startsWith(ASSETS) ? FOR_EVER : 'no-cache',
        ...(path === VERIFIER ? { 'Content-Disposition': `attachment; filename="${VERIFIER}"` } : {}),
      },
      body: file.bytes,
    };
  if (path.startsWith(ASSETS))
    throw new ServiceError(
      'not_found',
      'the console has no such file, perhaps since it was built anew; try /console/ again',
    );
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: { 'Cache-Control': 'no-cache' },
    body: findPage(files, basePath) ?? UNBUILT_PAGE,
  };
}

/** The page, which names its files by their paths as browsers reach them. */
function findPage(files: ConsoleFiles, basePath: string): Uint8Array | string | undefined {
  const page = files.find(PAGE)?.bytes;
  if (page === undefined || basePath === '') return page;
  return new TextDecoder().decode(page).replaceAll('"/console/', `"${basePath}/console/`);
}
