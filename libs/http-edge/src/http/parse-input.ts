import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQueryString } from 'node:querystring';
import type { z } from 'zod';
import { IN_OUR_WORDS, type ProblemCode, ServiceError } from '@answer-evidence/contracts';
import {
  JsonError,
  type JsonErrorCode,
  type JsonValue,
  locateJsonFault,
  parseSubmittedJson,
} from '@answer-evidence/encoding';
import type { ByteLease, Route } from '@answer-evidence/routes';
import { readDecodedBody } from './decode-body.ts';
import { assertJsonBody } from './media-type.ts';
import { cutKey, cutPointer } from './pointers.ts';
import { hasBody, readBody, readIfBuffered } from './read-body.ts';
import { bodyViolation, pathViolation, queryViolation } from './schema-errors.ts';

/** Largest body of a route that names no limit. */
export const BODY_BYTES_MAX_DEFAULT = 64 * 1024;

/** What is wrong with a document that can be read. */
type JsonFault = Exclude<JsonErrorCode, 'malformed'>;

const JSON_PROBLEMS: Readonly<Record<JsonFault, ProblemCode>> = {
  duplicate_key: 'duplicate_key',
  too_deep: 'nesting_too_deep',
  too_many_values: 'body_too_large',
  number_out_of_range: 'number_out_of_range',
  nul_character: 'nul_character',
  lone_surrogate: 'lone_surrogate',
};

const JSON_STEPS: Readonly<Record<JsonFault, string>> = {
  duplicate_key: 'send each key once',
  too_deep: 'send it flatter',
  too_many_values: 'send less in one request',
  number_out_of_range: 'send it as a string',
  nul_character: 'leave it out',
  lone_surrogate: 'send whole characters',
};

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

/** The query by the route's schema; a route without one takes no query. Throws `schema_violation`, `nul_character`. */
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

/** Largest body that a route takes. */
export function bodyBytesMaxOf(route: Route): number {
  return route.bodyBytesMax ?? BODY_BYTES_MAX_DEFAULT;
}

/** The body by the route's schema, or its bytes; undefined where it takes none. Throws 400, 413, 415 and 422. */
export async function parseBody(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  lease: ByteLease | undefined,
): Promise<unknown> {
  if (route.body === undefined) return undefined;
  const bytesMax = bodyBytesMaxOf(route);
  if (route.bodyFormat === 'bytes') return await readDecodedBody(route, req, res, bytesMax, lease);
  let bytes: Uint8Array | undefined;
  if (hasBody(req)) {
    assertJsonBody(req.headers, route.upload !== undefined);
    bytes = readIfBuffered(req, bytesMax) ?? (await readBody(req, res, bytesMax, lease));
  }
  const json = bytes === undefined || bytes.byteLength === 0 ? readAbsent(route) : parseJsonPart(bytes, '');
  const parsed = route.body.safeParse(json, IN_OUR_WORDS);
  if (!parsed.success) throw bodyViolation(parsed.error.issues);
  return parsed.data;
}

/** The form's metadata (`{}` without any) by their schema. Throws 400, and 422 with pointers below `/metadata`. */
export function parseMetadata(schema: z.ZodType, bytes: Uint8Array | undefined): unknown {
  const parsed = schema.safeParse(bytes === undefined ? {} : parseJsonPart(bytes, '/metadata'), IN_OUR_WORDS);
  if (parsed.success) return parsed.data;
  throw bodyViolation(parsed.error.issues.map((issue) => ({ ...issue, path: ['metadata', ...issue.path] })));
}

/** `place` is the pointer to the whole of it. */
function parseJsonPart(bytes: Uint8Array, place: string): JsonValue {
  try {
    return parseSubmittedJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.code === 'malformed')
      throw new ServiceError(
        'malformed_json',
        `the ${place === '' ? 'body' : 'part metadata'} is not JSON: ${locateJsonFault(bytes)}`,
      );
    const detail = `${error.message}; ${JSON_STEPS[error.code]}`;
    const errors = error.code === 'too_many_values' ? [] : [{ pointer: place + cutPointer(error.pointer), detail }];
    throw new ServiceError(JSON_PROBLEMS[error.code], detail, { errors });
  }
}

function readAbsent(route: Route): JsonValue {
  if (route.bodyOptional === true) return {};
  throw new ServiceError('malformed_json', 'a JSON body is required; send one with Content-Type: application/json');
}
