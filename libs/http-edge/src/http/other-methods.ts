import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@answer-evidence/contracts';
import { crossOriginMethods, permitSending } from './cross-origin.ts';
import type { Exchange } from './exchange.ts';
import type { PathHints } from './path-hints.ts';
import { type Edge, failExchange } from './serve-route.ts';
import { formatAllow, type PathRoutes } from './sort-routes.ts';
import { writeReply } from './write-reply.ts';

/** Answers a request by itself. */
export type PathHandler = (edge: Edge, exchange: Exchange, req: IncomingMessage, res: ServerResponse) => void;

/**
 * What answers the methods of a path that no route of it takes: OPTIONS with what the path supports, for anybody and
 * uncounted, since the public description says the same; any other with 405.
 */
export function createOtherMethods({ path, routes }: PathRoutes, hints: PathHints): PathHandler {
  const allow = formatAllow(routes);
  const sendable = crossOriginMethods(routes);
  const form = routes[0]?.problemForm;
  return (edge, exchange, req, res) => {
    exchange.route = path;
    if (req.method === 'OPTIONS') {
      const headers = { Allow: allow, ...(isReadable(exchange) ? permitSending(sendable, req) : {}) };
      writeReply(req, res, exchange, { status: 204, contentType: '', body: undefined, headers });
      edge.journal.end(exchange, req.method, { status: 204 });
      return;
    }
    const error = new ServiceError('method_not_allowed', hints.describeMethod(path, req.method, allow));
    failExchange(edge.journal, exchange, req, res, error, { headers: { Allow: allow }, form });
  };
}

function isReadable({ readableBy }: Exchange): boolean {
  return readableBy !== undefined && readableBy.length > 0;
}
