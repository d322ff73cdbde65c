/** What a span may say: names of things, numbers and codes. Never a text, a parameter, a token or an address. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span of a request, which learns its route when the request was understood. */
export type RequestSpan = { end(route: string, method: string, status: number): void };

/** Traces of this process. Where there are none, nothing is wrapped, so that they cost nothing. */
export interface Tracing {
  /** Runs the action as a span, below the one that runs it. What it throws comes out as it was. */
  span<T>(name: string, attributes: SpanAttributes, action: () => Promise<T>): Promise<T>;
  /** The same for what is only worth a span inside of another one. */
  detail<T>(name: string, attributes: SpanAttributes, action: () => Promise<T>): Promise<T>;
  /** Runs the handler of a request inside of its span. The caller's `traceparent` is linked and not obeyed. */
  request(traceparent: string | undefined, handle: () => void): RequestSpan;
  /** The span of the request that is being handled. */
  currentRequest(): RequestSpan | undefined;
  /** Notes something that has ended, and began at this time. */
  note(name: string, attributes: SpanAttributes, beganAtMs: number): void;
  /** Sends what is left, and waits a moment for it. */
  close(): Promise<void>;
}
