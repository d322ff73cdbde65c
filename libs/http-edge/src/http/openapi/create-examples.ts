import {
  EXAMPLES,
  isResolvable,
  type OperationExample,
  RECORDED_REPLIES,
  resolveReferences,
} from '@answer-evidence/contracts';
import type { OpenApiObject } from './json-objects.ts';

/** The examples of one operation, as OpenAPI has them: by name, at the parts that they are of. */
export type OperationExamples = {
  /** `examples` of a parameter; empty where none gives it. */
  ofParameter(place: 'path' | 'query', name: string, isNumber: boolean): OpenApiObject;
  ofBody(): OpenApiObject;
  ofReply(status: number): OpenApiObject;
};

/** Collects the examples of an operation. */
export function createExamples(operationId: string): OperationExamples {
  const examples = EXAMPLES.filter((example) => example.operationId === operationId);
  return {
    ofParameter: (place, name, isNumber) =>
      format(examples, ({ params = {}, query = {} }) => {
        const text = (place === 'path' ? params : query)[name];
        return isNumber && text !== undefined ? Number(text) : text;
      }),
    ofBody: () => format(examples, ({ body }) => body),
    ofReply: (status) =>
      format(examples, (example) => (example.status === status ? RECORDED_REPLIES[example.name] : undefined)),
  };
}

function format(examples: readonly OperationExample[], valueOf: (example: OperationExample) => unknown): OpenApiObject {
  const shown = examples.flatMap((example) => {
    const given = valueOf(example);
    // A new example is recorded from a service that describes itself meanwhile, and cannot show it yet.
    if (!isResolvable(given, RECORDED_REPLIES)) return [];
    const value = resolveReferences(given, RECORDED_REPLIES);
    return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
  });
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
}
