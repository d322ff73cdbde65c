import type { IncomingMessage } from 'node:http';
import { type Page, PAGE_REACH_MAX } from '@answer-evidence/contracts';
import { isPaged, type Route, type RouteReply } from '@answer-evidence/routes';

/**
 * The headers of a reply, with paths as callers reach them: a path in `Location` below the base path, which a proxy may
 * have taken off the request, and for a list `Link` with the next page.
 */
export function placeReply(
  basePath: string,
  route: Route,
  req: IncomingMessage,
  reply: RouteReply,
): RouteReply['headers'] {
  const { headers, body } = reply;
  if (headers?.Location?.startsWith('/') === true && basePath !== '')
    return { ...headers, Location: basePath + headers.Location };
  const next = isPage(route, body) ? findNext(route, body) : undefined;
  if (next === undefined) return headers;
  // Parsed, since a request may name the host in its target; this also encodes what would end the reference.
  const url = new URL(req.url ?? '', 'http://host');
  url.searchParams.delete('page');
  url.searchParams.set(...next);
  return { ...headers, Link: `<${basePath}${url.pathname}${url.search}>; rel="next"` };
}

function isPage(route: Route, body: unknown): body is Page<unknown> {
  return isPaged(route) && typeof body === 'object' && body !== null && 'next_cursor' in body;
}

/** The parameter that leads to the next page; a list without cursors is numbered as far as that goes. */
function findNext(
  route: Route,
  { next_cursor: cursor, page, size, total }: Page<unknown>,
): readonly [name: string, value: string] | undefined {
  if (cursor !== null) return ['cursor', cursor];
  const isLast = page * size >= total || (page + 1) * size > PAGE_REACH_MAX;
  return route.query?.shape.cursor !== undefined || isLast ? undefined : ['page', String(page + 1)];
}
