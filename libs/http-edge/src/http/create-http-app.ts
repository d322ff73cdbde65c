import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import { ServiceError, SUPPORTED_VERSIONS } from '@answer-evidence/contracts';
import { type ByteBudget, createByteBudget, type Route } from '@answer-evidence/routes';
import type { Authenticator } from '../auth/authenticator.ts';
import type { HostPolicy } from '../auth/host-policy.ts';
import type { RequestLimits } from '../rate-limits/request-limits.ts';
import { createApiDocsRoutes } from './api-docs/api-docs-routes.ts';
import {
  CONSOLE_PLACE,
  type ConsoleProxy,
  findForwarded,
  guardConsoleReply,
  isForConsole,
  rewriteForApi,
} from './console-proxy.ts';
import { sendUpstream } from './console-upstream.ts';
import { type CorsOrigins, readableBy } from './cross-origin.ts';
import { createJournal, type Exchange, type HttpMetrics, type RequestLogger } from './exchange.ts';
import { HEALTH_ROUTE } from './health-route.ts';
import type { OpenApiInfo } from './openapi/create-openapi.ts';
import { createOpenApiRoute } from './openapi/openapi-route.ts';
import { createOtherMethods, type PathHandler } from './other-methods.ts';
import { refusePathEncoding } from './path-encoding.ts';
import { createPathHints, type PathHints } from './path-hints.ts';
import type { BodyReaders } from './read-body-part.ts';
import { createRequestIds } from './request-ids.ts';
import { type Edge, failExchange, type OnUndocumented, serveRoute } from './serve-route.ts';
import { formatExpressPath, type PathRoutes, sortRoutes } from './sort-routes.ts';
import { createTickBarrier } from './tick-barrier.ts';

/** What the HTTP edge is made of. */
export type HttpAppOptions = {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly logger: RequestLogger;
  readonly metrics: HttpMetrics;
  readonly hosts: HostPolicy;
  readonly limits: RequestLimits;
  readonly openapi: OpenApiInfo;
  /** What large bodies in hand may take of memory, of all routes that have no budget of their own; default 256 MiB. */
  readonly bodyBudget?: ByteBudget | undefined;
  /** Reads large bodies in other threads; left out: they are read in this one. */
  readonly readers?: BodyReaders | undefined;
  /** Checks every reply against its description: one that differs is reported here and answered with 500. */
  readonly onUndocumented?: OnUndocumented | undefined;
  /** The path of the public address, without a slash at its end; a proxy takes it off requests. Default: none. */
  readonly basePath?: string;
  /** Value of `Strict-Transport-Security` for every host but `localhost`. Default: the header is not sent. */
  readonly transportSecurity?: string | undefined;
  /** Origins allowed by CORS. Default: none. */
  readonly origins?: CorsOrigins;
  /** Forwards requests of browsers with a session to the routes. Default: none are forwarded. */
  readonly console?: ConsoleProxy;
};

/** Bodies of up to 64 KiB are beside it: 4,096 connections bound them. */
const BODIES_BYTES_MAX = 256 * 1024 * 1024;

/** RFC 9110 section 9.3.7: the target of an OPTIONS that asks about no path. */
const WHOLE_SERVER: PathRoutes = { path: '*', routes: [] };

const NO_ORIGINS: CorsOrigins = new Set();

/** RFC 6761 section 6.3. It is the name of whatever else runs on a person's machine, on all of its ports. */
const LOCALHOST = /^(?:[^:]*\.)?localhost(?::\d*)?$/i;

/** The edge as `node:http` calls it. */
export type HttpApp = { readonly handler: (req: IncomingMessage, res: ServerResponse) => void };

type EdgeResponse = Response<unknown, { exchange: Exchange }>;

