import * as z from 'zod';
import type { Caller, Operation } from '@answer-evidence/access';
import type { Problem, ProblemCode } from '@answer-evidence/contracts';
import type { ByteBudget } from './byte-budget.ts';

/** What a handler gets: everything is authenticated and parsed by the route's schemas before it is called. */
export type RouteRequest<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The caller; on a `public` route this is null. */
  readonly caller: Caller | null;
  /** A header by its lower-case name, or undefined. */
  header(name: string): string | undefined;
  /** The client's address as it is counted: as trusted proxies tell it, an IPv6 address by its /64. Never logged. */
  clientKey(): string;
  readonly requestId: string;
};

/** A file of a `multipart/form-data` request, on its way. */
export type UploadedFile = {
  /** A hint: the last path segment of the caller's name for it, cleaned; undefined when nothing is left. */
  readonly name: string | undefined;
  /** As the caller states it: media type and parameters, not checked; undefined when not stated. */
  readonly contentType: string | undefined;
  /**
   * Can be iterated once. It ends only when the whole request turned out to be in order. Throws `body_too_large` as
   * soon as the limit is passed, `multipart_not_valid`, or the edge's own error when the caller left; whatever it
   * throws must be passed on.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
};

/** `multipart/form-data` of a route: an optional part `metadata` in JSON, then one `file`; schemas as in the route. */
type UploadRoute<
  Params extends z.ZodType | undefined,
  Query extends z.ZodType | undefined,
  Metadata extends z.ZodType,
> = {
  /** Of the metadata; without that part, of `{}`. */
  readonly metadata: Metadata;
  /** Largest file that the edge lets pass. */
  readonly fileBytesMax: number;
  /** Largest part `metadata`; default 64 KiB. */
  readonly metadataBytesMax?: number;
  /** Called as soon as the file begins; `request.body` is the metadata. */
  handle(
    request: RouteRequest<Parsed<Params>, Parsed<Query>, Parsed<Metadata>>,
    file: UploadedFile,
  ): Promise<RouteReply>;
};

/** A reply's content that does not lie in memory. */
export type StreamedContent = {
  /**
   * Read as fast as the caller takes it, and given up (`return`) when the caller leaves. The first piece is asked for
   * before anything is sent, so what throws until then is answered as any error; later the connection is cut. Not read
   * at all for HEAD.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Left out: the length is not known. More or fewer bytes cut the connection. */
  readonly sizeBytes?: number;
};

/** What a handler answers. A string body of a JSON reply is JSON text already and is sent as it is. */
export type RouteReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: unknown;
  /** Instead of `body`; needs a `contentType`. */
  readonly stream?: StreamedContent;
};

