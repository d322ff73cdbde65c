import { type Differences, differencesOf } from './compare/differences.ts';
import { MismatchError } from './compare/mismatch-error.ts';
import { ApiError } from './errors.ts';
import { parseExactReply, parseReply, type Schema } from './schema.ts';
import { type Call, createApiError, readJson, type Reply, type Send } from './transport.ts';

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

/**
 * Sends the request and reads the reply. `isExact`: fields beyond the contract are an error; else they are dropped.
 * Throws `MismatchError` for another page of a list than the one that was asked for.
 */
export async function request<T>(
  send: Send,
  call: Call & { readonly isExact?: boolean },
  schema: Schema<T>,
): Promise<{ readonly value: T; readonly headers: Headers }> {
  const reply = await send(call);
  const value = readReply(reply, schema, call.isExact);
  const differences = comparePage(call.path, value);
  if (differences.length > 0) throw new MismatchError(differences);
  return { value, headers: reply.headers };
}

/** A page of a list with the number that its path asks for. A cursor stands for any. */
function comparePage(path: string, value: unknown): Differences {
  const query = new URLSearchParams(path.split('?')[1]);
  const { items, page } = Object(value) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(items) || typeof page !== 'number' || query.has('cursor')) return [];
  return differencesOf({ '/page': [Number(query.get('page') ?? 1), page] });
}

/** The value of a reply, however it came. Throws `ApiError` for one that is an error or leaves the contract. */
export function readReply<T>(
  { status, bytes }: Pick<Reply, 'status' | 'bytes'>,
  schema: Schema<T>,
  isExact: boolean | undefined = false,
): T {
  if (status < 200 || status >= 300) throw createApiError(status, bytes);
  const parsed = (isExact ? parseExactReply : parseReply)(schema, readJson(bytes));
  if ('value' in parsed) return parsed.value;
  throw new ApiError(status, `the response does not match the API contract (${parsed.fault})`);
}

/** What may be said of a call besides its method, path and body. */
export type CallOptions = Partial<Omit<Call, 'method' | 'path' | 'body'>> & { readonly isExact?: boolean };
