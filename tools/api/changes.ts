/** One difference between the published state and the current one. `breaking`: somebody who relied on it would fail. */
export type Change = { readonly kind: 'breaking' | 'addition'; readonly at: string; readonly text: string };

/** A JSON object of a schema or of an OpenAPI document. */
export type JsonNode = { readonly [key: string]: unknown };

/** A change that lets somebody down. */
export function breaking(at: string, text: string): Change {
  return { kind: 'breaking', at, text };
}

/** A change that nobody need notice. */
export function addition(at: string, text: string): Change {
  return { kind: 'addition', at, text };
}

/** Whether the value is a JSON object. */
export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member as an object; empty where it is not one. */
export function nodeOf(parent: unknown, name: string): JsonNode {
  const value = isNode(parent) ? parent[name] : undefined;
  return isNode(value) ? value : {};
}

/** The member as a list; empty where it is not one. */
export function listOf(parent: unknown, name: string): readonly unknown[] {
  const value: unknown = isNode(parent) ? parent[name] : undefined;
  return Array.isArray(value) ? value : [];
}

/** What a local `$ref` leads to, over any number of steps; the node itself where it is no reference. */
export function follow(root: JsonNode, node: JsonNode): JsonNode {
  const { $ref } = node;
  if (typeof $ref !== 'string') return node;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<JsonNode>((at, step) => nodeOf(at, step.replaceAll('~1', '/').replaceAll('~0', '~')), root);
  return follow(root, target);
}
