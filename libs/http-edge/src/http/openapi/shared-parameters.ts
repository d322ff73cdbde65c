import { isObject, type OpenApiObject } from './json-objects.ts';

/** The parameters that several operations share, by their names, and the operations with references to them. */
export function shareParameters(operations: readonly OpenApiObject[]): {
  readonly parameters: OpenApiObject;
  readonly operations: readonly OpenApiObject[];
} {
  const alike = Map.groupBy(operations.flatMap(parametersOf), keyOf);
  const shared = new Map<string, OpenApiObject>();
  const references = new Map<string, OpenApiObject>();
  // Of parameters that differ and have one name, those that most operations have are shared.
  for (const [key, group] of [...alike].toSorted(([, a], [, b]) => b.length - a.length)) {
    const name = nameOf(group);
    if (group.length === 1 || shared.has(name)) continue;
    shared.set(name, merge(group));
    references.set(key, { $ref: `#/components/parameters/${name}` });
  }
  return {
    parameters: Object.fromEntries([...shared].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    operations: operations.map((operation) => ({
      ...operation,
      parameters: parametersOf(operation).map((parameter) => references.get(keyOf(parameter)) ?? parameter),
    })),
  };
}

function parametersOf({ parameters }: OpenApiObject): readonly OpenApiObject[] {
  return Array.isArray(parameters) ? parameters.filter(isObject) : [];
}

/** What makes parameters one. A path needs its parameters, so examples of any operation do; a query is another's. */
function keyOf(parameter: OpenApiObject): string {
  const { examples: _, ...others } = parameter;
  return JSON.stringify(parameter['in'] === 'path' ? others : parameter);
}

/** `Idempotency-Key` is `IdempotencyKey`, `answer_log_id` is `AnswerLogId`. */
function nameOf([parameter]: readonly OpenApiObject[]): string {
  return String(parameter?.['name'])
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The parameter with the examples of all. */
function merge(group: readonly OpenApiObject[]): OpenApiObject {
  const examples = group.flatMap(({ examples: ofOne }) => (isObject(ofOne) ? Object.entries(ofOne) : []));
  return { ...group[0], ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }) };
}
