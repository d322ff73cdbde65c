import * as z from 'zod';
import { emptyRequest } from '../json.ts';
import { pageQuery } from '../pages.ts';
import { anyUuid } from '../primitives.ts';

/** The parameters of a path of one record. */
export const ofRecord = z.strictObject({ answer_log_id: anyUuid });

/** The query of a list that goes on by page numbers alone. */
export const numberedPage = pageQuery.omit({ cursor: true });

/** What is said where a path of one record leads nowhere. */
export const NO_RECORD = { 404: { description: 'No such record' } } as const;

/** The reply with something that has a version. */
// @__NO_SIDE_EFFECTS__
export function versioned<S extends z.ZodType>(description: string, schema: S, of = 'policy') {
  return { description, schema, headers: { ETag: `Version of the ${of}, for If-Match` } };
}

/** The reply with something new. */
// @__NO_SIDE_EFFECTS__
export function created<S extends z.ZodType>(description: string, schema: S, noun: string) {
  return { description, schema, headers: { Location: `Path of the ${noun}` } };
}

/** Of an operation that a request needs no body for. */
export const WITHOUT_BODY = { body: emptyRequest, bodyOptional: true } as const;

/** What is said where a version is named that is not the current one. */
export const NOT_CURRENT = {
  409: { description: '`version` in the body is not the current one' },
  412: { description: 'If-Match names another version' },
} as const;