/** The HTTP edge over the routes and its own. Throws when two collide. Express's own replies would quote requests. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const {
    authenticator,
    hosts,
    limits,
    logger,
    metrics,
    readers,
    onUndocumented,
    basePath = '',
    origins = NO_ORIGINS,
  } = options;
  const journal = createJournal({ logger, metrics, nextRequestId: createRequestIds() });
  const bodies = options.bodyBudget ?? createByteBudget(BODIES_BYTES_MAX);
  const barrier = createTickBarrier();
  const edge: Edge = { authenticator, hosts, limits, journal, barrier, bodies, readers, onUndocumented, basePath };
  const docs = createApiDocsRoutes();
  const described = [...(options.openapi.routes ?? options.routes), ...docs];
  const paths = sortRoutes([...options.routes, ...docs, createOpenApiRoute(described, options.openapi), HEALTH_ROUTE]);
  const templates = paths.map(({ path }) => path);
  const hints = createPathHints([...described, HEALTH_ROUTE]);
  const fixed = new Map(
    [...paths.filter(({ path }) => !path.includes('{')), WHOLE_SERVER].map((path) => [
      path.path,
      createPathHandler(path, hints),
    ]),
  );
  const forms = new Map(paths.map(({ path, routes }) => [path, routes[0]?.problemForm]));
  const app = createExpress(edge, paths, hints);

  function dispatch(exchange: Exchange, req: IncomingMessage, res: ServerResponse): void {
    const refusal = refuseHeaders(req);
    if (refusal !== undefined) {
      failExchange(journal, exchange, req, res, refusal, { form: forms.get(pathOf(req)) });
      return;
    }
    // Express would change the prototypes of request and response and try the paths one after another: measured,
    // about 15 of the 240 microseconds of a create. The map decides nothing anew: sorting puts a path without
    // parameters before all others that match.
    const handle = fixed.get(pathOf(req));
    if (handle !== undefined) {
      handle(edge, exchange, req, res);
      return;
    }
    (res as EdgeResponse).locals = { exchange };
    // Not by a layer of its own: a target that Express cannot read as a URL is tried at no layer.
    app(req as Request, res as EdgeResponse, (error: unknown) => {
      failExchange(journal, exchange, req, res, explainRouting(error, pathOf(req)));
    });
  }

  /** The router decodes path parameters before any of our code sees them. */
  function explainRouting(error: unknown, path: string): unknown {
    if (error instanceof URIError) return refusePathEncoding(templates, path);
    return error ?? new ServiceError('not_found', hints.describeMissing(path));
  }

  async function forward(
    proxy: ConsoleProxy,
    target: string,
    exchange: Exchange,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<void> {
    try {
      await rewriteForApi(proxy, req, target);
    } catch (error) {
      exchange.route = '/console/{+path}';
      failExchange(journal, exchange, req, res, countRefusal(error, exchange, req));
      return;
    }
    if (proxy.upstream === undefined) {
      exchange.below = CONSOLE_PLACE;
      dispatch(exchange, req, res);
      return;
    }
    try {
      exchange.route = '/console/{+path}';
      const status = await sendUpstream(proxy.upstream, req, res, {
        clientAddress: req.socket.remoteAddress,
        basePath,
      });
      journal.end(exchange, req.method, { status });
    } catch (error) {
      failExchange(journal, exchange, req, res, error);
    }
  }

  /** The refusal of a session counts as that of a token; beyond the limit, it is that. */
  function countRefusal(error: unknown, exchange: Exchange, req: IncomingMessage): unknown {
    if (!(error instanceof ServiceError) || error.code !== 'unauthenticated') return error;
    try {
      limits.countRefused(req, exchange);
      return error;
    } catch (limited) {
      return limited;
    }
  }

  return {
    handler(req, res) {
      const exchange = journal.begin();
      if (options.transportSecurity !== undefined && !LOCALHOST.test(req.headers.host ?? ''))
        exchange.transportSecurity = options.transportSecurity;
      if (options.console !== undefined && isForConsole(req.url)) {
        guardConsoleReply(res);
        const target = findForwarded(req.url);
        if (target !== undefined) {
          void forward(options.console, target, exchange, req, res);
          return;
        }
      } else if (origins.size > 0) exchange.readableBy = readableBy(origins, req);
      dispatch(exchange, req, res);
    },
  };
}

/** The path as it was sent, without its query. */
function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** What handles a path without parameters: the route of the method, or what answers all others. */
function createPathHandler(path: PathRoutes, hints: PathHints): PathHandler {
  const byMethod = new Map<string | undefined, Route>(path.routes.map((route) => [route.method, route]));
  const reading = byMethod.get('GET');
  if (reading !== undefined) byMethod.set('HEAD', reading);
  const answerOther = createOtherMethods(path, hints);
  return (edge, exchange, req, res) => {
    const route = byMethod.get(req.method);
    if (route === undefined) answerOther(edge, exchange, req, res);
    else void serveRoute(edge, route, exchange, undefined, req, res);
  };
}

/** What Express answers: paths with parameters, and whatever is none of ours. */
function createExpress(edge: Edge, paths: readonly PathRoutes[], hints: PathHints): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  for (const path of paths) addPath(app, edge, path, hints);
  return app;
}

function addPath(app: express.Express, edge: Edge, path: PathRoutes, hints: PathHints): void {
  const layer = app.route(formatExpressPath(path.path));
  for (const route of path.routes) {
    layer[METHODS[route.method]](async (req: Request, res: EdgeResponse) => {
      await serveRoute(edge, route, res.locals.exchange, req.params, req, res);
    });
  }
  const answerOther = createOtherMethods(path, hints);
  layer.all((req: Request, res: EdgeResponse) => answerOther(edge, res.locals.exchange, req, res));
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** What every request must hold to, whatever it asks for. */
function refuseHeaders(req: IncomingMessage): ServiceError | undefined {
  const { host, 'service-version': version, 'transfer-encoding': coding } = req.headers;
  // RFC 9112 section 3.2. Of two, Node keeps the first and a proxy may have gone by the second.
  if ((host === undefined && req.httpVersion === '1.1') || hasTwoHosts(req)) {
    return new ServiceError('malformed_request', 'an HTTP/1.1 request must have exactly one Host header');
  }
  // RFC 9112 section 6.1: of HTTP/1.0 it is faulty framing, and any other coding would be read as if it were not there.
  if (coding !== undefined && (req.httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked')) {
    return new ServiceError('malformed_request', 'Transfer-Encoding must be chunked alone, and needs HTTP/1.1');
  }
  if (version === undefined || (typeof version === 'string' && SUPPORTED_VERSIONS.includes(version))) return undefined;
  return new ServiceError(
    'version_not_supported',
    `Service-Version must be a supported version (${SUPPORTED_VERSIONS.join(', ')}), or left out`,
  );
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
