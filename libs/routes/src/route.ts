import type * as z from 'zod';
import type { Caller } from '@answer-evidence/access';
import type { Problem, ProblemCode } from '@answer-evidence/contracts';
import type { Operation, OperationForm } from '@answer-evidence/contracts/operations';
import type { ByteBudget } from './byte-budget.ts';

/** What a handler gets: everything is authenticated and parsed by the route's schemas before it is called. */
export type RouteRequest<Params, Query, Body> = {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Who calls. Reading it throws `unauthenticated` where nobody is known, as on a `public` route. */
  readonly caller: Caller;
  /** The same, or null. */
  readonly knownCaller: Caller | null;
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

/** A reply's content that does not lie in memory. */
export type StreamedContent = {
  /**
   * Read as fast as the caller takes it, and given up (`return`) when the caller leaves. The first piece is asked for
   * before anything is sent, so what throws until then is answered as any error; later the connection is cut. Yield the
   * last piece only when nothing can fail any more, so that an incomplete reply never looks complete. Not read at all
   * for HEAD.
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

/**
 * An operation and how it is done, as data. The edge authenticates, checks access, parses, and turns errors into
 * problems.
 */
export type Route = Operation & {
  /** Whether a request without a token may be let in, by its parsed path; then there is no caller. Default: never. */
  readonly publicWhen?: (params: unknown) => Promise<boolean>;
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
  /** Memory for all bodies being read, shared by routes with the same budget; beyond it requests get 503. */
  readonly bodyBudget?: ByteBudget;
  /** How errors are answered; left out: as problems of RFC 9457. */
  readonly problemForm?: ProblemForm;
  handle(request: RouteRequest<unknown, unknown, unknown>): Promise<RouteReply>;
  /** Of a route with a `form`. Called as soon as the file begins; `request.body` is the metadata. */
  handleForm?(request: RouteRequest<unknown, unknown, unknown>, file: UploadedFile): Promise<RouteReply>;
};

type Parsed<T extends z.ZodType | undefined> = T extends z.ZodType ? z.output<T> : undefined;

/** A route whose handler's arguments are typed by its schemas. */
export function defineRoute<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  M extends z.ZodType = z.ZodType,
  D = Parsed<B>,
>(
  route: Omit<Route, 'handle' | 'handleForm' | 'params' | 'query' | 'body' | 'digest' | 'form'> & {
    readonly params?: P;
    readonly query?: Q;
    readonly body?: B;
    readonly form?: OperationForm<M>;
    digest?(body: Parsed<B>, contentType: string | undefined, given?: unknown): D;
    handle(request: RouteRequest<Parsed<P>, Parsed<Q>, D>): Promise<RouteReply>;
    handleForm?(request: RouteRequest<Parsed<P>, Parsed<Q>, Parsed<M>>, file: UploadedFile): Promise<RouteReply>;
  },
): Route {
  // The edge calls the handlers only with what the route's own schemas returned.
  return route;
}
