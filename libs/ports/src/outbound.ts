/** One request to a party outside. The URL may be a tenant's word. */
export type OutboundRequest = {
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** For everything together: name look-up, connection, request and the whole answer. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Further headers; never one that frames the message or names the host. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the call at once, as if its time had run out. */
  readonly signal?: AbortSignal;
};

/** A request of another method than POST. An empty body, without a type, is not one. */
export type OutboundCall = OutboundRequest & { readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' };

/** A response of any status; a redirect is one too and is not followed. Its content is the other party's word. */
export type OutboundResponse = {
  readonly status: number;
  /** The `Content-Type` header as it came; empty without one. */
  readonly contentType: string;
  readonly body: Uint8Array;
};

/** An answer with its headers, names in lower case; of a header that came more than once, the values in one line. */
export type OutboundReply = OutboundResponse & { readonly headers: Readonly<Record<string, string>> };

/**
 * Why there is no answer: the address is not one that may be called; nobody could be reached, or the connection or its
 * certificate failed; time ran out; the answer was larger than allowed; what came is not HTTP.
 */
export type OutboundErrorKind = 'address_refused' | 'unreachable' | 'timed_out' | 'too_large' | 'malformed';

/** There is no answer. The message says why in words of ours: nothing of the URL, nothing that came over the wire. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * What a tenant is told of a call without a response. It is the same for a closed port, a silent one and one that
 * speaks another protocol: otherwise a tenant could have the service scan ports.
 */
export function tellTenant({ kind, message }: OutboundError): string {
  return kind === 'address_refused' ? message : 'no usable response arrived';
}

/**
 * The one way to call an address that somebody outside has named. Only addresses that the operator lets be called are
 * called, whatever the name resolves to; nothing is followed, kept open or sent again. Calls are independent of each
 * other.
 */
export interface OutboundHttp {
  /** Judges a URL's form and literal address without a look-up, for when a policy is set. Throws `OutboundError`. */
  assertAllowed(url: string): void;
  /** Sends one POST, judging the addresses that the name resolves to now. Rejects with `OutboundError`. */
  post(request: OutboundRequest): Promise<OutboundResponse>;
}

/** The way out for protocols that use several methods, such as S3. */
export interface OutboundMethods extends OutboundHttp {
  /** As `post`, with the method of the call. */
  send(call: OutboundCall): Promise<OutboundReply>;
}
