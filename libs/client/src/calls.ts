import type { Input, Operation, Output } from '@answer-evidence/contracts/operations';
import { type CallOptions, formatQuery, type QueryValues, request } from './request.ts';
import type { Schema } from './schema.ts';
import type { Call, Send } from './transport.ts';

/** A request, and how its reply is read. */
type OperationCall = Call & { readonly isExact?: boolean };

/** What one call of any operation sends. */
type AnyInput = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: QueryValues;
  readonly body?: unknown;
};

/** The request that an operation is called by. One that reads is sent again whenever its reply was lost. */
export function toCall<O extends Operation>(operation: O, input: Input<O>, options: CallOptions = {}): OperationCall {
  const { params = {}, query = {}, body = operation.bodyOptional === true ? {} : undefined }: AnyInput = input;
  let { path } = operation;
  for (const [name, value] of Object.entries(params)) path = path.replace(`{${name}}`, encodeURIComponent(value));
  return {
    method: operation.method,
    path: formatQuery(path, query),
    repeat: operation.method === 'GET' ? 'safe' : 'unprocessed',
    ...(body === undefined ? {} : { body }),
    ...(operation.access === 'public' ? { isPublic: true } : {}),
    ...options,
  };
}

/** Calls of operations. */
export type Calls = {
  /** The value of the reply. */
  readonly call: <O extends Operation>(operation: O, input: Input<O>, options?: CallOptions) => Promise<Output<O>>;
  /** The value of the reply, and its headers. */
  readonly ask: <O extends Operation>(
    operation: O,
    input: Input<O>,
    options?: CallOptions,
  ) => Promise<{ readonly value: Output<O>; readonly headers: Headers }>;
  /** Calls one that responds with nothing. It is sent again whenever its reply was lost. */
  readonly end: <O extends Operation>(operation: O, input: Input<O>) => Promise<void>;
};

/** Calls of operations over a transport. */
export function createCalls(send: Send): Calls {
  const ask: Calls['ask'] = async (operation, input, options) =>
    request(send, toCall(operation, input, options), schemaOf(operation));
  return {
    ask,
    call: async (operation, input, options) => (await ask(operation, input, options)).value,
    async end(operation, input) {
      await send(toCall(operation, input, { repeat: 'safe' }));
    },
  };
}

/** Of the first reply that has one: replies of success come first. */
function schemaOf<O extends Operation>(operation: O): Schema<Output<O>>;
function schemaOf({ operationId, responses }: Operation): Schema<unknown> {
  const schema = Object.values(responses).find((reply) => reply.schema !== undefined)?.schema;
  if (schema === undefined) throw new TypeError(`${operationId} responds with no JSON`);
  return schema;
}
