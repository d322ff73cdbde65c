import * as z from 'zod';

/** What a token can be used for. Who may do it is in `ACCESS_MATRIX`. */
export type Right =
  | 'records.create'
  | 'records.read'
  | 'texts.read'
  | 'records.export'
  | 'events.append'
  | 'events.manage'
  | 'packs'
  | 'proof_links'
  | 'evidence.create'
  | 'evidence.read'
  | 'evidence.texts'
  | 'evidence.accesses'
  | 'telemetry.send'
  | 'telemetry.explain'
  | 'telemetry.read'
  | 'trust.read'
  | 'trust.manage'
  | 'ledger.check'
  | 'entries.read'
  | 'settings.read'
  | 'settings.manage'
  | 'hash_keys.manage'
  | 'deadletters'
  | 'reconciliations.read'
  | 'reconciliations.run'
  | 'triage.read'
  | 'triage'
  | 'triage.manage'
  | 'holds.read'
  | 'holds.manage'
  | 'members.read'
  | 'members.change'
  | 'notifications'
  | 'notifications.own'
  | 'approvals'
  | 'approvals.read'
  | 'tokens.own'
  | 'tokens.applications'
  | 'streams'
  | 'tokens.texts'
  | 'overview'
  | 'views.read'
  | 'views.change'
  | 'views.manage'
  | 'whoami';

/**
 * What requests of an operation count against, by token, or by client address where it is public or may be: `create`
 * for what applications do with every answer, `login` for what tries passwords, `proof` for what strangers open,
 * `default` for all else.
 */
export type RateLimit = 'create' | 'login' | 'proof' | 'default';

/** One documented reply of an operation. */
export type OperationReply = {
  readonly description: string;
  /** Of the JSON; other forms have none. */
  readonly schema?: z.ZodType;
  /** Media types without parameters, or any (`*\/*`); with a schema and none, JSON. */
  readonly contentType?: string | readonly string[];
  /** What each header of its own says; those of the edge are in every reply. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** `multipart/form-data` of an operation: an optional part `metadata` in JSON, then one `file`. */
export type OperationForm<M extends z.ZodType = z.ZodType> = {
  /** Of the metadata; without that part, of `{}`. */
  readonly metadata: M;
  /** Largest file that the edge lets pass. */
  readonly fileBytesMax: number;
  /** Largest part `metadata`; default 64 KiB. */
  readonly metadataBytesMax?: number;
};

/** What is declared of an operation besides its method, its path, its name and who may call it. */
export type Details = {
  readonly summary: string;
  /** Whether anyone may ask at any rate and by any host: it must cost nothing and tell nothing. */
  readonly isProbe?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** How the body is read: parsed as JSON (the default), or as it came, of any type and coding (`rawBody`). */
  readonly bodyFormat?: 'json' | 'bytes';
  /** Media types, without parameters, that a body of `bytes` may have; others get 415. Left out: any. */
  readonly bodyTypes?: readonly string[];
  /** What a body of `bytes` holds where it is JSON: for the API description, since the handler reads it itself. */
  readonly bodySchema?: z.ZodType;
  /** Whether the edge undoes the coding gzip of a body of `bytes`, as it does of JSON, within `bodyBytesMax` too. */
  readonly bodyMayBeGzip?: boolean;
  /** Whether a request without a body is taken as `{}`. */
  readonly bodyOptional?: boolean;
  /** Largest body; default 64 KiB. */
  readonly bodyBytesMax?: number;
  /** With it the operation takes `multipart/form-data` besides its body. */
  readonly form?: OperationForm;
  /**
   * Whether large texts are compressed for callers who accept it. Default: for GET. Never where one reply has both a
   * secret and what others chose: how well they compress would tell of the secret.
   */
  readonly compressReplies?: boolean;
  /** Whether pages of the listed origins may send it from a browser. Default: for GET. */
  readonly crossOrigin?: boolean;
  /**
   * Where a reply may have texts that its caller did not send with the request: in a record, which can come without
   * them, or in what is a file of its own. The rule of the workspace decides; the request may say why they are read.
   */
  readonly givesTexts?: 'record' | 'file';
  /** The method of gRPC, `/SERVICE/METHOD`, whose requests and replies are those of this operation in protobuf. */
  readonly grpcMethod?: string;
  /** Default: `default`. */
  readonly rateLimit?: RateLimit;
  readonly responses: Readonly<Record<number, OperationReply>>;
};

/** One HTTP operation, as it is declared: a route implements it, and clients call it. */
export type Operation = Details & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/api/answer-audit-logs/{answer_log_id}`. */
  readonly path: string;
  readonly operationId: string;
  /** Who may call it, or `public`. */
  readonly access: Right | 'public';
};

type Access = Operation['access'];

/** An operation with the types of its schemas. */
type Declared<M extends Operation['method'], D extends Details> = D &
  Pick<Operation, 'path' | 'operationId' | 'access'> & { readonly method: M };

// A bundler drops the operations that a program does not call, since declaring one has no side effect.

/** Declares an operation that reads. */
// @__NO_SIDE_EFFECTS__
export function get<const D extends Details>(path: string, operationId: string, access: Access, details: D) {
  return declare('GET', path, operationId, access, details);
}

/** Declares an operation that adds or does something. */
// @__NO_SIDE_EFFECTS__
export function post<const D extends Details>(path: string, operationId: string, access: Access, details: D) {
  return declare('POST', path, operationId, access, details);
}

/** Declares an operation that replaces. */
// @__NO_SIDE_EFFECTS__
export function put<const D extends Details>(path: string, operationId: string, access: Access, details: D) {
  return declare('PUT', path, operationId, access, details);
}

/** Declares an operation that changes a part. */
// @__NO_SIDE_EFFECTS__
export function patch<const D extends Details>(path: string, operationId: string, access: Access, details: D) {
  return declare('PATCH', path, operationId, access, details);
}

/** Declares an operation that ends something. */
// @__NO_SIDE_EFFECTS__
export function remove<const D extends Details>(path: string, operationId: string, access: Access, details: D) {
  return declare('DELETE', path, operationId, access, details);
}

// @__NO_SIDE_EFFECTS__
function declare<M extends Operation['method'], D extends Details>(
  method: M,
  path: string,
  operationId: string,
  access: Access,
  details: D,
): Declared<M, D> {
  return { method, path, operationId, access, ...details };
}

/** The body of an operation whose `bodyFormat` is `bytes`; empty where the request has none. */
export const rawBody = z.custom<Uint8Array>();

type NamesOf<Z> = Z extends z.ZodObject ? keyof z.input<Z> & string : never;

/** What one call of an operation sends, in the words of its schemas. */
export type Input<O extends Operation> = object &
  (O extends { readonly params: infer P }
    ? { readonly params: Readonly<Record<NamesOf<P>, string | number>> }
    : unknown) &
  (O extends { readonly query: infer Q }
    ? { readonly query?: Readonly<Partial<Record<NamesOf<Q>, string | number | undefined>>> }
    : unknown) &
  (O extends { readonly body: infer B extends z.ZodType }
    ? O extends { readonly bodyOptional: true } | { readonly bodyFormat: 'bytes' } | { readonly form: OperationForm }
      ? { readonly body?: z.input<B> }
      : { readonly body: z.input<B> }
    : unknown);

type SchemaOf<R> = R extends { readonly schema: infer S extends z.ZodType } ? S : never;

/** What an operation responds, as its schema reads it. */
export type Output<O extends Operation> = z.output<SchemaOf<O['responses'][keyof O['responses']]>>;
