import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQueryString } from 'node:querystring';
import { ServiceError } from '@answer-evidence/contracts';
import { IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import type { Route } from '@answer-evidence/routes';
import { decompressBody } from './decode-body.ts';
import { assertJsonBody, assertMediaType, isGzip } from './media-type.ts';
import { isUtf8 } from './path-encoding.ts';
import { cutKey } from './pointers.ts';
import { type BodyRoom, hasBody, readBody, readIfBuffered } from './read-body.ts';
import type { ReadPart } from './read-body-part.ts';
import { pathViolation, queryViolation } from './schema-errors.ts';

/** Largest body of a route that names no limit. */
export const BODY_BYTES_MAX_DEFAULT = 64 * 1024;

/** The path's parameters by the route's schema. One that does not fit names nothing that exists: `not_found`. */
export function parseParams(route: Route, params: unknown): unknown {
  if (route.params === undefined) return undefined;
  const parsed = route.params.safeParse(joinRest(params), IN_OUR_WORDS);
  if (!parsed.success) throw pathViolation(parsed.error.issues);
  return parsed.data;
}

/** Express gives the rest of a path as its segments. */
function joinRest(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? value.join('/') : value,
    ]),
  );
}

/**
 * The query by the route's schema; a route without one takes no query. Throws `malformed_request`, `schema_violation`,
 * `nul_character`.
 */
export function parseQuery(route: Route, url: string): unknown {
  const at = url.indexOf('?');
  if (at < 0 && route.query === undefined) return undefined;
  const values = at < 0 ? {} : readQuery(url.slice(at + 1));
  if (route.query === undefined) {
    const keys = Object.keys(values);
    if (keys.length === 0) return undefined;
    throw queryViolation([{ code: 'unrecognized_keys', keys, path: [], message: '', input: values }]);
  }
  const parsed = route.query.safeParse(values, IN_OUR_WORDS);
  if (!parsed.success) throw queryViolation(parsed.error.issues);
  return parsed.data;
}

/** Every parameter once. Which of two values counts is decided differently along the way, so two are refused. */
function readQuery(text: string): Readonly<Record<string, string>> {
  if (text.includes('%')) assertEncoding(text);
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(parseQueryString(text, '&', '=', { maxKeys: 0 }))) {
    const pointer = `?${cutKey(name)}`;
    if (typeof value !== 'string') {
      const errors = [{ pointer, detail: 'is given more than once; give each parameter once' }];
      throw new ServiceError('schema_violation', 'the query is invalid', { errors });
    }
    if (name.includes('\0') || value.includes('\0')) {
      throw new ServiceError('nul_character', 'a query parameter contains the character U+0000; leave it out');
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/** Node reads other bytes than UTF-8 as U+FFFD, and a lone `%` as itself: nobody asked for what is found by that. */
function assertEncoding(text: string): void {
  for (const parameter of text.split('&')) {
    const [name = ''] = parameter.split('=', 1);
    if (isUtf8(parameter)) continue;
    const detail = 'contains a percent-encoding that is not UTF-8; encode its characters as UTF-8, and % itself as %25';
    const errors = [{ pointer: `?${cutKey(isUtf8(name) ? decodeURIComponent(name) : name)}`, detail }];
    throw new ServiceError('malformed_request', 'the query is malformed', { errors });
  }
}

/** Largest body that a route takes. */
export function bodyBytesMaxOf(route: Route): number {
  return route.bodyBytesMax ?? BODY_BYTES_MAX_DEFAULT;
}

/** The body as `read` makes of its bytes; undefined where the route takes none. Throws 400, 413, 415 and 422. */
export async function parseBody(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  room: BodyRoom,
  read: ReadPart,
): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const bytesMax = bodyBytesMaxOf(route);
  if (route.bodyFormat === 'bytes') return await read(await readBytes(route, req, res, bytesMax, room), 'body');
  let bytes: Uint8Array | undefined;
  if (hasBody(req)) {
    assertJsonBody(req.headers, route.form !== undefined);
    const isCoded = isGzip(req.headers);
    bytes = readIfBuffered(req, bytesMax) ?? (await readBody(req, res, bytesMax, room));
    if (isCoded) bytes = await decompressBody(bytes, bytesMax, room.lease);
  }
  return await read(bytes, 'body');
}

async function readBytes(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  bytesMax: number,
  room: BodyRoom,
): Promise<Uint8Array> {
  if (route.bodyTypes !== undefined) assertMediaType(req.headers, route.bodyTypes);
  const isCoded = route.bodyMayBeGzip === true && isGzip(req.headers);
  const bytes = readIfBuffered(req, bytesMax) ?? (await readBody(req, res, bytesMax, room));
  return isCoded ? await decompressBody(bytes, bytesMax, room.lease) : bytes;
}
