/**
 * One request that an operation answers as recorded: shown in the API description, and run against a real service by a
 * test. Any text in it may be a reference, `@name#/pointer`: the value at that place of the reply to the example of
 * that name.
 */
export type OperationExample = {
  readonly name: string;
  readonly operationId: string;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whose token it is sent with; left out: the first manager's. */
  readonly token?: string;
  readonly status: number;
  /**
   * Repeated until the reply has something at this JSON pointer, or this value, or until it has `status`: background
   * work takes a moment.
   */
  readonly until?: { readonly pointer: string; readonly value?: string } | 'status';
  /** False where the reply is too long to show. */
  readonly isReplyShown?: boolean;
};

/** An example; `more` is what it sends. */
export function example(
  name: string,
  operationId: string,
  status: number,
  summary: string,
  more: Omit<OperationExample, 'name' | 'operationId' | 'status' | 'summary'> = {},
): OperationExample {
  return { name, operationId, status, summary, ...more };
}

/** The value with every reference replaced by what the replies hold there. Throws when a reference leads nowhere. */
export function resolveReferences(value: unknown, replies: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return resolveText(value, replies);
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, replies));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveReferences(member, replies)]));
}

/** Whether the replies hold everything that the value refers to. */
export function isResolvable(value: unknown, replies: Readonly<Record<string, unknown>>): boolean {
  if (typeof value === 'string') return findReferred(value, replies) !== undefined;
  return typeof value !== 'object' || value === null || Object.values(value).every((one) => isResolvable(one, replies));
}

function resolveText(text: string, replies: Readonly<Record<string, unknown>>): unknown {
  const found = findReferred(text, replies);
  if (found === undefined) throw new Error(`the reference ${text} leads nowhere`);
  return found;
}

/** What a text refers to, or the text itself; undefined for a reference that leads nowhere. */
function findReferred(text: string, replies: Readonly<Record<string, unknown>>): unknown {
  const [, name, pointer] = /^@(\w+)#\/(.+)$/.exec(text) ?? [];
  if (name === undefined || pointer === undefined) return text;
  return pointer.split('/').reduce<unknown>((at, step) => memberOf(at, step), replies[name]);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
