import type { IncomingMessage } from 'node:http';
import type { Route } from '@answer-evidence/routes';

/** Origins (RFC 6454) whose pages may read replies. */
export type CorsOrigins = ReadonlySet<string>;

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'If-None-Match',
  'Service-Reason',
  'Service-Reason-Code',
  'Service-Texts',
  'Service-Version',
  // What an instrumented page adds to its requests.
  'traceparent',
  'tracestate',
].join(', ');

const REPLY_HEADERS = [
  'Allow',
  'Content-Disposition',
  'ETag',
  'Export-Matching',
  'Export-Next-Created-After',
  'Export-Truncated',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Service-Version',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const PREFLIGHT_SECONDS = '600';

/** The origins of a list, separated by commas. Throws for what no browser sends as one, and for `*` and `null`. */
export function parseCorsOrigins(text: string): CorsOrigins {
  const origins = text.split(',').map((origin) => origin.trim());
  if (!origins.every(isOrigin)) throw new Error('not a list of origins');
  return new Set(origins);
}

/** The headers by which a browser lets the page that asks read the reply, as a list; none for pages of others. */
export function readableBy(origins: CorsOrigins, { headers: { origin } }: IncomingMessage): readonly string[] {
  if (origin === undefined || !origins.has(origin)) return [];
  return ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', REPLY_HEADERS];
}

/** The methods of a path that a page may send: what reads, and what its routes open to pages. */
export function crossOriginMethods(routes: readonly Route[]): ReadonlySet<string> {
  const open = routes.filter((route) => route.crossOrigin ?? route.method === 'GET').map(({ method }) => method);
  return new Set(open.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
}

/**
 * What a browser is told that asks before it sends one of these methods. It is told nothing about another one, so that
 * it refuses the headers of such a request: POST alone it would let pass (Fetch, section 4.8).
 */
export function permitSending(
  methods: ReadonlySet<string>,
  { headers }: IncomingMessage,
): Readonly<Record<string, string>> {
  const asked = headers['access-control-request-method'];
  if (asked === undefined || !methods.has(asked)) return {};
  return {
    'Access-Control-Allow-Methods': [...methods].join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && new URL(text).origin === text;
}
