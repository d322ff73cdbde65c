import { OPEN_LISTS } from '@answer-evidence/contracts';

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
  /** Of `invalid_value`: all that may stand there. */
  readonly values?: readonly unknown[];
};

/** What a reply came to: the value, or where it leaves the contract. */
export type ParsedReply<T> = { readonly value: T } | { readonly fault: string };

/**
 * Reads a reply of the service. Fields that the contract does not know are dropped, in place, and a text that it does
 * not know in a list of values which may get longer stays as it is: a newer service may answer with more, and an older
 * client goes on working. All else must be as the contract says.
 */
export function parseReply<T>(schema: Schema<T>, reply: unknown): ParsedReply<T> {
  const first = schema.safeParse(reply);
  if (first.success) return { value: first.data };
  const { issues } = first.error;
  if (!issues.every((issue) => issue.code === 'unrecognized_keys' || isOpen(issue))) return { fault: nameFault(first) };
  const unknown = issues.filter(isOpen).map((issue) => ({ ...issue, text: findAt(reply, issue.path) }));
  if (unknown.some(({ text }) => typeof text !== 'string')) return { fault: nameFault(first) };
  for (const issue of issues) if (!isOpen(issue)) dropKeys(findAt(reply, issue.path), issue.keys ?? []);
  for (const { path, values } of unknown) putAt(reply, path, values?.[0]);
  const second = schema.safeParse(reply);
  if (!second.success) return { fault: nameFault(second) };
  for (const { path, text } of unknown) putAt(second.data, path, text);
  return { value: second.data };
}

/** Whether what is wrong is a value that is not in a list to which a newer service may have added. */
function isOpen({ code, values = [] }: Issue): boolean {
  if (code !== 'invalid_value') return false;
  return OPEN_LISTS.some(
    ({ options }) => options.length === values.length && options.every((one, n) => one === values[n]),
  );
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

function putAt(value: unknown, path: readonly PropertyKey[], put: unknown): void {
  const parent = findAt(value, path.slice(0, -1));
  const [last] = path.slice(-1);
  if (isObject(parent) && last !== undefined) parent[last] = put;
}

function dropKeys(value: unknown, keys: readonly string[]): void {
  if (!isObject(value)) return;
  for (const key of keys) delete value[key];
}

function isObject(value: unknown): value is { [key: PropertyKey]: unknown } {
  return typeof value === 'object' && value !== null;
}
