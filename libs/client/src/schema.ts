/** What this library needs of a schema of the contracts. */
export type Schema<T> = {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | Refusal;
};

type Refusal = { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

type Issue = {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
};

/** What a reply came to: the value, or where it leaves the contract. */
export type ParsedReply<T> = { readonly value: T } | { readonly fault: string };

/**
 * Reads a reply of the service. Fields that the contract does not know are dropped, in place: a newer service may
 * answer with more, and an older client goes on working. All else must be as the contract says.
 */
export function parseReply<T>(schema: Schema<T>, reply: unknown): ParsedReply<T> {
  const first = schema.safeParse(reply);
  if (first.success) return { value: first.data };
  if (!first.error.issues.every((issue) => issue.code === 'unrecognized_keys')) return { fault: nameFault(first) };
  for (const issue of first.error.issues) dropKeys(findAt(reply, issue.path), issue.keys ?? []);
  const second = schema.safeParse(reply);
  return second.success ? { value: second.data } : { fault: nameFault(second) };
}

/** Reads a reply that is checked bit by bit later on, so that nothing may be dropped from it. */
export function parseExactReply<T>(schema: Schema<T>, reply: unknown): ParsedReply<T> {
  const parsed = schema.safeParse(reply);
  return parsed.success ? { value: parsed.data } : { fault: nameFault(parsed) };
}

function nameFault(refusal: Refusal): string {
  const issue = refusal.error.issues[0];
  return `at /${issue?.path.map(String).join('/') ?? ''}`;
}

function findAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), value);
}

function dropKeys(value: unknown, keys: readonly string[]): void {
  if (!isObject(value)) return;
  for (const key of keys) delete value[key];
}

function isObject(value: unknown): value is { [key: PropertyKey]: unknown } {
  return typeof value === 'object' && value !== null;
}