/** One documented reply of a route. */
export type RouteResponse = {
  readonly description: string;
  /** Of the JSON; other forms have none. */
  readonly schema?: z.ZodType;
  /** Media types without parameters, or any (`*\/*`); with a schema and none, JSON. */
  readonly contentType?: string | readonly string[];
  /** What each header of its own says; those of the edge are in every reply. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * What requests of a route count against, by token, or by client address where the route is public or may be: `create`
 * for what applications do with every answer, `login` for what tries passwords, `default` for all else.
 */
export type RateLimit = 'create' | 'login' | 'default';

/** A form of error answers other than RFC 9457, which a protocol asks for. The edge's own errors have it too. */
export type ProblemForm = {
  /** Of an error in this form, in the API description. */
  readonly name: string;
  /** Of the JSON. */
  readonly schema?: z.ZodType;
  /** Media types that `format` may give. */
  readonly contentTypes: readonly string[];
  /** Codes that have another status here than elsewhere, because clients of the protocol act on the status alone. */
  readonly statuses?: Readonly<
    Partial<Record<ProblemCode, { readonly status: number; readonly retryAfterSeconds: number }>>
  >;
  /** `header` finds what the request sent, by lower-case name. Must not throw, whatever the request is. */
  format(
    problem: Problem,
    header: (name: string) => string | undefined,
  ): { readonly contentType: string; readonly body: string | Uint8Array };
};

/** One HTTP operation, as data. The edge authenticates, checks access, parses, and turns errors into problems. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/api/answer-audit-logs/{answer_log_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Row of the access matrix, or `public`. */
  readonly access: Operation | 'public';
  /** Whether a request without a token may be let in, by its parsed path; then there is no caller. Default: never. */
  readonly publicWhen?: (params: unknown) => Promise<boolean>;
  /** Whether anyone may ask at any rate and by any host: it must cost nothing and tell nothing. */
  readonly isProbe?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /**
   * Makes of the parsed body what the handler gets. It follows from the arguments alone, since a large body is read and
   * digested in another thread; so the result is plain data, or a `LateBody` of it. May throw `ServiceError`.
   */
  digest?(body: unknown, contentType: string | undefined, given?: unknown): unknown;
  /**
   * What the digest of a large body is given of a workspace: plain data. A small one is digested without, before the
   * first wait, and what it makes can be read again.
   */
  readonly digestGiven?: (workspaceId: string) => Promise<unknown>;
  /** How the body is read: parsed as JSON (the default), or as it came, of any type and coding (`rawBody`). */
  readonly bodyFormat?: 'json' | 'bytes';
  /** Media types, without parameters, that a body of `bytes` may have; others get 415. Left out: any. */
  readonly bodyTypes?: readonly string[];
  /** What a body of `bytes` holds where it is JSON: for the API description, since the handler reads it itself. */
  readonly bodySchema?: z.ZodType;
  /** Whether the edge undoes the coding gzip of a body of `bytes`, as it does of JSON, within `bodyBytesMax` too. */
  readonly bodyMayBeGzip?: boolean;
  /** Memory for all bodies being read, shared by routes with the same budget; beyond it requests get 503. */
  readonly bodyBudget?: ByteBudget;
  /**
   * Whether large texts are compressed for callers who accept it. Default: for GET. Never where one reply has both a
   * secret and what others chose: how well they compress would tell of the secret.
   */
  readonly compressReplies?: boolean;
  /** Whether pages of the listed origins may send it from a browser. Default: for GET. */
  readonly crossOrigin?: boolean;
  /** How errors are answered; left out: as problems of RFC 9457. */
  readonly problemForm?: ProblemForm;
  /** Whether a request without a body is taken as `{}`. */
  readonly bodyOptional?: boolean;
  /** The method of gRPC, `/SERVICE/METHOD`, whose requests and replies are those of this route in protobuf. */
  readonly grpcMethod?: string;
  /** Largest body; default 64 KiB. */
  readonly bodyBytesMax?: number;
  /** With it the route takes `multipart/form-data` besides its body. */
  readonly upload?: UploadRoute<z.ZodType | undefined, z.ZodType | undefined, z.ZodType>;
  /** Default: `default`. */
  readonly rateLimit?: RateLimit;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  handle(request: RouteRequest<unknown, unknown, unknown>): Promise<RouteReply>;
};

/** The body of a route whose `bodyFormat` is `bytes`; empty where the request has none. */
export const rawBody = z.custom<Uint8Array>();

type Parsed<T extends z.ZodType | undefined> = T extends z.ZodType ? z.output<T> : undefined;

/** A route whose handler's arguments are typed by its schemas. */
export function defineRoute<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  M extends z.ZodType = z.ZodType,
  D = Parsed<B>,
>(
  route: Omit<Route, 'handle' | 'params' | 'query' | 'body' | 'digest' | 'upload'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    digest?(body: Parsed<B>, contentType: string | undefined, given?: unknown): D;
    readonly upload?: UploadRoute<P, Q, M>;
    handle(request: RouteRequest<Parsed<P>, Parsed<Q>, D>): Promise<RouteReply>;
  },
): Route {
  // The edge calls `handle` only with what the route's own schemas returned.
  return route;
}
