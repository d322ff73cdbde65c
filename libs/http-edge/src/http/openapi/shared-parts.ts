import { problem } from '@answer-evidence/contracts';
import { PROBLEM_HEADERS, type ProblemForm } from '@answer-evidence/routes';
import { createHeaders, describeProblems, RESPONSE_HEADERS } from './components.ts';
import type { OpenApiObject } from './json-objects.ts';
import type { NamedSchemas } from './named-schemas.ts';

/** What operations refer to; each part is one of the components as soon as one does. */
export type SharedParts = {
  readonly schemas: NamedSchemas;
  /** A reference to what the edge itself answers: 304, or an error in the given form or as a problem of RFC 9457. */
  edgeResponse(status: number, form: ProblemForm | undefined): OpenApiObject;
  /** Every such response that was referred to, by its name. */
  edgeResponses(): OpenApiObject;
};

const NOT_MODIFIED: OpenApiObject = {
  description: 'The state is that of a tag in If-None-Match',
  headers: { ...RESPONSE_HEADERS, ...createHeaders({ ETag: 'That tag' }) },
};

/** Nothing is referred to yet. */
export function createSharedParts(schemas: NamedSchemas): SharedParts {
  const used = new Map<string, OpenApiObject>();
  return {
    schemas,
    edgeResponse(status, form) {
      const name = status === 304 ? 'NotModified' : `${form?.name ?? 'Problem'}${status}`;
      if (!used.has(name)) used.set(name, status === 304 ? NOT_MODIFIED : createErrorResponse(schemas, status, form));
      return { $ref: `#/components/responses/${name}` };
    },
    edgeResponses: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function createErrorResponse(schemas: NamedSchemas, status: number, form: ProblemForm | undefined): OpenApiObject {
  const types = form?.contentTypes ?? ['application/problem+json'];
  const schema = schemas.reference(form?.schema ?? problem, 'output');
  return {
    description: describeProblems(status),
    headers: { ...RESPONSE_HEADERS, ...createHeaders(PROBLEM_HEADERS.get(status)) },
    content: Object.fromEntries(types.map((type) => [type, type.endsWith('json') ? { schema } : {}])),
  };
}
