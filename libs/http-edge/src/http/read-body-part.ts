import type { z } from 'zod';
import { type ProblemCode, ServiceError } from '@answer-evidence/contracts';
import { IN_OUR_WORDS } from '@answer-evidence/contracts/describe-issues';
import {
  JsonError,
  type JsonErrorCode,
  type JsonValue,
  locateJsonFault,
  parseSubmittedJson,
} from '@answer-evidence/encoding';
import type { Route } from '@answer-evidence/routes';
import { cutPointer } from './pointers.ts';
import { bodyViolation } from './schema-errors.ts';

/** What of a request is read: its body, or the metadata of its form. */
export type BodyPart = {
  readonly operationId: string;
  readonly name: 'body' | 'metadata';
  readonly contentType: string | undefined;
  /** Of a large body: what its digest is given of the caller's workspace. */
  readonly given?: unknown;
};

/** For whom a part is read elsewhere. */
type ReaderTask = {
  readonly workspaceId: string;
  readonly tokenId: string;
  /** Aborted when nobody waits for the reply any more. */
  readonly over: AbortSignal;
  /** Told how many milliseconds of a processor it took, at the end or in several parts. */
  readonly onWork: (ms: number) => void;
};

/** Reads large parts elsewhere, so that this thread answers others meanwhile. */
export type BodyReaders = {
  /**
   * What `readBodyPart` returns or throws, `overloaded`, and `CallerLeftError`. The bytes are not to be used again.
   */
  read(task: ReaderTask, bytes: Uint8Array, part: BodyPart): Promise<unknown>;
};

/** Makes of the bytes of a part what the handler gets; undefined where there are none. */
export type ReadPart = (bytes: Uint8Array | undefined, name: BodyPart['name']) => unknown;

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

/**
 * A part by the schema of its route, and digested where the route says so. It follows from the arguments alone, in
 * whatever thread. Throws 400 and 422.
 */
export function readBodyPart(
  route: Route,
  bytes: Uint8Array | undefined,
  part: Omit<BodyPart, 'operationId'>,
): unknown {
  if (part.name === 'metadata') return parseMetadata(route, bytes);
  const body = route.bodyFormat === 'bytes' ? bytes : parseJsonBody(route, bytes);
  return route.digest === undefined ? body : route.digest(body, part.contentType, part.given);
}

function parseJsonBody(route: Route, bytes: Uint8Array | undefined): unknown {
  const json = bytes === undefined || bytes.byteLength === 0 ? readAbsent(route) : parseJsonPart(bytes, '');
  const parsed = schemaOf(route.body).safeParse(json, IN_OUR_WORDS);
  if (!parsed.success) throw bodyViolation(parsed.error.issues);
  return parsed.data;
}

/** `{}` without any metadata; pointers are below `/metadata`. */
function parseMetadata(route: Route, bytes: Uint8Array | undefined): unknown {
  const json = bytes === undefined ? {} : parseJsonPart(bytes, '/metadata');
  const parsed = schemaOf(route.form?.metadata).safeParse(json, IN_OUR_WORDS);
  if (parsed.success) return parsed.data;
  throw bodyViolation(parsed.error.issues.map((issue) => ({ ...issue, path: ['metadata', ...issue.path] })));
}

function schemaOf(schema: z.ZodType | undefined): z.ZodType {
  if (schema === undefined) throw new Error('the route takes no such part');
  return schema;
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
