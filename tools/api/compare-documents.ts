import { addition, breaking, type Change, follow, isNode, type JsonNode, listOf, nodeOf } from './changes.ts';
import { compareSchemas, type Direction } from './compare-schemas.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Every difference between two OpenAPI documents that callers could notice. */
export function compareDocuments(before: JsonNode, after: JsonNode): readonly Change[] {
  const comparison = new DocumentComparison(before, after);
  const old = operationsOf(before);
  const now = operationsOf(after);
  return [
    ...[...old].flatMap(([name, operation]) => {
      const kept = now.get(name);
      return kept === undefined ? [breaking(name, 'is gone')] : comparison.compareOperations(operation, kept, name);
    }),
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => addition(name, 'is new')),
  ];
}

/** The operations by method and path, whatever a path's parameters are called. */
function operationsOf(document: JsonNode): ReadonlyMap<string, JsonNode> {
  const operations = new Map<string, JsonNode>();
  for (const [path, item] of Object.entries(nodeOf(document, 'paths'))) {
    for (const method of METHODS) {
      const operation = nodeOf(item, method);
      if (Object.keys(operation).length === 0) continue;
      operations.set(`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`, operation);
    }
  }
  return operations;
}

class DocumentComparison {
  readonly before: JsonNode;
  readonly after: JsonNode;

  constructor(before: JsonNode, after: JsonNode) {
    this.before = before;
    this.after = after;
  }

  compareOperations(old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    const identity = ['operationId', 'x-access']
      .filter((key) => old[key] !== now[key])
      .map((key) => breaking(at, `${key} was ${String(old[key])} and is ${String(now[key])}`));
    return [
      ...identity,
      ...this.compareParameters(old, now, at),
      ...this.compareBodies(nodeOf(old, 'requestBody'), nodeOf(now, 'requestBody'), `${at} request`),
      ...this.compareResponses(nodeOf(old, 'responses'), nodeOf(now, 'responses'), at),
    ];
  }

  private compareParameters(old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    const before = parametersOf(this.before, old);
    const after = parametersOf(this.after, now);
    const changes: Change[] = [];
    for (const [name, parameter] of before) {
      const place = `${at} ${name}`;
      const kept = after.get(name);
      if (kept === undefined) {
        changes.push(breaking(place, 'is gone'));
        continue;
      }
      if (kept['required'] === true && parameter['required'] !== true) changes.push(breaking(place, 'is now required'));
      changes.push(...this.compareSchema('request', parameter, kept, place));
    }
    for (const [name, parameter] of after) {
      if (before.has(name)) continue;
      const isDemanded = parameter['required'] === true;
      changes.push(isDemanded ? breaking(`${at} ${name}`, 'is new and required') : addition(`${at} ${name}`, 'is new'));
    }
    return changes;
  }

  private compareBodies(old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    const isNewlyNeeded = now['required'] === true && old['required'] !== true;
    return [
      ...(isNewlyNeeded ? [breaking(at, 'needs a body now')] : []),
      ...this.compareContent('request', nodeOf(old, 'content'), nodeOf(now, 'content'), at),
    ];
  }

  private compareResponses(old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    const changes: Change[] = [];
    for (const status of Object.keys(old)) {
      const place = `${at} ${status}`;
      if (!(status in now)) {
        changes.push(breaking(place, 'is gone'));
        continue;
      }
      const before = follow(this.before, nodeOf(old, status));
      const after = follow(this.after, nodeOf(now, status));
      for (const name of Object.keys(nodeOf(before, 'headers')))
        if (!(name in nodeOf(after, 'headers'))) changes.push(breaking(place, `the header ${name} is gone`));
      changes.push(...this.compareContent('response', nodeOf(before, 'content'), nodeOf(after, 'content'), place));
    }
    for (const status of Object.keys(now)) if (!(status in old)) changes.push(addition(`${at} ${status}`, 'is new'));
    return changes;
  }

  private compareContent(direction: Direction, old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    return [
      ...Object.keys(old).flatMap((type) =>
        type in now
          ? this.compareSchema(direction, nodeOf(old, type), nodeOf(now, type), at)
          : [breaking(at, `the media type ${type} is gone`)],
      ),
      ...Object.keys(now)
        .filter((type) => !(type in old))
        .map((type) => addition(at, `the media type ${type} is new`)),
    ];
  }

  private compareSchema(direction: Direction, old: JsonNode, now: JsonNode, at: string): readonly Change[] {
    const sides = { direction, before: this.before, after: this.after };
    return compareSchemas(sides, nodeOf(old, 'schema'), nodeOf(now, 'schema'), at);
  }
}

/** Parameters by location and name; path parameters by their place in the path, since requests hold no names. */
function parametersOf(document: JsonNode, operation: JsonNode): ReadonlyMap<string, JsonNode> {
  const parameters = listOf(operation, 'parameters')
    .filter(isNode)
    .map((parameter) => follow(document, parameter));
  let inPath = 0;
  return new Map(
    parameters.map((parameter) => {
      const place = String(parameter['in']);
      return [`${place} ${place === 'path' ? ++inPath : String(parameter['name'])}`, parameter];
    }),
  );
}
