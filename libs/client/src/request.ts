import { ApiError } from './errors.ts';
import { parseExactReply, parseReply, type Schema } from './schema.ts';
import { type Call, readJson, type Send } from './transport.ts';

/** What may stand in a query. An undefined member is left out. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** A path with its query. */
export function formatQuery(path: string, values: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Sends the request and reads the reply. `isExact`: fields beyond the contract are an error; else they are dropped. */
export async function request<T>(
  send: Send,
  call: Call & { readonly isExact?: boolean },
  schema: Schema<T>,
): Promise<{ readonly value: T; readonly headers: Headers }> {
  const reply = await send(call);
  const parse = call.isExact === true ? parseExactReply : parseReply;
  const parsed = parse(schema, readJson(reply.bytes));
  if ('fault' in parsed) {
    throw new ApiError(reply.status, `the response does not match the API contract (${parsed.fault})`);
  }
  return { value: parsed.value, headers: reply.headers };
}
