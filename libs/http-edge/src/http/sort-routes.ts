import type { Route } from '@answer-evidence/routes';

/** The routes of one path. */
export type PathRoutes = { readonly path: string; readonly routes: readonly Route[] };

/**
 * The routes by path, in the order in which paths must be tried: a fixed segment before a parameter, so that `/export`
 * is never taken for an id, and a parameter before a rest of the path. Throws when two routes have one method and path,
 * one operation id, or name the same parameter differently.
 */
export function sortRoutes(routes: readonly Route[]): readonly PathRoutes[] {
  const paths = new Map<string, { path: string; routes: Route[] }>();
  const operations = new Set<string>();
  for (const route of routes) {
    if (operations.has(route.operationId)) throw new Error(`two routes have the operation id ${route.operationId}`);
    operations.add(route.operationId);
    const shape = route.path.replace(/\{(\+?)[^{}]*\}/g, '{$1}');
    const known = paths.get(shape);
    if (known === undefined) {
      paths.set(shape, { path: route.path, routes: [route] });
      continue;
    }
    if (known.path !== route.path) throw new Error(`${known.path} and ${route.path} are the same path`);
    if (known.routes.some(({ method }) => method === route.method)) {
      throw new Error(`two routes have ${route.method} ${route.path}`);
    }
    known.routes.push(route);
  }
  return [...paths.values()].sort((a, b) => comparePaths(a.path, b.path));
}

function comparePaths(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = rankSegment(left[i]) - rankSegment(right[i]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function rankSegment(segment: string | undefined): number {
  if (segment?.startsWith('{') !== true) return 0;
  return segment.startsWith('{+') ? 2 : 1;
}

/** The path in Express's form; `{+rest}` takes the rest of the path, slashes included (as in RFC 6570). */
export function formatExpressPath(path: string): string {
  return path.replace(/\{\+([^{}]*)\}/g, '*$1').replace(/\{([^{}]*)\}/g, ':$1');
}

/** The `Allow` header of these routes; anyone who answers GET answers HEAD. */
export function formatAllow(routes: readonly Route[]): string {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set([...methods, 'OPTIONS'])].sort().join(', ');
}
